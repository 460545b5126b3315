// The elements of the grid: what screen readers and the keyboard meet. Of a large grid only the rows near the active cell have
// elements for their weights, so that 200 x 200 of them stay light. Sums are cells, too: the last of each row, and a last row.

import type { Look } from "../alignment/board.ts";
import { isDeep, numberOf } from "../alignment/ramp.ts";
import { kNoView, type View } from "../alignment/view.ts";

/** A grid of more cells has elements only for the rows near the active one, */
const kAllCells = 1600;
/** this many on either side. */
const kWindow = 10;
/** From this cell size on, weights are written into the cells. */
const kNumberCell = 36;

interface Row {
  element: HTMLElement;
  label: HTMLElement;
  cells: HTMLElement[];
  sum: HTMLElement;
}

export class GridCells {
  readonly element = make("div", "grid", "grid");
  readonly corner = make("span", "corner");
  rows: Row[] = [];
  columnLabels: HTMLElement[] = [];
  /** One past the last row or column is its sum. */
  active = { row: 0, column: 0 };
  #view: View = kNoView;
  #look: Look | undefined;
  #cellSize = 0;
  #columnSums: HTMLElement[] = [];
  readonly #head = make("div", "row head", "row");
  readonly #foot = make("div", "row foot", "row");
  readonly #footLabel = make("span", "row-label sum-label", "rowheader");
  readonly #sumLabel = make("span", "column-label sum-label", "columnheader");

  constructor() {
    this.corner.setAttribute("aria-hidden", "true");
    this.#head.append(this.corner);
    this.#head.ariaRowIndex = "1";
    this.#foot.append(this.#footLabel);
    this.element.append(this.#head);
  }

  render(view: View, look: Look): void {
    this.#view = view;
    this.#look = look;
    const { source, target, options: { sums } } = view;
    const grid = this.element;
    const extra = sums ? 1 : 0;
    grid.ariaLabel = look.say.grid(look.sourceLabel, look.targetLabel);
    this.#footLabel.textContent = this.#sumLabel.textContent = look.say.sum;
    grid.ariaRowCount = String(target.length + 1 + extra);
    grid.ariaColCount = String(source.length + 1 + extra);
    this.corner.replaceChildren(...look.names.map((name) => Object.assign(document.createElement("span"), { textContent: name })));
    this.active.row = Math.max(0, Math.min(this.active.row, target.length - 1 + extra));
    this.active.column = Math.max(0, Math.min(this.active.column, source.length - 1 + (this.active.row === target.length ? 0 : extra)));
    this.#renderLabels();
    this.#renderSums();
  }

  /** Once it is known how large a cell is. */
  fill(cellSize: number): void {
    this.#cellSize = cellSize;
    this.#renderCells();
  }

  /** Moves the focus to a cell, or to a sum where there are sums; elsewhere it goes as far as it can. */
  moveTo(row: number, column: number): void {
    const { target, source, options: { sums } } = this.#view;
    const last = { row: target.length - 1, column: source.length - 1 };
    const [r, c] = [Math.min(row, last.row + (sums ? 1 : 0)), Math.min(column, last.column + (sums ? 1 : 0))];
    // Nothing stands in the corner where the sums meet.
    if (r > last.row && c > last.column) return;
    this.active = { row: Math.max(0, r), column: Math.max(0, c) };
    this.#renderCells();
    const cell = this.#elementAt(this.active.row, this.active.column);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** What has the focus: a cell, or of a sum its whole row or column. */
  get focused(): { row: number | null; column: number | null } {
    const focused = (this.element.getRootNode() as ShadowRoot).activeElement as HTMLElement | null;
    const column = focused ? this.#columnSums.indexOf(focused) : -1;
    if (column >= 0) return { row: null, column };
    const row = this.rows.findIndex(({ cells, sum }) => sum === focused || cells.includes(focused!));
    if (row < 0) return { row: null, column: null };
    const { cells, sum } = this.rows[row]!;
    return { row, column: sum === focused ? null : cells.indexOf(focused!) };
  }

  #elementAt(row: number, column: number): HTMLElement | undefined {
    if (row === this.rows.length) return this.#columnSums[column];
    return column === this.#view.source.length ? this.rows[row]!.sum : this.rows[row]!.cells[column];
  }

  #renderLabels(): void {
    const { source, target, edited } = this.#view;
    const { langs } = this.#look!;
    resize(this.columnLabels, source.length, () => {
      const label = make("span", "column-label", "columnheader");
      label.append(document.createElement("span"));
      this.#head.append(label);
      return label;
    });
    this.columnLabels.forEach((label, column) => {
      label.classList.toggle("gone", edited.columns.has(column));
      label.ariaColIndex = String(column + 2);
      if (langs.source) label.lang = langs.source;
      (label.firstChild as HTMLElement).textContent = source[column]!;
    });
    resize(this.rows, target.length, () => {
      const row = {
        element: make("div", "row", "row"), label: make("span", "row-label", "rowheader"), cells: [], sum: make("span", "sum", "gridcell"),
      };
      row.element.append(row.label);
      this.element.append(row.element);
      return row;
    }, (row) => row.element.remove());
    this.rows.forEach(({ element, label }, row) => {
      element.ariaRowIndex = String(row + 2);
      element.classList.toggle("set", edited.rows.has(row));
      element.classList.toggle("written", edited.words.has(row));
      label.ariaColIndex = "1";
      if (langs.target) label.lang = langs.target;
      label.textContent = label.title = target[row]!;
    });
  }

  #renderSums(): void {
    const { source, target, rowSums, columnSums, options: { sums } } = this.#view;
    const { saySum, full } = this.#look!.say;
    if (!sums) {
      this.#foot.remove();
      this.#sumLabel.remove();
      for (const { sum } of this.rows) sum.remove();
      resize(this.#columnSums, 0, () => make("span", "sum", "gridcell"));
      return;
    }
    this.#head.append(this.#sumLabel);
    this.element.append(this.#foot);
    this.#sumLabel.ariaColIndex = String(source.length + 2);
    this.#foot.ariaRowIndex = String(target.length + 2);
    resize(this.#columnSums, source.length, () => {
      const sum = make("span", "sum", "gridcell");
      this.#foot.append(sum);
      return sum;
    });
    const fill = (element: HTMLElement, word: string, value: number, column: number) => {
      element.textContent = full(value);
      element.ariaLabel = saySum(word, value);
      element.ariaColIndex = String(column + 2);
    };
    this.#columnSums.forEach((element, column) => fill(element, source[column]!, columnSums[column]!, column));
    this.rows.forEach(({ sum }, row) => fill(sum, target[row]!, rowSums[row]!, source.length));
  }

  #renderCells(): void {
    const all = this.#view.weights.length <= kAllCells;
    const { sums } = this.#view.options;
    this.rows.forEach((row, index) => {
      const near = all || Math.abs(index - this.active.row) <= kWindow;
      resize(row.cells, near ? this.#view.source.length : 0, () => {
        const cell = make("span", "cell", "gridcell");
        row.element.append(cell);
        return cell;
      });
      row.cells.forEach((cell, column) => this.#renderCell(cell, index, column));
      if (!sums) return;
      if (row.element.lastChild !== row.sum) row.element.append(row.sum);
      row.sum.tabIndex = index === this.active.row && this.active.column === this.#view.source.length ? 0 : -1;
    });
    this.#columnSums.forEach((sum, column) => {
      sum.tabIndex = this.active.row === this.rows.length && column === this.active.column ? 0 : -1;
    });
  }

  #renderCell(cell: HTMLElement, row: number, column: number): void {
    const { source, target, weights, strengths, marks, options } = this.#view;
    const index = row * source.length + column;
    const mark = marks(row, column);
    cell.ariaLabel = this.#look!.say.sayPair(source[column]!, target[row]!, weights[index]!, mark);
    cell.ariaColIndex = String(column + 2);
    const isWritten = this.#cellSize >= kNumberCell && !mark.faded && (mark.linked || options.links === "soft");
    cell.textContent = isWritten ? numberOf(weights[index]!, this.#look!.say) : "";
    cell.classList.toggle("over", isDeep(strengths[index]!));
    cell.classList.toggle("gone", mark.hidden);
    cell.tabIndex = row === this.active.row && column === this.active.column ? 0 : -1;
  }
}

export function make(tag: string, className: string, role?: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  if (role) element.setAttribute("role", role);
  return element;
}

/** Makes a list the given length, adding and removing at its end. */
export function resize<T>(
  list: T[], length: number, add: () => T, remove: (item: T) => void = (item) => (item as Element).remove(),
): void {
  while (list.length > length) remove(list.pop()!);
  while (list.length < length) list.push(add());
}
