import { AlignmentElement } from "../alignment/alignment-element.ts";
import css from "./alignment-threads.css?inline";
import { ThreadBoard } from "./board.ts";
import { drawThreads } from "./draw-threads.ts";

declare global {
  interface HTMLElementTagNameMap {
    "alignment-threads": AlignmentThreads;
  }
}

/** `<alignment-threads>`: attention as threads between two lines of words. See README.md beside this file. */
export class AlignmentThreads extends AlignmentElement {
  constructor() {
    super({ css, board: (element, listener) => new ThreadBoard(element, listener), picture: drawThreads });
  }
}

customElements.define("alignment-threads", AlignmentThreads);
