// What the elements say, in English; each of these can be replaced on the element.

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
/** @param note what was done to the word by hand. */
export type SayWord = (word: string, partners: readonly Partner[], note: "changed" | "hidden" | null) => string;
export type SaySum = (word: string, sum: number) => string;

export const describe: Describe = (source, target, weight, { gold }) => ({
  title: `${source} to ${target}: ${weight.toFixed(2)}`,
  text: `${Math.round(100 * weight)} % of the attention for “${target}” went to “${source}”.${gold ? ` By hand: a ${gold} link.` : ""}`,
});

export const sayPair: SayPair = (source, target, weight, marks) =>
  [`${source} to ${target}`, weight.toFixed(2), ...notes(marks)].join(", ");

export const sayWord: SayWord = (word, partners, note) => {
  const list = partners.map(({ word, weight, marks }) => [`${word} ${weight.toFixed(2)}`, ...notes(marks).filter((each) => each !== note)].join(" "));
  return `${word}: ${[list.join(", ") || "hardly anything", note ?? ""].filter((part) => part !== "").join(", ")}`;
};

export const saySum: SaySum = (word, sum) => `Sum of ${word}, ${sum.toFixed(2)}`;

function notes({ linked, faded, gold, changed, hidden }: Marks): string[] {
  return [linked ? "linked" : "", faded ? "faded" : "", gold ? `${gold} link` : "", changed ? "changed" : "", hidden ? "hidden" : ""]
    .filter((note) => note !== "");
}
