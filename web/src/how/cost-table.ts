import type { CostsListener } from "../engine/how.ts";
import { kLengths, type LayerKind, layerKinds, type Measured } from "../engine/how-protocol.ts";
import { StateNote } from "../page/state-note.ts";
import { CostPlot } from "./cost-plot.ts";
import { problemIn } from "../page/problems.ts";
import { large } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import { growthInTheory, growthOf, milliseconds, operations, theory } from "./numbers.ts";

export interface MeasuresCosts {
  costs: CostsListener | undefined;
  measure(width: number): void;
  stop(): void;
}

const kWidths = [64, 256];
const kFirst = 512;

/** `<cost-table>`: what theory says of four kinds of layers, and what they take in this browser. */
export class CostTable extends HTMLElement {
  #engine: MeasuresCosts | undefined;
  #n: number = kFirst;
  #d = kWidths[0]!;
  #running = false;
  /** By width, kind and length. */
  readonly #measured = new Map<string, Measured>();
  readonly #plot = new CostPlot();
  readonly #resize = new ResizeObserver(() => this.#draw());
  #note!: StateNote;

  connectedCallback(): void {
    this.#resize.observe(this);
    if (this.#note) return;
    this.innerHTML = `
      <div class="choice"><label for="length"></label><input id="length" type="range" min="0"><output for="length"></output></div>
      <fieldset class="switch"><legend></legend></fieldset>
      <p class="act"><button class="plain-button" type="button"></button> <span role="status"></span></p>
      <div class="loading"></div><div class="trouble"></div>
      <div class="scroll" tabindex="0" role="region"><table><thead><tr></tr></thead><tbody></tbody></table></div>
      <p class="letters"></p>
      <div class="drawing"></div>
      <p class="letters caveat"></p>
      <details><summary></summary><div class="scroll" tabindex="0" role="region"><table class="all"></table></div></details>`;
    this.#note = new StateNote(
      { loading: this.#find(".loading"), problem: this.#find(".trouble") }, () => this.#start(),
      { loading: () => "", problem: (failure) => problemIn(said.how.problems, failure) });
    const slider = this.querySelector<HTMLInputElement>("#length")!;
    slider.max = String(kLengths.length - 1);
    slider.value = String(kLengths.findIndex((n) => n === kFirst));
    slider.addEventListener("input", () => {
      this.#n = kLengths[Number(slider.value)]!;
      this.#show();
    });
    this.#find("label").textContent = said.how.costs.n;
    this.#offerWidths();
    this.#find("button").addEventListener("click", () => (this.#running ? this.#stop() : this.#start()));
    this.#find(".drawing").append(this.#plot.element);
    this.#find(".letters").textContent = said.how.costs.letters;
    this.#find(".caveat").textContent = said.how.costs.caveat;
    this.#find("summary").textContent = said.how.costs.all;
    for (const region of this.querySelectorAll(".scroll")) region.ariaLabel = said.how.costs.table;
    this.querySelectorAll(".scroll")[1]!.ariaLabel = said.how.costs.all;
    this.#say(said.how.costs.ready);
    this.#show();
  }

  disconnectedCallback(): void {
    this.#resize.disconnect();
  }

  set engine(engine: MeasuresCosts) {
    this.#engine = engine;
    engine.costs = {
      measured: (width, measured) => {
        this.#measured.set(`${width} ${measured.kind} ${measured.n}`, measured);
        if (width === this.#d && this.#running) this.#say(said.how.costs.running(measured.n));
        this.#show();
      },
      finished: () => this.#end(said.how.costs.finished),
      failed: (failure) => {
        this.#end("");
        this.#note.failed(failure);
      },
    };
  }

  #find(selector: string): HTMLElement {
    return this.querySelector<HTMLElement>(selector)!;
  }

  #offerWidths(): void {
    const fieldset = this.#find("fieldset");
    this.#find("legend").textContent = said.how.costs.d;
    for (const width of kWidths) {
      const label = document.createElement("label");
      const input = Object.assign(document.createElement("input"), { type: "radio", name: "width", value: String(width), checked: width === this.#d });
      label.append(input, Object.assign(document.createElement("span"), { textContent: String(width) }));
      fieldset.append(label);
    }
    fieldset.addEventListener("change", (event) => {
      this.#d = Number((event.target as HTMLInputElement).value);
      // What was measured stays; what is being measured is now of the other width.
      if (this.#running) this.#start();
      this.#show();
    });
  }

  #start(): void {
    this.#note.clear();
    this.#running = true;
    this.#find("button").textContent = said.how.costs.stop;
    this.#say(said.how.costs.running(kLengths[0]));
    this.#engine?.measure(this.#d);
  }

  #stop(): void {
    this.#engine?.stop();
    this.#end(said.how.costs.stopped);
  }

  #end(said: string): void {
    this.#running = false;
    this.#say(said);
    this.#show();
  }

  #say(text: string): void {
    this.#find("[role=status]").textContent = text;
  }

  get #points(): Measured[] {
    return [...this.#measured].filter(([key]) => key.startsWith(`${this.#d} `)).map(([, measured]) => measured);
  }

  #time(kind: LayerKind, n: number): number | undefined {
    return this.#measured.get(`${this.#d} ${kind} ${n}`)?.time;
  }

  #show(): void {
    const slider = this.querySelector<HTMLInputElement>("#length")!;
    slider.ariaValueText = String(this.#n);
    this.#find("output").textContent = String(this.#n);
    if (!this.#running) this.#find("button").textContent = said.how.costs.measure;
    const { columns } = said.how.costs;
    const heads = [columns.layer, columns.theory, columns.time, columns.growth, columns.operations(this.#n, this.#d), columns.steps, columns.path];
    this.#find("thead tr").replaceChildren(...heads.map((head) => cell("th", head, "col")));
    this.#find("tbody").replaceChildren(...layerKinds.map((kind) => this.#row(kind)));
    this.#find(".all").replaceChildren(
      row(cell("th", "n", "col"), ...layerKinds.map((kind) => cell("th", said.how.layers[kind].short, "col"))),
      ...kLengths.map((n) => row(cell("th", String(n), "row"), ...layerKinds.map((kind) => cell("td", this.#written(kind, n))))));
    this.#draw();
  }

  #row(kind: LayerKind): HTMLElement {
    const { name } = said.how.layers[kind];
    const { work, steps, path } = theory[kind];
    const grown = growthOf(this.#points.filter((point) => point.kind === kind));
    const growth = grown === undefined ? said.how.costs.nothing : said.how.costs.growth(grown, growthInTheory(kind));
    const time = cell("td", this.#written(kind, this.#n));
    if (this.#time(kind, this.#n) !== undefined) time.append(" ms");
    const title = cell("th", name, "row");
    title.prepend(Object.assign(document.createElement("i"), { className: `key ${kind}` }));
    return row(
      title, cell("td", work), time, cell("td", growth),
      cell("td", large(operations(kind, this.#n, this.#d))), cell("td", steps), cell("td", path));
  }

  #written(kind: LayerKind, n: number): string {
    const time = this.#time(kind, n);
    return time === undefined ? said.how.costs.nothing : milliseconds(time);
  }

  #draw(): void {
    const width = this.#find(".drawing").clientWidth;
    if (width > 0) this.#plot.draw(this.#points, this.#n, width);
  }
}

function cell(tag: "td" | "th", text: string, scope?: "col" | "row"): HTMLElement {
  const element = Object.assign(document.createElement(tag), { textContent: text });
  if (scope) element.setAttribute("scope", scope);
  return element;
}

function row(...cells: HTMLElement[]): HTMLElement {
  const element = document.createElement("tr");
  element.append(...cells);
  return element;
}

declare global {
  interface HTMLElementTagNameMap {
    "cost-table": CostTable;
  }
}

customElements.define("cost-table", CostTable);
