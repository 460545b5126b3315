// Two lines of words with threads between them. All threads are drawn once, on a canvas; those of the marked word on another
// above it, so that moving the pointer costs a few threads whatever the size.

import type { Board, BoardListener, Look } from "../alignment/board.ts";
import { isSomewhere, kNowhere, type Place } from "../alignment/data.ts";
import { kNoView, type View } from "../alignment/view.ts";
import { weightByKey } from "../alignment/weigh.ts";
import { layoutThreads, progressAt, threadPath, type ThreadLayout } from "./layout.ts";
import { Lines, type Side } from "./lines.ts";
import { threadsFrom, threadsOf, widthOf, type Thread } from "./threads.ts";
import { clear, rampInks, stroke, weave, type Inks } from "./weave.ts";

/** A pointer this near to a thread points at it. */
const kNear = 6;

export class ThreadBoard implements Board {
  #view: View = kNoView;
  #look: Look | undefined;
  #layout: ThreadLayout | undefined;
  #threads: Thread[] = [];
  #inks: Inks = { ramp: [], ground: "", gold: "" };
  /** The partner that the keyboard has come to, among those of the focused word. */
  #step = -1;
  readonly #board: HTMLElement;
  readonly #listener: BoardListener;
  readonly #lines = new Lines();
  readonly #all = canvas("all");
  readonly #lit = canvas("lit");
  readonly #spoken = document.createElement("span");
  readonly #probes = { mark: probe("mark-ink"), gold: probe("gold-ink"), ground: probe("ground-ink") };

  constructor(board: HTMLElement, listener: BoardListener) {
    this.#board = board;
    this.#listener = listener;
    this.#spoken.className = "spoken";
    this.#spoken.setAttribute("role", "status");
    const { source, target } = this.#lines.boxes;
    board.append(this.#all, this.#lit, source, target, this.#spoken, ...Object.values(this.#probes));
    board.addEventListener("pointermove", (event) => {
      if (event.pointerType === "mouse") listener.hover(this.#placeAt(event));
    });
    board.addEventListener("pointerdown", (event) => this.#press(event));
    board.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") listener.hover(kNowhere);
    });
    board.addEventListener("keydown", (event) => this.#key(event));
    board.addEventListener("focusin", () => {
      this.#step = -1;
      listener.hover(kNowhere);
      listener.focus(this.focused);
      listener.pick(this.focused);
    });
    board.addEventListener("focusout", () => listener.focus(kNowhere));
  }

  render(view: View, look: Look): void {
    this.#view = view;
    this.#look = look;
    this.#board.hidden = view.source.length === 0 || view.target.length === 0;
    const layout = (this.#layout = layoutThreads(this.#measure(), { width: look.room.width - 8 }));
    this.#board.classList.toggle("across", layout.direction === "across");
    this.#board.classList.toggle("down", layout.direction === "down");
    this.#board.style.width = `${layout.width}px`;
    this.#board.style.height = `${layout.height}px`;
    this.#lines.render(view, look);
    this.#lines.place(layout);
    const colour = (element: HTMLElement) => getComputedStyle(element).color;
    this.#inks = { ramp: rampInks(look.colours), ground: colour(this.#probes.ground), gold: colour(this.#probes.gold) };
    this.#threads = threadsOf(view);
    weave(clear(this.#all, layout), layout, view, this.#threads, view.gold, this.#inks);
  }

  mark(place: Place): void {
    if (!this.#layout) return;
    const { source, target, gold, strengths, options } = this.#view;
    const inside = (at: number | null, length: number) => (at !== null && at < length ? at : null);
    const { row, column } = { row: inside(place.row, target.length), column: inside(place.column, source.length) };
    const isAnywhere = row !== null || column !== null;
    this.#lines.mark({ row, column });
    this.#all.classList.toggle("dim", isAnywhere);
    this.#lit.hidden = !isAnywhere;
    if (!isAnywhere) return;
    const context = clear(this.#lit, this.#layout);
    const belongs = (at: { row: number; column: number }) => (row === null || at.row === row) && (column === null || at.column === column);
    weave(context, this.#layout, this.#view, threadsFrom(this.#view, row, column), gold.filter(belongs), this.#inks);
    if (row === null || column === null) return;
    const width = widthOf(strengths[row * source.length + column]!, options.links);
    stroke(context, new Path2D(threadPath(this.#layout, row, column)), getComputedStyle(this.#probes.mark).color, Math.max(1.5, width));
  }

  rectOf({ row, column }: Place): DOMRect | null {
    if (row === null || column === null || !this.#layout) return null;
    const { direction, source, target, from, to } = this.#layout;
    if (source[column] === undefined || target[row] === undefined) return null;
    const board = this.#board.getBoundingClientRect();
    const [along, across] = [(source[column]! + target[row]!) / 2, (from + to) / 2];
    const [x, y] = direction === "across" ? [along, across] : [across, along];
    return new DOMRect(board.left + x - 4, board.top + y - 4, 8, 8);
  }

  get top(): number {
    return this.#board.getBoundingClientRect().top;
  }

  get focused(): Place {
    const word = this.#lines.focused;
    if (!word) return kNowhere;
    const partner = this.#step < 0 ? undefined : this.#lines.partners(word.side, word.index)[this.#step];
    return placeOf(word, partner?.index ?? null);
  }

  #measure() {
    const style = getComputedStyle(this.#board);
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const widths = (words: readonly string[]) => words.map((word) => context.measureText(word).width);
    return { source: widths(this.#view.source), target: widths(this.#view.target), fontSize: Number.parseFloat(style.fontSize) };
  }

  #placeAt(event: PointerEvent): Place {
    const word = this.#lines.at(event.composedPath()[0] as Element);
    if (word) return placeOf(word, null);
    if (!this.#layout) return kNowhere;
    const { direction, source, target, from, to } = this.#layout;
    const board = this.#board.getBoundingClientRect();
    const point = [event.clientX - board.left, event.clientY - board.top] as const;
    const [along, across] = direction === "across" ? point : [point[1], point[0]];
    if (across < from || across > to) return kNowhere;
    const progress = progressAt(this.#layout, across);
    let [nearest, least]: [Place, number] = [kNowhere, kNear];
    // The strongest lie uppermost, and win where several are as near.
    for (let index = this.#threads.length - 1; index >= 0; --index) {
      const { row, column, faded } = this.#threads[index]!;
      const distance = Math.abs(source[column]! + progress * (target[row]! - source[column]!) - along);
      if (distance < least && !faded) [nearest, least] = [{ row, column }, distance];
    }
    return nearest;
  }

  #press(event: PointerEvent): void {
    const word = this.#lines.at(event.composedPath()[0] as Element);
    const place = this.#placeAt(event);
    if (!word) {
      this.#listener.hover(place);
      if (isSomewhere(place)) this.#listener.pick(place);
      return;
    }
    event.preventDefault();
    this.#lines.focus(word.side, word.index);
    this.#listener.pick(place);
  }

  #key(event: KeyboardEvent): void {
    const word = this.#lines.focused;
    if (!word || event.altKey || event.metaKey || event.ctrlKey) return;
    const { side, index } = word;
    const other: Side = side === "source" ? "target" : "source";
    const [back, on, above, below] = this.#layout?.direction === "across"
      ? ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"] : ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"];
    const moves: Record<string, () => void> = {
      [back!]: () => this.#lines.focus(side, index - 1),
      [on!]: () => this.#lines.focus(side, index + 1),
      [side === "source" ? below! : above!]: () => this.#lines.focus(other, this.#lines.partners(side, index)[0]?.index ?? 0),
      Home: () => this.#lines.focus(side, 0),
      End: () => this.#lines.focus(side, Infinity),
      Enter: () => this.#walk(word, event.shiftKey ? -1 : 1),
      " ": () => this.#walk(word, event.shiftKey ? -1 : 1),
      Escape: () => this.#leave(word),
    };
    if (this.#weigh(event.key)) return event.preventDefault();
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]!();
  }

  /** Changes the weight of the thread that the keyboard has come to. */
  #weigh(key: string): boolean {
    const { row, column } = this.focused;
    if (!this.#look?.editable || row === null || column === null || this.#view.edited.columns.has(column)) return false;
    const weight = weightByKey(key, this.#view.weights[row * this.#view.source.length + column]!, this.#view.edited.rows.has(row));
    if (weight !== undefined) this.#listener.weigh({ row, column, weight, settled: true });
    return weight !== undefined;
  }

  /** To the next thread of a word by falling weight, and around. */
  #walk(word: { side: Side; index: number }, by: 1 | -1): void {
    const partners = this.#lines.partners(word.side, word.index);
    this.#step = this.#step < 0 && by < 0 ? partners.length - 1 : (this.#step + by + partners.length) % partners.length;
    const { index, weight, marks } = partners[this.#step]!;
    const place = placeOf(word, index);
    this.#listener.focus(place);
    this.#listener.pick(place);
    const { source, target } = this.#view;
    this.#spoken.textContent = this.#look!.say.sayPair(source[place.column!]!, target[place.row!]!, weight, marks);
  }

  /** From a thread back to its word, and then to nothing (WCAG 1.4.13). */
  #leave(word: { side: Side; index: number }): void {
    const wasOnThread = this.#step >= 0;
    this.#step = -1;
    this.#spoken.textContent = "";
    this.#listener.focus(wasOnThread ? placeOf(word, null) : kNowhere);
  }
}

/** A word, with or without a partner, as a place. */
function placeOf({ side, index }: { side: Side; index: number }, partner: number | null): Place {
  return side === "source" ? { row: partner, column: index } : { row: index, column: partner };
}

function canvas(name: string): HTMLCanvasElement {
  const element = document.createElement("canvas");
  element.className = name;
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** Canvases cannot use variables of CSS; an element that does tells their colours. */
function probe(name: string): HTMLElement {
  const element = document.createElement("i");
  element.className = name;
  element.hidden = true;
  return element;
}
