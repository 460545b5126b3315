import { AlignmentElement } from "../alignment/alignment-element.ts";
import css from "./alignment-grid.css?inline";
import { GridBoard } from "./board.ts";
import { drawGrid } from "./draw-grid.ts";

export type { AlignmentData, GoldLinks, PairDetail, Place } from "../alignment/data.ts";
export type { Description } from "../alignment/sayings.ts";

declare global {
  interface HTMLElementTagNameMap {
    "alignment-grid": AlignmentGrid;
  }
}

/** `<alignment-grid>`: attention as a picture, the source across, the target down. See README.md beside this file. */
export class AlignmentGrid extends AlignmentElement {
  constructor() {
    super({ css, board: (element, listener) => new GridBoard(element, listener), picture: drawGrid });
  }
}

customElements.define("alignment-grid", AlignmentGrid);
