import type { AlignmentGrid, Place } from "../elements/alignment-grid/alignment-grid.ts";
import "../elements/alignment-grid/alignment-grid.ts";
import "../elements/head-picker/head-picker.ts";
import type { HeadRow } from "../elements/head-picker/head-picker.ts";
import { heading, paragraph, ranking } from "../page/in-words.ts";
import "../page/take-away.ts";
import type { Tensor } from "softalign";
import { habitOf, surestHead, weightsOf } from "./heads.ts";
import type { Use } from "../engine/uses-protocol.ts";
import { words as said } from "../words/words.ts";
import { habit } from "./words.ts";

/**
 * `<head-grid name="tagger">`: a sentence that looks at itself. All heads of all layers as small pictures to choose from, and
 * the chosen one as a grid with, beside it, what the marked place means in words. Arrays go in, `pair` events of the grid come out.
 */
export class HeadGrid extends HTMLElement {
  #tokens: readonly string[] = [];
  #layers: readonly Tensor[] = [];
  #chosen: { layer: number; head: number | null } | undefined;
  #grid!: AlignmentGrid;

  connectedCallback(): void {
    if (this.#grid) return;
    this.innerHTML = `
      <h3></h3><p></p>
      <head-picker name="${this.getAttribute("name")}" label="${said.uses.grid.heads}"></head-picker>
      <p class="habit"></p>
      <div class="figure">
        <div>
          <alignment-grid><span slot="legend"></span></alignment-grid>
          <take-away></take-away>
        </div>
        <aside class="reading"></aside>
      </div>`;
    this.#find("h3").textContent = said.uses.grid.title;
    this.#find("p").textContent = said.uses.grid.about;
    this.#find("[slot=legend]").textContent = said.uses.grid.legend;
    this.#find("aside").ariaLabel = said.uses.grid.aside(this.getAttribute("name") as Use);
    this.#grid = this.querySelector("alignment-grid")!;
    this.#grid.setAttribute("source-label", said.uses.grid.looked);
    this.#grid.setAttribute("target-label", said.uses.grid.reading);
    this.#grid.describe = said.uses.grid.description;
    this.#grid.addEventListener("pair", ({ detail }) => this.#tell(detail));
    const takeAway = this.querySelector("take-away")!;
    takeAway.setAttribute("name", this.getAttribute("name") ?? "attention");
    takeAway.shown = this.#grid;
    this.querySelector("head-picker")!.addEventListener("choose", ({ detail }) => {
      const [layer, head] = detail.split(".");
      this.#chosen = { layer: Number(layer), head: head === "mean" ? null : Number(head) };
      this.#show();
    });
  }

  /** @param layers of each layer who looked at whom, [heads, tokens, tokens]. */
  show(tokens: readonly string[], layers: readonly Tensor[]): void {
    this.#tokens = tokens;
    this.#layers = layers;
    // Later sentences keep the choice.
    this.#chosen ??= surestHead(layers);
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

  get #rows(): HeadRow[] {
    const n = this.#tokens.length;
    return this.#layers.map((tensor, layer) => ({
      title: said.uses.grid.layer(layer),
      heads: [...Array(tensor.shape[0]!).keys(), null].map((head) => ({
        id: `${layer}.${head ?? "mean"}`, name: said.uses.grid.nameOf(layer, head), caption: head === null ? said.uses.grid.mean : said.uses.grid.head(head),
        weights: weightsOf(tensor, head), rows: n, columns: n,
      })),
    }));
  }

  #show(): void {
    const weights = this.#weights;
    const { layer, head } = this.#chosen!;
    this.querySelector("head-picker")!.show(this.#rows, `${layer}.${head ?? "mean"}`);
    this.#grid.data = { source: this.#tokens, target: this.#tokens, attention: weights };
    const n = this.#tokens.length;
    this.#find(".habit").textContent = n < 3 ? "" : `${said.uses.grid.nameOf(layer, head)}. ${habit(habitOf(weights, n))}`;
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
      aside.replaceChildren(heading(said.uses.grid.row.before, this.#tokens[row], said.uses.grid.row.after), ranking(looked));
    } else if (column !== null && this.#tokens[column] !== undefined) {
      const looked = this.#tokens.map((text, r) => ({ text, weight: weights[r * n + column]! }));
      aside.replaceChildren(heading(said.uses.grid.column.before, this.#tokens[column], said.uses.grid.column.after), ranking(looked));
    } else {
      aside.replaceChildren(heading(said.uses.grid.guideTitle, "", ""), paragraph(said.uses.grid.guide), paragraph(said.uses.grid.pointing));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "head-grid": HeadGrid;
  }
}

customElements.define("head-grid", HeadGrid);
