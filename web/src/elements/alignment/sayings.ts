// What the elements say, in the languages they know. The functions that make texts can be replaced on the element.

import { french } from "./sayings-fr.ts";
import type { Marks } from "./view.ts";

/** Words for the tooltip: a short title, and what it means. */
export interface Description {
  title: string;
  text: string;
}

/** A word on the other side of a thread. */
export interface Partner {
  word: string;
  weight: number;
  marks: Marks;
}

export type Describe = (source: string, target: string, weight: number, marks: Marks) => Description;
export type SayPair = (source: string, target: string, weight: number, marks: Marks) => string;
/** What was done to a word by hand. */
export type Note = "changed" | "hidden" | "written";
export type SayWord = (word: string, partners: readonly Partner[], notes: readonly Note[]) => string;
export type SaySum = (word: string, sum: number) => string;

/** How numbers are written: in full, "0.75", and as short as a cell needs it, ".75". */
export interface Numbers {
  full(value: number): string;
  short(value: number): string;
}

/** All that the elements say in one language. */
export interface Sayings extends Numbers {
  describe: Describe;
  sayPair: SayPair;
  sayWord: SayWord;
  saySum: SaySum;
  sum: string;
  /** Where the page gives no names. */
  source: string;
  target: string;
  grid(source: string, target: string): string;
  legend: { weight: string; hard: string; sure: string; possible: string };
}

export const english: Sayings = {
  full: (value) => value.toFixed(2),
  short: (value) => value.toFixed(2).replace(/^0/, ""),
  describe: (source, target, weight, { gold }) => ({
    title: `${source} to ${target}: ${weight.toFixed(2)}`,
    text: `${Math.round(100 * weight)} % of the attention for “${target}” went to “${source}”.${gold ? ` By hand: a ${gold} link.` : ""}`,
  }),
  sayPair: (source, target, weight, marks) => [`${source} to ${target}`, weight.toFixed(2), ...notes(marks)].join(", "),
  sayWord: (word, partners, done) => {
    const own = done.map((note) => kNotes[note]);
    const list = partners.map(({ word, weight, marks }) => [`${word} ${weight.toFixed(2)}`, ...notes(marks).filter((each) => !own.includes(each))].join(" "));
    return `${word}: ${[list.join(", ") || "hardly anything", ...own].join(", ")}`;
  },
  saySum: (word, sum) => `Sum of ${word}, ${sum.toFixed(2)}`,
  sum: "Sum",
  source: "Source",
  target: "Target",
  grid: (source, target) => `Attention: ${target || "target"} down, ${source || "source"} across`,
  legend: { weight: "Weight", hard: "Each target word’s largest weight", sure: "Sure link", possible: "Possible link" },
};

const kNotes: Record<Note, string> = { changed: "changed", hidden: "hidden", written: "set by hand" };

function notes({ linked, faded, gold, ...done }: Marks): string[] {
  return [linked ? "linked" : "", faded ? "faded" : "", gold ? `${gold} link` : "", ...notesOf(done).map((note) => kNotes[note])].filter((note) => note !== "");
}

/** What was done by hand, in the order in which it is said. */
export function notesOf(done: Pick<Marks, Note>): Note[] {
  return (["changed", "hidden", "written"] as const).filter((note) => done[note]);
}

/** Of the language around an element, which may be in the shadow of another; English where that is none of ours. */
export function sayingsFor(element: Element): Sayings {
  for (let at: Element | null = element; at;) {
    const found: HTMLElement | null = at.closest<HTMLElement>("[lang]");
    if (found) return /^fr\b/i.test(found.lang) ? french : english;
    const root = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return english;
}
