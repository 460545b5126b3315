// The part of the grid that has cells: a canvas of one pixel a cell under a real ARIA grid. Screen readers and the keyboard
// meet elements; of a large grid only the rows near the focused one have them, so that 200 x 200 weights stay light.

import { layoutGrid, type GridLayout, type Room } from "./layout.ts";
import { isDeep, numberOf, rampStep } from "./ramp.ts";
import type { Place } from "./alignment-grid.ts";

export interface BoardData {
  source: readonly string[];
  target: readonly string[];
  weights: Float32Array;
}

export interface BoardLook {
  colours: Uint8ClampedArray;
  corner: string;
  name: string;
  room: Room;
}

export interface BoardListener {
  hover(place: Place): void;
  focus(place: Place): void;
}

/** A grid of more cells has elements only for the rows near the focused one, */
const kAllCells = 1600;
/** this many on either side. */
const kWindow = 10;
/** From this cell size on, weights are written into the cells. */
const kNumberCell = 36;

interface Row {
  element: HTMLElement;
  label: HTMLElement;
  cells: HTMLElement[];
}

export class GridBoard {
  #data: BoardData = { source: [], target: [], weights: new Float32Array() };
  #layout: GridLayout | undefined;
  #rows: Row[] = [];
  #columnLabels: HTMLElement[] = [];
  #active = { row: 0, column: 0 };
  #marked: Place = { row: null, column: null };
  readonly #board: HTMLElement;
  readonly #canvas = document.createElement("canvas");
  readonly #grid = make("div", "grid", "grid");
  readonly #head = make("div", "row head", "row");
  readonly #corner = make("span", "corner");
  readonly #bands = { row: make("div", "band"), column: make("div", "band") };
  readonly #listener: BoardListener;

  constructor(board: HTMLElement, listener: BoardListener) {
    this.#board = board;
    this.#listener = listener;
    this.#canvas.setAttribute("aria-hidden", "true");
    this.#corner.setAttribute("aria-hidden", "true");
    this.#head.append(this.#corner);
    this.#head.ariaRowIndex = "1";
    this.#grid.append(this.#head);
    this.#bands.row.hidden = this.#bands.column.hidden = true;
    board.append(this.#canvas, this.#grid, this.#bands.row, this.#bands.column);
    board.addEventListener("pointermove", (event) => this.#hover(event));
    board.addEventListener("pointerdown", (event) => this.#press(event));
    board.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") listener.hover({ row: null, column: null });
    });
    this.#grid.addEventListener("keydown", (event) => this.#key(event));
    this.#grid.addEventListener("focusin", () => this.#focusIn());
    this.#grid.addEventListener("focusout", () => listener.focus({ row: null, column: null }));
  }

  render(data: BoardData, look: BoardLook): void {
    this.#data = data;
    const { source, target } = data;
    this.#board.hidden = source.length === 0 || target.length === 0;
    this.#active.row = Math.min(this.#active.row, Math.max(0, target.length - 1));
    this.#active.column = Math.min(this.#active.column, Math.max(0, source.length - 1));
    this.#corner.textContent = look.corner;
    this.#grid.ariaLabel = look.name;
    this.#grid.ariaRowCount = String(target.length + 1);
    this.#grid.ariaColCount = String(source.length + 1);
    this.#renderLabels();
    this.#place(layoutGrid(this.#measure(), look.room));
    this.#paint(look.colours);
    this.#renderCells();
  }

  /** Marks a cell, or a whole row or column. */
  mark(place: Place): void {
    const inside = (at: number | null, length: number) => (at !== null && at < length ? at : null);
    const { row, column } = {
      row: inside(place.row, this.#rows.length),
      column: inside(place.column, this.#columnLabels.length),
    };
    if (this.#marked.row !== null) this.#rows[this.#marked.row]?.label.classList.remove("chosen");
    if (this.#marked.column !== null) this.#columnLabels[this.#marked.column]?.classList.remove("chosen");
    this.#marked = { row, column };
    if (row !== null) this.#rows[row]!.label.classList.add("chosen");
    if (column !== null) this.#columnLabels[column]!.classList.add("chosen");
    const layout = this.#layout;
    this.#bands.row.hidden = row === null || !layout;
    this.#bands.column.hidden = column === null || !layout;
    if (!layout) return;
    const { cell, headWidth, headHeight } = layout;
    if (row !== null) {
      frame(this.#bands.row, headWidth, headHeight + row * cell, this.#columnLabels.length * cell, cell);
    }
    if (column !== null) {
      frame(this.#bands.column, headWidth + column * cell, headHeight, cell, this.#rows.length * cell);
    }
  }

  /** Where a cell is in the window; null for a whole row or column. */
  cellRect({ row, column }: Place): DOMRect | null {
    if (row === null || column === null || !this.#layout) return null;
    const board = this.#board.getBoundingClientRect();
    const { cell, headWidth, headHeight } = this.#layout;
    return new DOMRect(board.left + headWidth + column * cell, board.top + headHeight + row * cell, cell, cell);
  }

  /** Where the cells begin in the window, below the column labels. */
  get top(): number {
    return this.#board.getBoundingClientRect().top + (this.#layout?.headHeight ?? 0);
  }

  /** Which cell has the keyboard's focus. */
  get focused(): Place {
    const focused = (this.#board.getRootNode() as ShadowRoot).activeElement;
    const row = this.#rows.findIndex(({ cells }) => cells.includes(focused as HTMLElement));
    return row < 0 ? { row: null, column: null } : { row, column: this.#rows[row]!.cells.indexOf(focused as HTMLElement) };
  }

  #renderLabels(): void {
    const { source, target } = this.#data;
    resize(this.#columnLabels, source.length, () => {
      const label = make("span", "column-label", "columnheader");
      label.append(document.createElement("span"));
      this.#head.append(label);
      return label;
    });
    this.#columnLabels.forEach((label, column) => {
      label.ariaColIndex = String(column + 2);
      (label.firstChild as HTMLElement).textContent = source[column]!;
    });
    resize(this.#rows, target.length, () => {
      const row = { element: make("div", "row", "row"), label: make("span", "row-label", "rowheader"), cells: [] };
      row.element.append(row.label);
      this.#grid.append(row.element);
      return row;
    }, (row) => row.element.remove());
    this.#rows.forEach(({ element, label }, row) => {
      element.ariaRowIndex = String(row + 2);
      label.ariaColIndex = "1";
      label.textContent = label.title = target[row]!;
    });
  }

  #measure() {
    const style = getComputedStyle(this.#board);
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const widths = (words: readonly string[]) => words.map((word) => context.measureText(word).width);
    return {
      columns: widths(this.#data.source),
      rows: widths(this.#data.target),
      fontSize: Number.parseFloat(style.fontSize),
    };
  }

  #place(layout: GridLayout): void {
    this.#layout = layout;
    const { style } = this.#board;
    style.setProperty("--cell", `${layout.cell}px`);
    style.setProperty("--gap", layout.cell >= 24 ? "2px" : "1px");
    style.setProperty("--head-width", `${layout.headWidth}px`);
    style.setProperty("--head-height", `${layout.headHeight}px`);
    style.setProperty("--column-label", `${layout.columnLabel}px`);
    style.setProperty("--columns", String(this.#data.source.length));
    style.setProperty("--rows", String(this.#data.target.length));
    style.setProperty("--label-size", `${layout.labelSize}px`);
    style.paddingRight = `${layout.overhang}px`;
    this.#grid.className = `grid turn-${layout.turn}`;
  }

  #paint(colours: Uint8ClampedArray): void {
    const { source, target, weights } = this.#data;
    if (weights.length === 0) return;
    this.#canvas.width = source.length;
    this.#canvas.height = target.length;
    const context = this.#canvas.getContext("2d")!;
    const image = context.createImageData(source.length, target.length);
    weights.forEach((weight, index) => {
      const from = 3 * rampStep(weight);
      image.data.set(colours.subarray(from, from + 3), 4 * index);
      image.data[4 * index + 3] = 255;
    });
    context.putImageData(image, 0, 0);
  }

  #renderCells(): void {
    const all = this.#data.weights.length <= kAllCells;
    this.#rows.forEach((row, index) => {
      const near = all || Math.abs(index - this.#active.row) <= kWindow;
      resize(row.cells, near ? this.#data.source.length : 0, () => {
        const cell = make("span", "cell", "gridcell");
        row.element.append(cell);
        return cell;
      });
      row.cells.forEach((cell, column) => this.#renderCell(cell, index, column));
    });
  }

  #renderCell(cell: HTMLElement, row: number, column: number): void {
    const { source, target, weights } = this.#data;
    const weight = weights[row * source.length + column]!;
    cell.ariaLabel = `${source[column]} to ${target[row]}, ${weight.toFixed(2)}`;
    cell.ariaColIndex = String(column + 2);
    cell.textContent = this.#layout!.cell >= kNumberCell ? numberOf(weight) : "";
    cell.classList.toggle("over", isDeep(weight));
    cell.tabIndex = row === this.#active.row && column === this.#active.column ? 0 : -1;
  }

  #placeAt(event: PointerEvent): Place {
    if (!this.#layout) return { row: null, column: null };
    const { cell, headWidth, headHeight } = this.#layout;
    const board = this.#board.getBoundingClientRect();
    const within = (offset: number, length: number) => {
      const index = Math.floor(offset / cell);
      return index >= 0 && index < length ? index : null;
    };
    const row = within(event.clientY - board.top - headHeight, this.#rows.length);
    // The row labels stay in sight when the board scrolls, so what lies under them is asked of the element itself.
    const onLabel = event.composedPath()[0] as Element;
    if (onLabel.classList.contains("row-label")) return { row, column: null };
    const columnLabel = onLabel.closest(".column-label");
    if (columnLabel) return { row: null, column: this.#columnLabels.indexOf(columnLabel as HTMLElement) };
    const column = within(event.clientX - board.left - headWidth, this.#columnLabels.length);
    return row === null || column === null ? { row: null, column: null } : { row, column };
  }

  #hover(event: PointerEvent): void {
    if (event.pointerType === "mouse") this.#listener.hover(this.#placeAt(event));
  }

  #press(event: PointerEvent): void {
    const place = this.#placeAt(event);
    if (place.row !== null && place.column !== null) {
      event.preventDefault();
      this.#moveTo(place.row, place.column);
    } else {
      this.#listener.hover(place);
    }
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    // What the pointer or the keyboard brought up can be sent away again (WCAG 1.4.13).
    if (event.key === "Escape") this.#listener.focus({ row: null, column: null });
    const { row, column } = this.#active;
    const last = { row: this.#rows.length - 1, column: this.#columnLabels.length - 1 };
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
    this.#moveTo(Math.max(0, Math.min(last.row, to[0])), Math.max(0, Math.min(last.column, to[1])));
  }

  #moveTo(row: number, column: number): void {
    this.#active = { row, column };
    this.#renderCells();
    const cell = this.#rows[row]!.cells[column]!;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #focusIn(): void {
    const { row, column } = this.focused;
    if (row === null || column === null) return;
    this.#listener.hover({ row: null, column: null });
    this.#listener.focus({ row, column });
  }
}

function make(tag: string, className: string, role?: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  if (role) element.setAttribute("role", role);
  return element;
}

function frame(band: HTMLElement, left: number, top: number, width: number, height: number): void {
  // One pixel outside the cells on every side but the last gap, so that the frame does not cover a colour.
  band.style.transform = `translate(${left - 2}px, ${top - 2}px)`;
  band.style.width = `${width + 2}px`;
  band.style.height = `${height + 2}px`;
}

/** Makes a list the given length, adding and removing at its end. */
function resize<T>(list: T[], length: number, add: () => T, remove: (item: T) => void = (item) => (item as Element).remove()): void {
  while (list.length > length) remove(list.pop()!);
  while (list.length < length) list.push(add());
}
