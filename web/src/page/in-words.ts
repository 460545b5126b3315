// What a marked place of a grid means, in words and small bars.

import { numberOf } from "../elements/alignment/ramp.ts";
import { decimal } from "../words/language.ts";
import type { Around } from "../words/words.ts";
import { compareWords } from "./difference.ts";

const kRanked = 4;

/** @param lang of the word, if that is not the page's. */
export function heading(before: string, word: string, after: string, lang = ""): HTMLElement {
  const element = document.createElement("h3");
  const strong = document.createElement("b");
  strong.textContent = word;
  if (lang) strong.lang = lang;
  element.append(before, strong, after);
  return element;
}

export const headingOf = ({ before, after }: Around, word: string, lang?: string) => heading(before, word, after, lang);

/** As it is written on a weight's colour. */
export const shortWeight = (weight: number) => numberOf(weight, { short: (value) => decimal(value, 2).replace(/^0(?=\.)/, "") });

export function paragraph(text: string): HTMLElement {
  return Object.assign(document.createElement("p"), { textContent: text });
}

/** A translation, its words that the other does not have marked. */
export function compared(ours: string, theirs: string, language: string): HTMLElement {
  const element = document.createElement("dd");
  element.lang = language;
  for (const { text, shared } of compareWords(ours, theirs)) {
    element.append(shared ? text : Object.assign(document.createElement("mark"), { textContent: text.trimEnd() }));
    if (!shared) element.append(text.slice(text.trimEnd().length));
  }
  return element;
}

export function term(text: string): HTMLElement {
  return Object.assign(document.createElement("dt"), { textContent: text });
}

export function ranking(weights: { text: string; weight: number }[], lang = ""): HTMLElement {
  const list = document.createElement("dl");
  list.className = "ranking";
  const best = [...weights].sort((a, b) => b.weight - a.weight).slice(0, kRanked);
  for (const { text, weight } of best) {
    const item = document.createElement("div");
    const meter = Object.assign(document.createElement("meter"), { value: weight, max: 1, ariaHidden: "true" });
    const bar = document.createElement("dd");
    bar.append(meter);
    bar.ariaHidden = "true";
    const name = term(text);
    if (lang) name.lang = lang;
    item.append(
      name, bar,
      Object.assign(document.createElement("dd"), { textContent: decimal(weight, 2), className: "number" }));
    list.append(item);
  }
  return list;
}
