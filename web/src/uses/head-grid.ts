import type { AlignmentGrid, Place } from "../elements/alignment-grid/alignment-grid.ts";
import "../elements/alignment-grid/alignment-grid.ts";
import { ramp, rampStep } from "../elements/alignment/ramp.ts";
import { heading, paragraph, ranking } from "../page/in-words.ts";
import "../page/take-away.ts";
import type { Tensor } from "softalign";
import { habitOf, surestHead, weightsOf } from "./heads.ts";
import { grid as words, habit } from "./words.ts";

/**
 * `<head-grid name="tagger">`: a sentence that looks at itself. All heads of all layers as small pictures to choose from, and
 * the chosen one as a grid with, beside it, what the marked place means in words. Arrays go in, `pair` events of the grid come out.
 */
export class HeadGrid extends HTMLElement {
  #tokens: readonly string[] = [];
  #layers: readonly Tensor[] = [];
  #chosen: { layer: number; head: number | null } | undefined;
  #grid!: AlignmentGrid;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #theme = new MutationObserver(() => this.#paint());

  connectedCallback(): void {
    if (this.#grid) return;
    this.innerHTML = `
      <h3></h3><p></p>
      <fieldset class="heads"><legend class="unseen"></legend></fieldset>
      <p class="habit"></p>
      <div class="figure">
        <div>
          <alignment-grid><span slot="legend"></span></alignment-grid>
          <take-away></take-away>
        </div>
        <aside class="reading"></aside>
      </div>`;
    this.#find("h3").textContent = words.title;
    this.#find("p").textContent = words.about;
    this.#find("legend").textContent = words.heads;
    this.#find("[slot=legend]").textContent = words.legend;
    this.#find("aside").ariaLabel = words.aside(this.getAttribute("name") ?? "");
    this.#grid = this.querySelector("alignment-grid")!;
    this.#grid.setAttribute("source-label", words.looked);
    this.#grid.setAttribute("target-label", words.reading);
    this.#grid.describe = words.description;
    this.#grid.addEventListener("pair", ({ detail }) => this.#tell(detail));
    const takeAway = this.querySelector("take-away")!;
    takeAway.setAttribute("name", this.getAttribute("name") ?? "attention");
    takeAway.shown = this.#grid;
    this.#find("fieldset").addEventListener("change", (event) => {
      const { layer, head } = (event.target as HTMLInputElement).dataset;
      this.#chosen = { layer: Number(layer), head: head === "" ? null : Number(head) };
      this.#show();
    });
    // The pictures' colours are of the theme.
    this.#theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.#dark.addEventListener("change", () => this.#paint());
  }

  /** @param layers of each layer who looked at whom, [heads, tokens, tokens]. */
  show(tokens: readonly string[], layers: readonly Tensor[]): void {
    this.#tokens = tokens;
    this.#layers = layers;
    // Later sentences keep the choice.
    this.#chosen ??= surestHead(layers);
    this.#offer();
    this.#paint();
    this.#show();
  }

  /** Marks a whole row from outside, and reads it out beside the grid. */
  mark(row: number | null): void {
    this.#grid.highlight = { row, column: null };
    this.#tell({ row, column: null });
  }

  #find(selector: string): HTMLElement {
    return this.querySelector<HTMLElement>(selector)!;
  }

  #offer(): void {
    const heads = this.#layers[0]?.shape[0] ?? 0;
    const fieldset = this.#find("fieldset");
    if (fieldset.querySelectorAll("input").length === this.#layers.length * (heads + 1)) return;
    fieldset.querySelectorAll(".layer").forEach((layer) => layer.remove());
    const name = `heads-${this.getAttribute("name")}`;
    this.#layers.forEach((_, layer) => {
      const row = Object.assign(document.createElement("div"), { className: "layer" });
      row.append(Object.assign(document.createElement("span"), { textContent: words.layer(layer) }));
      for (const head of [...Array(heads).keys(), null]) {
        const label = document.createElement("label");
        const input = Object.assign(document.createElement("input"), { type: "radio", name, ariaLabel: words.nameOf(layer, head) });
        input.dataset.layer = String(layer);
        input.dataset.head = head === null ? "" : String(head);
        const canvas = document.createElement("canvas");
        canvas.ariaHidden = "true";
        const caption = Object.assign(document.createElement("span"), { textContent: head === null ? words.mean : words.head(head) });
        label.append(input, canvas, caption);
        row.append(label);
      }
      fieldset.append(row);
    });
  }

  /** One pixel a weight, scaled up by the browser. */
  #paint(): void {
    const { theme } = document.documentElement.dataset;
    const colours = ramp(theme === "dark" || (theme !== "light" && this.#dark.matches) ? "dark" : "light");
    const n = this.#tokens.length;
    for (const input of this.querySelectorAll<HTMLInputElement>("fieldset input")) {
      const [layer, head] = [Number(input.dataset.layer), input.dataset.head === "" ? null : Number(input.dataset.head)];
      input.checked = layer === this.#chosen?.layer && head === this.#chosen.head;
      const canvas = input.parentElement!.querySelector("canvas")!;
      if (n === 0 || !this.#layers[layer]) continue;
      canvas.width = canvas.height = n;
      const context = canvas.getContext("2d")!;
      const image = context.createImageData(n, n);
      weightsOf(this.#layers[layer], head).forEach((weight, index) => {
        const from = 3 * rampStep(weight);
        image.data.set([colours[from]!, colours[from + 1]!, colours[from + 2]!, 255], 4 * index);
      });
      context.putImageData(image, 0, 0);
    }
  }

  #show(): void {
    const weights = this.#weights;
    this.#grid.data = { source: this.#tokens, target: this.#tokens, attention: weights };
    const n = this.#tokens.length;
    this.#find(".habit").textContent = n < 3 ? "" : `${words.nameOf(this.#chosen!.layer, this.#chosen!.head)}. ${habit(habitOf(weights, n))}`;
    this.#tell({ row: null, column: null });
  }

  get #weights(): Float32Array {
    const { layer, head } = this.#chosen!;
    return this.#layers[layer] ? weightsOf(this.#layers[layer], head) : new Float32Array();
  }

  #tell({ row, column }: Place): void {
    const aside = this.#find("aside");
    const n = this.#tokens.length;
    const weights = n > 0 ? this.#weights : new Float32Array();
    if (row !== null && this.#tokens[row] !== undefined) {
      const looked = this.#tokens.map((text, c) => ({ text, weight: weights[row * n + c]! }));
      aside.replaceChildren(heading(words.row.before, this.#tokens[row], words.row.after), ranking(looked));
    } else if (column !== null && this.#tokens[column] !== undefined) {
      const looked = this.#tokens.map((text, r) => ({ text, weight: weights[r * n + column]! }));
      aside.replaceChildren(heading(words.column.before, this.#tokens[column], words.column.after), ranking(looked));
    } else {
      aside.replaceChildren(heading(words.guideTitle, "", ""), paragraph(words.guide), paragraph(words.pointing));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "head-grid": HeadGrid;
  }
}

customElements.define("head-grid", HeadGrid);
