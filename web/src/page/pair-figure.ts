import type { AlignmentElement } from "../elements/alignment/alignment-element.ts";
import type { AlignmentData, Place } from "../elements/alignment/data.ts";
import "../elements/alignment-grid/alignment-grid.ts";
import "../elements/alignment-threads/alignment-threads.ts";
import { capital } from "../words/language.ts";
import { words } from "../words/words.ts";
import { heading, headingOf, paragraph, ranking } from "./in-words.ts";
import "./take-away.ts";
import type { Link } from "./take-away.ts";
import "./view-options.ts";
import { type SideNames, sideNames } from "./side-names.ts";
import { kFirstView, type ViewState } from "./view-state.ts";

/** What is drawn: words of both sides, and how much those of the target looked at those of the source. */
export interface Pair extends AlignmentData {
  attention: Float32Array;
  /** What else there is to say of a target word. */
  note?: (target: number) => string;
}

/**
 * `<pair-figure>`: two texts as a grid or as threads with, beside it, what the marked place means in words. Arrays and names of
 * languages go in; `pair` comes out of the pictures, `view` of the controls.
 */
export class PairFigure extends HTMLElement {
  #pair: Pair | undefined;
  #view: ViewState = kFirstView;
  #names: SideNames = sideNames();
  #pictures!: Record<ViewState["picture"], AlignmentElement>;

  connectedCallback(): void {
    if (this.#pictures) return;
    const legends = '<span slot="legend"></span><span slot="legend-hard"></span>';
    this.innerHTML = `
      <div class="figure" hidden>
        <div>
          <view-options></view-options>
          <alignment-grid>${legends}</alignment-grid>
          <alignment-threads hidden>${legends}</alignment-threads>
          <take-away name="alignment"></take-away>
        </div>
        <aside class="reading"></aside>
      </div>`;
    this.querySelector("aside")!.ariaLabel = words.common.pair.aside;
    this.querySelector("view-options")!.hasGold = false;
    this.#pictures = { grid: this.querySelector("alignment-grid")!, threads: this.querySelector("alignment-threads")! };
    for (const picture of Object.values(this.#pictures)) picture.addEventListener("pair", ({ detail }) => this.#tell(detail));
    this.addEventListener("view", ({ detail }) => (this.view = detail));
    this.names = this.#names;
    this.view = this.#view;
  }

  /** Of the languages; English and French at first. */
  set names(names: SideNames) {
    this.#names = names;
    const { legend, hardLegend, describe } = words.common.pair;
    this.querySelector("view-options")!.names = names;
    for (const picture of Object.values(this.#pictures)) {
      picture.setAttribute("source-label", capital(names.source));
      picture.setAttribute("target-label", capital(names.target));
      picture.querySelector("[slot=legend]")!.textContent = legend;
      picture.querySelector("[slot=legend-hard]")!.textContent = hardLegend(names);
      picture.describe = describe;
    }
    this.#tell({ row: null, column: null });
  }

  /** Nothing for undefined. */
  show(pair: Pair | undefined): void {
    this.#pair = pair;
    this.querySelector<HTMLElement>(".figure")!.hidden = !pair;
    if (!pair) return;
    for (const picture of Object.values(this.#pictures)) picture.data = pair;
    this.#tell({ row: null, column: null });
  }

  set view(view: ViewState) {
    const isOther = view.picture !== this.#view.picture;
    this.#view = view;
    this.querySelector("view-options")!.view = view;
    for (const [name, picture] of Object.entries(this.#pictures)) {
      picture.options = view;
      picture.hidden = name !== view.picture;
    }
    this.querySelector("take-away")!.shown = this.#pictures[view.picture];
    if (isOther) this.#tell({ row: null, column: null });
  }

  /** Makes a link to what is shown. */
  set link(link: () => Link) {
    this.querySelector("take-away")!.link = link;
  }

  /** Marks a place of the picture from outside, and reads it out beside it. */
  mark(place: Place): void {
    for (const picture of Object.values(this.#pictures)) picture.highlight = place;
    this.#tell(place);
  }

  #tell({ row, column }: Place): void {
    if (!this.#pair) return;
    const { source, target, attention, note } = this.#pair;
    const said = words.common.pair;
    const weight = (r: number, c: number) => attention[r * source.length + c] ?? 0;
    const aside = this.querySelector("aside")!;
    if (row !== null && target[row] !== undefined) {
      const weights = source.map((text, c) => ({ text, weight: weight(row, c) }));
      const rest = 1 - weights.reduce((sum, each) => sum + each.weight, 0);
      aside.replaceChildren(
        headingOf(said.row, target[row]), ranking(weights),
        paragraph([note?.(row) ?? "", rest < 0.005 ? "" : said.rest(rest)].join(" ").trim()));
    } else if (column !== null && source[column] !== undefined) {
      const weights = target.map((text, r) => ({ text, weight: weight(r, column) }));
      aside.replaceChildren(headingOf(said.column, source[column]), ranking(weights));
    } else {
      const { picture } = this.#view;
      aside.replaceChildren(heading(said.titles[picture], "", ""), paragraph(said.first[picture](this.#names)), paragraph(said.pointing[picture]));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "pair-figure": PairFigure;
  }
}

customElements.define("pair-figure", PairFigure);
