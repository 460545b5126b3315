// The words of both lines as elements: two list boxes, whose options say what each word belongs to.

import type { Look } from "../alignment/board.ts";
import type { Place } from "../alignment/data.ts";
import { english, notesOf, type Numbers, type Partner } from "../alignment/sayings.ts";
import { kNoView, type View } from "../alignment/view.ts";
import type { ThreadLayout } from "./layout.ts";

export type Side = "source" | "target";

interface Word {
  element: HTMLElement;
  text: HTMLElement;
  number: HTMLElement;
}

/** A name lists so many words at most, */
const kNamed = 5;
/** and none of less weight, unless the link is made by hand. */
const kWorthNaming = 0.05;
/** Of the words on the other side, those with at least this weight show it. */
const kWorthShowing = 0.005;

export class Lines {
  readonly boxes: Record<Side, HTMLElement> = { source: box("source"), target: box("target") };
  /** What Tab comes to. */
  readonly active: Record<Side, number> = { source: 0, target: 0 };
  #view: View = kNoView;
  #numbers: Numbers = english;
  #words: Record<Side, Word[]> = { source: [], target: [] };

  render(view: View, look: Look): void {
    this.#view = view;
    this.#numbers = look.say;
    for (const side of ["source", "target"] as const) {
      const words = this.#words[side];
      while (words.length > view[side].length) words.pop()!.element.remove();
      while (words.length < view[side].length) words.push(this.#add(side));
      this.active[side] = Math.max(0, Math.min(this.active[side], words.length - 1));
      this.boxes[side].ariaLabel = (side === "source" ? look.sourceLabel : look.targetLabel) || look.say[side];
      words.forEach(({ element, text }, index) => {
        text.textContent = text.title = view[side][index]!;
        const { rows, columns, words: written } = view.edited;
        const isTarget = side === "target";
        const done = { changed: isTarget && rows.has(index), hidden: !isTarget && columns.has(index), written: isTarget && written.has(index) };
        element.ariaLabel = look.say.sayWord(view[side][index]!, this.#worthNaming(side, index), notesOf(done));
        element.classList.toggle("set", done.changed);
        element.classList.toggle("gone", done.hidden);
        element.classList.toggle("written", done.written);
        element.tabIndex = index === this.active[side] ? 0 : -1;
      });
    }
  }

  place(layout: ThreadLayout): void {
    for (const side of ["source", "target"] as const) {
      const across = layout.direction === "across";
      this.boxes[side].ariaOrientation = across ? "horizontal" : "vertical";
      const edge = side === "source" ? layout.from : layout.to;
      this.#words[side].forEach(({ element, text }, index) => {
        const along = layout[side][index]!;
        const [x, y] = across ? [along, edge] : [edge, along];
        element.style.translate = `${x.toFixed(1)}px ${y.toFixed(1)}px`;
        const longest = layout.longest[side];
        text.style.maxWidth = Number.isFinite(longest) ? `${longest + 1}px` : "none";
      });
    }
  }

  /** Marks the words of a place, and writes weights beside the words on the other side of a word; else sums, if they are shown. */
  mark({ row, column }: Place): void {
    const { weights, source, rowSums, columnSums, options } = this.#view;
    const weight = (r: number, c: number) => weights[r * source.length + c]!;
    const say = (side: Side, chosen: number | null, numberOf: (index: number) => number | null) => {
      this.#words[side].forEach(({ element, number }, index) => {
        const value = numberOf(index);
        // Written by the style sheet: the name of the word has it already.
        number.dataset.number = value === null ? "" : this.#numbers.full(value);
        element.classList.toggle("chosen", index === chosen);
        element.ariaSelected = String(index === chosen);
        element.classList.toggle("partner", value !== null && (row === null) !== (column === null));
      });
    };
    const worth = (value: number) => (value >= kWorthShowing ? value : null);
    const sum = (sums: Float32Array) => (index: number) => (options.sums ? sums[index]! : null);
    const pair = row !== null && column !== null;
    const isRow = row !== null && !pair;
    const isColumn = column !== null && !pair;
    say("source", column, isRow ? (c) => worth(weight(row, c)) : pair ? (c) => (c === column ? weight(row, c) : null) : isColumn ? () => null : sum(columnSums));
    say("target", row, isColumn ? (r) => worth(weight(r, column)) : pair ? (r) => (r === row ? weight(r, column) : null) : isRow ? () => null : sum(rowSums));
  }

  /** Of a word, the words on the other side by falling weight. */
  partners(side: Side, index: number): (Partner & { index: number })[] {
    return this.#others(side, index, () => true);
  }

  #worthNaming(side: Side, index: number): Partner[] {
    const { weights, strengths, gold } = this.#view;
    // Most pairs of a large alignment are not worth a closer look.
    const perhaps = (at: number) => weights[at]! >= kWorthNaming || strengths[at]! >= kWorthNaming || gold.length > 0;
    const worth = ({ weight, marks }: Partner) => marks.gold !== null || marks.linked || (weight >= kWorthNaming && !marks.faded);
    return this.#others(side, index, perhaps).filter(worth).slice(0, kNamed);
  }

  #others(side: Side, index: number, perhaps: (at: number) => boolean): (Partner & { index: number })[] {
    const { source, target, weights, marks } = this.#view;
    const others = side === "source" ? target : source;
    const found: (Partner & { index: number })[] = [];
    others.forEach((word, other) => {
      const [row, column] = side === "source" ? [other, index] : [index, other];
      const at = row * source.length + column;
      if (perhaps(at)) found.push({ word, index: other, weight: weights[at]!, marks: marks(row, column) });
    });
    return found.sort((a, b) => b.weight - a.weight);
  }

  focus(side: Side, index: number): void {
    const words = this.#words[side];
    const at = Math.max(0, Math.min(words.length - 1, index));
    const was = words[this.active[side]];
    if (was) was.element.tabIndex = -1;
    this.active[side] = at;
    const element = words[at]?.element;
    if (!element) return;
    element.tabIndex = 0;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  get focused(): { side: Side; index: number } | null {
    const focused = (this.boxes.source.getRootNode() as ShadowRoot).activeElement;
    return focused ? this.at(focused) : null;
  }

  /** Which word an element is, or is part of. */
  at(element: Element): { side: Side; index: number } | null {
    const word = element.closest(".word");
    for (const side of ["source", "target"] as const) {
      const index = this.#words[side].findIndex((each) => each.element === word);
      if (index >= 0) return { side, index };
    }
    return null;
  }

  #add(side: Side): Word {
    const [element, text, number] = ["word", "text", "number"].map((name) => {
      const made = document.createElement("span");
      made.className = name;
      return made;
    }) as [HTMLElement, HTMLElement, HTMLElement];
    element.setAttribute("role", "option");
    element.append(text, number);
    this.boxes[side].append(element);
    return { element, text, number };
  }
}

function box(side: Side): HTMLElement {
  const element = document.createElement("div");
  element.className = `words ${side}`;
  element.setAttribute("role", "listbox");
  return element;
}
