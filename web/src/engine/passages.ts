// Cuts a text into the passages that are translated and shown one at a time. Put together again they are the text.

import { splitSentences } from "../../../bindings/js/split.ts";

export interface Passage {
  /** Text before it that is copied as it is. */
  before: string;
  text: string;
  start: number;
}

export interface Passages {
  list: Passage[];
  /** What follows the last passage. */
  after: string;
}

/** A grid of more than this could not be read, and its matrix grows with the square. */
export const kLongestPassage = 1000;

export function passagesOf(text: string, language: string): Passages {
  const list: Passage[] = [];
  let before = "";
  for (const stretch of splitSentences(text, language)) {
    if (!stretch.translate) {
      before += stretch.text;
      continue;
    }
    for (const [start, end] of cuts(stretch.text)) {
      list.push({ before, text: stretch.text.slice(start, end), start: stretch.start + start });
      before = "";
    }
  }
  return { list, after: before };
}

/** Between words if there is a space in the second half, else anywhere but inside a surrogate pair. */
function* cuts(text: string): Generator<[number, number]> {
  let start = 0;
  while (text.length - start > kLongestPassage) {
    let end = start + kLongestPassage;
    const space = text.lastIndexOf(" ", end);
    if (space > start + kLongestPassage / 2) end = space;
    else if (isLowSurrogate(text.charCodeAt(end))) --end;
    yield [start, end];
    start = end;
  }
  yield [start, text.length];
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
