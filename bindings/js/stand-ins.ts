// Words that stand for what is no language in a sentence, while a model reads and translates it.

import type { SentenceRequest } from "./core.js";
import { mostTerms } from "./glossary.js";
import { keptIn, withoutKept } from "./kept-text.js";
import { isInCapitals } from "./letter-case.js";

/** Words that models know and leave as they are, for what may be somebody or something, somewhere, or a number. */
const words = {
  name: ["Tom", "Mary", "John", "Bob", "Mike", "Kate", "Linda", "Nancy", "Karen", "Peter", "Laura", "Robert"],
  place: ["Boston", "Chicago", "Madrid", "Toronto", "Sydney", "Osaka"],
  number: ["25", "48", "16", "74", "63", "84", "58", "37"],
};

function kindOf(kept: string): keyof typeof words {
  if (/^(?:\w+:\/\/|www\.)/.test(kept)) return "place";
  return /^%.*[diufgxX]$|^\W+(?:n|.*(?:count|num|total|amount|quantity).*)\W+$/i.test(kept) ? "number" : "name";
}

/** A stretch of a text and what takes its place. */
export interface Change {
  start: number;
  end: number;
  to: string;
}

/** A text after changes, which are in order, and those that undo them. */
export function exchange(text: string, changes: readonly Change[]): { text: string; back: Change[] } {
  const back: Change[] = [];
  let [result, done] = ["", 0];
  for (const { start, end, to } of changes) {
    result += text.slice(done, start);
    back.push({ start: result.length, end: result.length + to.length, to: text.slice(start, end) });
    result += to;
    done = end;
  }
  return { text: result + text.slice(done), back };
}

/** Where offsets of a text are after changes. In the middle of one they go to its end: of pieces of a word the first has it all. */
export function moved(offsets: Uint32Array, changes: readonly Change[]): Uint32Array {
  return offsets.map((offset) => {
    let after = offset;
    for (const { start, end, to } of changes) {
      if (offset <= start) break;
      after += to.length - (Math.min(offset, end) - start);
    }
    return after;
  });
}

const bytesIn = (text: string) => new TextEncoder().encode(text).length;

/** Which word stands for what, in a sentence and its translation. */
export class StandIns {
  readonly #wordFor = new Map<string, string>();
  readonly #keptFor = new Map<string, string>();

  /**
   * Words that occur in the texts stand for nothing, nor those of `said`, which the translation is to have. If there are not enough, the
   * model has to read the rest as it is.
   */
  constructor(texts: readonly string[], said: readonly string[] = []) {
    const taken = [...texts, ...said].join("\n").toLowerCase();
    for (const { text } of texts.flatMap(keptIn)) {
      if (this.#wordFor.has(text)) continue;
      const suited = [...words[kindOf(text)], ...Object.values(words).flat()];
      const word = suited.find((each) => !taken.includes(each.toLowerCase()) && !this.#keptFor.has(each.toLowerCase()));
      if (!word) break;
      this.#wordFor.set(text, word);
      this.#keptFor.set(word.toLowerCase(), text);
    }
  }

  /** How a text gets the words, in capitals if it is. */
  into(text: string): Change[] {
    const capitals = isInCapitals(withoutKept(text));
    return keptIn(text).flatMap(({ text: kept, start, end }) => {
      const word = this.#wordFor.get(kept);
      return word ? { start, end, to: capitals ? word.toUpperCase() : word } : [];
    });
  }

  /** How it loses them again. */
  outOf(text: string): Change[] {
    if (this.#keptFor.size === 0) return [];
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...this.#keptFor.keys()].join("|")})(?![\\p{L}\\p{N}])`, "giu");
    return Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
      return { start: index, end: index + word.length, to: this.#keptFor.get(word.toLowerCase()) as string };
    });
  }

  /** The terms of a sentence after its changes, and if asked for each of the words as one. */
  terms({ text, terms }: SentenceRequest, changes: readonly Change[], withWords: boolean): SentenceRequest["terms"] {
    // Terms count in bytes; the words have one for each letter.
    const inBytes = changes.map(({ start, end, to }) => ({ start: bytesIn(text.slice(0, start)), end: bytesIn(text.slice(0, end)), to }));
    const placed = (said: string, begin: number, end: number) => {
      const [first, last] = moved(Uint32Array.of(begin, end), inBytes);
      return { text: said, begin: first as number, end: last as number };
    };
    const others = terms.filter((term) => !inBytes.some(({ start, end }) => term.begin < end && start < term.end));
    const standing = changes.map((change) => this.#wordFor.get(text.slice(change.start, change.end)) as string);
    // A model takes no more terms than that; of the words, those beyond are likely said all the same.
    const room = withWords ? Math.max(0, mostTerms - others.length) : 0;
    return [
      ...others.map((term) => placed(term.text, term.begin, term.end)),
      ...inBytes.slice(0, room).map(({ start, end }, i) => placed(standing[i] as string, start, end)),
    ];
  }
}

/** A sentence as models read it. */
export function asRead(text: string): string {
  return exchange(text, new StandIns([text]).into(text)).text;
}
