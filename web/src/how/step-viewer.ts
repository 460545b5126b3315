import type { Walk } from "../engine/steps/protocol.ts";
import { WordRow } from "../uses/word-row.ts";
import { decimal } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import { formula } from "./formulas.ts";
import { onScheme } from "./heat-map.ts";
import { lookAt, type Place } from "./steps-arithmetic.ts";
import { element, withSubscripts } from "./steps-parts.ts";
import { draw, shown, told } from "./stations.ts";
import { type Station, stations } from "./told.ts";

const { walk: words, names, texts } = said.steps;

/** The first station that differs from step to step. */
const kOwn: Station = "ask";

/** `<step-viewer>`: one step of a translation at a time, station by station. Arrays in. */
export class StepViewer extends HTMLElement {
  #walk: Walk | undefined;
  #place: Place = { step: 0, source: 0, layer: 0, head: 0 };
  #station: Station = "read";
  #built = false;
  readonly #source = new WordRow(words.source, { point: () => {}, press: (source) => this.#go({ source }) });
  readonly #target = new WordRow(words.target, { point: () => {}, press: (step) => this.#choose(step) });

  connectedCallback(): void {
    if (this.#built) return;
    this.#built = true;
    this.innerHTML = `
      <p class="row-title target"></p>
      <div class="rows"></div>
      <p class="row-title source"></p>
      <div class="heads"><label class="layer"></label><label class="head"></label><p></p></div>
      <div class="walk">
        <fieldset class="switch stations"><legend class="unseen"></legend></fieldset>
        <p class="paces"><button class="plain-button back" type="button"></button><button class="plain-button on" type="button"></button></p>
      </div>
      <article class="station"></article>
      <p class="letters checked"></p>
      <p class="unseen" role="status"></p>`;
    this.#target.element.setAttribute("lang", "fr");
    this.#find(".row-title.target").textContent = words.targetShort;
    this.#find(".row-title.target").after(this.#target.element);
    this.#find(".row-title.source").after(this.#source.element);
    this.#find(".rows").remove();
    this.#offerStations();
    this.#find(".back").textContent = words.previous;
    this.#find(".on").textContent = words.next;
    this.#find(".back").addEventListener("click", () => this.#pace(-1));
    this.#find(".on").addEventListener("click", () => this.#pace(1));
    onScheme(() => this.#draw());
  }

  show(walk: Walk): void {
    const pieces = ({ model, source, target }: Walk) => [model, ...source.map(shown), "", ...target.map(shown)].join("\n");
    const isOther = !this.#walk || pieces(walk) !== pieces(this.#walk);
    this.#walk = walk;
    // In the middle there is most to see: something is written, and something still to come.
    if (isOther) {
      const step = Math.min(2, walk.steps.length - 1);
      this.#place = { step, source: 0, layer: walk.aligning.layer, head: walk.aligning.head };
      this.#lookWhereItLooks();
    }
    this.#find(".row-title.source").textContent = words.sourceShort(walk.sentences);
    this.#offerHeads(walk);
    this.#go({});
  }

  #find(selector: string): HTMLElement {
    return this.querySelector<HTMLElement>(selector)!;
  }

  #offerStations(): void {
    const fieldset = this.#find(".stations");
    this.#find(".stations legend").textContent = words.stations;
    stations.forEach((station, i) => {
      const label = element("label");
      const input = Object.assign(element("input"), { type: "radio", name: "station", value: station });
      label.append(input, element("span", `${i + 1} ${names[station].short}`));
      fieldset.append(label);
    });
    fieldset.addEventListener("change", (event) => {
      this.#station = (event.target as HTMLInputElement).value as Station;
      this.#draw();
    });
  }

  /** Layers and heads to choose from, if there is a choice. */
  #offerHeads({ keys, heads, aligning }: Walk): void {
    const place = this.#find(".heads");
    place.hidden = heads === 1;
    if (heads === 1) return;
    const offer = (name: "layer" | "head", count: number, isAligning: (index: number) => boolean) => {
      const select = element("select");
      select.append(...Array.from({ length: count }, (_, i) => new Option(words.headOption(i + 1, isAligning(i)), String(i))));
      select.value = String(this.#place[name]);
      select.addEventListener("change", () => {
        this.#go({ [name]: Number(select.value) });
        this.#offerHeads(this.#walk!);
        this.#find(`.${name} select`).focus();
      });
      this.#find(`.heads .${name}`).replaceChildren(`${words[name]} `, select);
    };
    offer("layer", keys.length, () => false);
    offer("head", heads, (head) => head === aligning.head && this.#place.layer === aligning.layer);
  }

  #choose(step: number): void {
    this.#place = { ...this.#place, step };
    this.#lookWhereItLooks();
    this.#go({});
  }

  /** The source piece with the most attention is the one to look at. */
  #lookWhereItLooks(): void {
    const { weights } = lookAt(this.#walk!, this.#place);
    this.#place.source = weights.indexOf(Math.max(...weights));
  }

  /** One station on or back; from the last one to the next step, whose reading is the same. */
  #pace(by: 1 | -1): void {
    const to = stations.indexOf(this.#station) + by;
    const step = this.#place.step + by;
    const isOwn = to >= stations.indexOf(kOwn) || this.#place.step === 0;
    if (to < stations.length && to >= 0 && isOwn) this.#station = stations[to]!;
    else if (step >= 0 && step < this.#walk!.steps.length) {
      this.#station = by > 0 ? kOwn : "choose";
      this.#choose(step);
    }
    this.#draw();
    const { step: now } = this.#place;
    this.#find("[role=status]").textContent = words.announce(now + 1, shown(this.#walk!.target[now]!), names[this.#station].title);
  }

  #go(change: Partial<Place>): void {
    this.#place = { ...this.#place, ...change };
    const { step, source } = this.#place;
    const { weights } = lookAt(this.#walk!, this.#place);
    const most = Math.max(...weights);
    this.#target.show(this.#walk!.target.map((piece, t) => ({
      text: shown(piece), below: String(t + 1), more: words.step(t + 1), pressed: t === step,
    })));
    this.#source.show(this.#walk!.source.map((piece, j) => ({
      text: shown(piece), below: decimal(weights[j]!, 2), strength: weights[j]! / most, more: words.weight(weights[j]!), pressed: j === source,
    })));
    this.#draw();
  }

  #draw(): void {
    const walk = this.#walk;
    if (!walk) return;
    const place = this.#place;
    const facts = told(walk, place);
    for (const input of this.querySelectorAll<HTMLInputElement>(".stations input")) input.checked = input.value === this.#station;
    const at = stations.indexOf(this.#station);
    this.querySelector<HTMLButtonElement>(".back")!.disabled = at === 0 && place.step === 0;
    this.querySelector<HTMLButtonElement>(".on")!.disabled = at === stations.length - 1 && place.step === walk.steps.length - 1;

    const title = element("h3", names[this.#station].title);
    title.prepend(element("small", words.at(place.step + 1, walk.steps.length, facts.word)), " ");
    const shownFormula = element("p", "", "formula");
    shownFormula.append(withSubscripts(formula(this.#station, facts)));
    const text = element("p");
    text.append(withSubscripts(texts[this.#station](facts)));
    this.#find(".station").replaceChildren(title, text, shownFormula, ...draw[this.#station](walk, place));
    this.#find(".checked").textContent = words.checked(walk.apart);
    const { aligning } = walk;
    const isShifted = aligning.shifted && place.layer === aligning.layer && place.head === aligning.head;
    const last = place.step > 0 ? shown(walk.target[place.step - 1]!) : "";
    this.#find(".heads p").textContent = isShifted ? words.shifted(facts.word, last) : "";
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "step-viewer": StepViewer;
  }
}

customElements.define("step-viewer", StepViewer);
