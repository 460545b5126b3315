// The part of the grid that has cells: a canvas of one pixel a cell under the elements, and what marks places on it.

import type { Board, BoardListener, Look } from "../alignment/board.ts";
import { kNowhere, type Place } from "../alignment/data.ts";
import { rampStep } from "../alignment/ramp.ts";
import { paceOf } from "../alignment/pace.ts";
import { kFaded } from "../alignment/picture.ts";
import { kNoView, type View } from "../alignment/view.ts";
import { toggled, weightByKey } from "../alignment/weigh.ts";
import { GridCells, make } from "./cells.ts";
import { layoutGrid, type GridLayout } from "./layout.ts";

/** As the style sheet has the corner: its letters beside those of the labels, a line of it, and what is below. */
const kCornerSize = 13 / 16, kCornerLine = 17, kCornerGap = 6;
/** Room for a sum beside a row: "12.34". */
const kSumWidth = 52;
/** A pointer that moves less has pressed, not dragged. */
const kSlack = 3;
/** So far up a pointer drags a weight from 0 to 1. */
const kDrag = 160;

export class GridBoard implements Board {
  #view: View = kNoView;
  #layout: GridLayout | undefined;
  #marked: Place = kNowhere;
  #editable = false;
  #unrolling: Animation | undefined;
  #drag: { row: number; column: number; y: number; from: number; moved: boolean } | undefined;
  readonly #board: HTMLElement;
  readonly #canvas = document.createElement("canvas");
  readonly #gold: SVGSVGElement;
  readonly #cells = new GridCells();
  readonly #bands = { row: make("div", "band"), column: make("div", "band") };
  readonly #listener: BoardListener;

  constructor(board: HTMLElement, listener: BoardListener) {
    this.#board = board;
    this.#listener = listener;
    this.#canvas.setAttribute("aria-hidden", "true");
    board.innerHTML = `<svg class="gold" aria-hidden="true"><path class="halo"/><path class="sure"/><path class="possible"/></svg>`;
    this.#gold = board.querySelector("svg")!;
    this.#bands.row.hidden = this.#bands.column.hidden = true;
    const grid = this.#cells.element;
    board.prepend(this.#canvas);
    board.append(grid, this.#bands.row, this.#bands.column);
    board.addEventListener("pointermove", (event) => {
      if (this.#drag && event.pointerType !== "touch") this.#pull(event);
      else if (event.pointerType === "mouse") listener.hover(this.#placeAt(event));
    });
    board.addEventListener("pointerdown", (event) => this.#press(event));
    board.addEventListener("pointerup", (event) => this.#release(event));
    board.addEventListener("pointercancel", (event) => this.#release(event));
    // Not when a finger comes down: it may be about to scroll.
    board.addEventListener("click", () => this.#toggle());
    board.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") listener.hover(kNowhere);
    });
    grid.addEventListener("keydown", (event) => this.#key(event));
    grid.addEventListener("focusin", () => {
      listener.hover(kNowhere);
      listener.focus(this.#cells.focused);
      listener.pick(this.#cells.focused);
    });
    grid.addEventListener("focusout", () => listener.focus(kNowhere));
  }

  render(view: View, look: Look): void {
    this.#view = view;
    this.#editable = look.editable;
    this.#board.classList.toggle("editable", look.editable);
    this.#board.hidden = view.source.length === 0 || view.target.length === 0;
    this.#cells.render(view, look);
    const room = { ...look.room, width: look.room.width - (view.options.sums ? kSumWidth : 0) };
    this.#place(layoutGrid(this.#measure(look.names), room));
    this.#paint(look.colours);
    this.#outline();
    this.#cells.fill(this.#layout!.cell);
  }

  mark(place: Place): void {
    const { rows, columnLabels } = this.#cells;
    const inside = (at: number | null, length: number) => (at !== null && at < length ? at : null);
    const { row, column } = { row: inside(place.row, rows.length), column: inside(place.column, columnLabels.length) };
    if (this.#marked.row !== null) rows[this.#marked.row]?.label.classList.remove("chosen");
    if (this.#marked.column !== null) columnLabels[this.#marked.column]?.classList.remove("chosen");
    this.#marked = { row, column };
    if (row !== null) rows[row]!.label.classList.add("chosen");
    if (column !== null) columnLabels[column]!.classList.add("chosen");
    const layout = this.#layout;
    this.#bands.row.hidden = row === null || !layout;
    this.#bands.column.hidden = column === null || !layout;
    if (!layout) return;
    const { cell, headWidth, headHeight } = layout;
    if (row !== null) frame(this.#bands.row, headWidth, headHeight + row * cell, columnLabels.length * cell, cell);
    if (column !== null) frame(this.#bands.column, headWidth + column * cell, headHeight, cell, rows.length * cell);
  }

  unroll(from: number): void {
    this.#unrolling?.cancel();
    const { target, options: { sums } } = this.#view;
    const rows = target.length - from;
    if (rows <= 0 || !this.#layout) return;
    const { cell } = this.#layout;
    const below = (left: number) => (left > 0 ? (left + (sums ? 1 : 0)) * cell : -cell);
    const frames = Array.from({ length: rows + 1 }, (_, shown) => (
      { clipPath: `inset(-${cell}px -50vw ${below(rows - shown)}px)`, easing: "step-end" }));
    this.#unrolling = this.#board.animate(frames, rows * paceOf(rows));
  }

  rectOf({ row, column }: Place): DOMRect | null {
    if (row === null || column === null || !this.#layout) return null;
    const board = this.#board.getBoundingClientRect();
    const { cell, headWidth, headHeight } = this.#layout;
    return new DOMRect(board.left + headWidth + column * cell, board.top + headHeight + row * cell, cell, cell);
  }

  get top(): number {
    return this.#board.getBoundingClientRect().top + (this.#layout?.headHeight ?? 0);
  }

  get focused(): Place {
    return this.#cells.focused;
  }

  #measure(names: readonly string[]) {
    const style = getComputedStyle(this.#board);
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const widths = (words: readonly string[]) => words.map((word) => context.measureText(word).width);
    const fontSize = Number.parseFloat(style.fontSize);
    // Its arrows may be another font's: they have an em.
    const corner = { width: Math.max(0, ...widths(names.map((name) => name.slice(0, -1))).map((width) => width + fontSize)) * kCornerSize, height: names.length * kCornerLine + kCornerGap };
    return { columns: widths(this.#view.source), rows: widths(this.#view.target), fontSize, corner };
  }

  #place(layout: GridLayout): void {
    this.#layout = layout;
    const { style } = this.#board;
    style.setProperty("--cell", `${layout.cell}px`);
    style.setProperty("--gap", layout.cell >= 24 ? "2px" : "1px");
    style.setProperty("--head-width", `${layout.headWidth}px`);
    style.setProperty("--head-height", `${layout.headHeight}px`);
    style.setProperty("--column-label", `${layout.columnLabel}px`);
    style.setProperty("--columns", String(this.#view.source.length));
    style.setProperty("--rows", String(this.#view.target.length));
    style.setProperty("--label-size", `${layout.labelSize}px`);
    style.setProperty("--sum-width", `${kSumWidth}px`);
    style.paddingRight = `${Math.max(0, layout.overhang - (this.#view.options.sums ? kSumWidth : 0))}px`;
    this.#cells.element.className = `grid turn-${layout.turn}${layout.cell < 32 ? " narrow" : ""}`;
  }

  #paint(colours: Uint8ClampedArray): void {
    const { source, target, weights, strengths, options: { threshold } } = this.#view;
    if (weights.length === 0) return;
    this.#canvas.width = source.length;
    this.#canvas.height = target.length;
    const context = this.#canvas.getContext("2d")!;
    const image = context.createImageData(source.length, target.length);
    strengths.forEach((strength, index) => {
      const from = 3 * rampStep(strength);
      image.data.set(colours.subarray(from, from + 3), 4 * index);
      image.data[4 * index + 3] = weights[index]! < threshold ? 255 * kFaded : 255;
    });
    context.putImageData(image, 0, 0);
  }

  #outline(): void {
    const { cell } = this.#layout!;
    const side = cell - (cell >= 24 ? 5 : 4);
    const outlines = (kinds: readonly string[]) => this.#view.gold.filter(({ kind }) => kinds.includes(kind))
      .map(({ row, column }) => `M${column * cell + 1.5} ${row * cell + 1.5}h${side}v${side}h${-side}z`).join("");
    this.#gold.querySelector(".halo")!.setAttribute("d", outlines(["sure", "possible"]));
    this.#gold.querySelector(".sure")!.setAttribute("d", outlines(["sure"]));
    this.#gold.querySelector(".possible")!.setAttribute("d", outlines(["possible"]));
  }

  #placeAt(event: PointerEvent): Place {
    if (!this.#layout) return kNowhere;
    const { rows, columnLabels } = this.#cells;
    const { cell, headWidth, headHeight } = this.#layout;
    const board = this.#board.getBoundingClientRect();
    const within = (offset: number, length: number) => {
      const index = Math.floor(offset / cell);
      return index >= 0 && index < length ? index : null;
    };
    const row = within(event.clientY - board.top - headHeight, rows.length);
    // The row labels stay in sight when the board scrolls, so what lies under them is asked of the element itself.
    const over = event.composedPath()[0] as Element;
    if (over.matches(".row-label, .row:not(.foot) > .sum")) return { row, column: null };
    const columnLabel = over.closest<HTMLElement>(".column-label:not(.sum-label)");
    if (columnLabel) return { row: null, column: columnLabels.indexOf(columnLabel) };
    const column = within(event.clientX - board.left - headWidth, columnLabels.length);
    if (over.matches(".foot > .sum")) return { row: null, column };
    return row === null || column === null ? kNowhere : { row, column };
  }

  #press(event: PointerEvent): void {
    this.#drag = undefined;
    const { row, column } = this.#placeAt(event);
    if (row === null || column === null) {
      this.#listener.hover({ row, column });
      if (row !== null || column !== null) this.#listener.pick({ row, column });
      return;
    }
    event.preventDefault();
    this.#cells.moveTo(row, column);
    this.#listener.pick({ row, column });
    if (!this.#editable || event.button !== 0 || this.#view.edited.columns.has(column)) return;
    this.#drag = { row, column, y: event.clientY, from: this.#weightAt(row, column), moved: false };
    if (event.pointerType !== "touch") this.#board.setPointerCapture(event.pointerId);
  }

  #weightAt(row: number, column: number): number {
    return this.#view.weights[row * this.#view.source.length + column]!;
  }

  /** Up for more, down for less. */
  #pull({ clientY }: PointerEvent, settled = false): void {
    const drag = this.#drag!;
    if (Math.abs(drag.y - clientY) > kSlack) drag.moved = true;
    if (!drag.moved) return;
    const { row, column } = drag;
    const weight = Math.min(1, Math.max(0, drag.from + (drag.y - clientY) / kDrag));
    this.#listener.weigh({ row, column, weight, settled });
  }

  #release(event: PointerEvent): void {
    if (this.#drag?.moved) this.#pull(event, true);
    // What is left is a press, which ends in a click.
    if (this.#drag?.moved || event.type === "pointercancel") this.#drag = undefined;
  }

  #toggle(): void {
    const drag = this.#drag;
    this.#drag = undefined;
    if (!drag) return;
    const { row, column, from } = drag;
    this.#listener.weigh({ row, column, weight: toggled(from, this.#view.edited.rows.has(row)), settled: true });
  }

  /** Changes the weight that has the focus. */
  #weigh(key: string): boolean {
    const { row, column } = this.#cells.focused;
    if (!this.#editable || row === null || column === null || this.#view.edited.columns.has(column)) return false;
    const [weight, isSet] = [this.#weightAt(row, column), this.#view.edited.rows.has(row)];
    const wanted = key === "Enter" ? toggled(weight, isSet) : weightByKey(key, weight, isSet);
    if (wanted !== undefined) this.#listener.weigh({ row, column, weight: wanted, settled: true });
    return wanted !== undefined;
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    // What the pointer or the keyboard brought up can be sent away again (WCAG 1.4.13).
    if (event.key === "Escape") this.#listener.focus(kNowhere);
    if (!event.ctrlKey && this.#weigh(event.key)) return event.preventDefault();
    const { row, column } = this.#cells.active;
    const last = { row: this.#cells.rows.length - 1, column: this.#cells.columnLabels.length - 1 };
    const target: Record<string, [number, number]> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? last.row : row, last.column],
      PageUp: [0, column],
      PageDown: [last.row, column],
    };
    const to = target[event.key];
    if (!to) return;
    event.preventDefault();
    this.#cells.moveTo(to[0], to[1]);
  }
}

function frame(band: HTMLElement, left: number, top: number, width: number, height: number): void {
  // One pixel outside the cells on every side but the last gap, so that the frame does not cover a colour.
  band.style.transform = `translate(${left - 2}px, ${top - 2}px)`;
  band.style.width = `${width + 2}px`;
  band.style.height = `${height + 2}px`;
}
