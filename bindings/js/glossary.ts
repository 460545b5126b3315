import type { SentenceRequest } from "./core.js";
import { SoftalignError } from "./errors.js";

/** Terms and how they are translated: source terms as keys, of one or more words each. */
export type Glossary = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

/** A glossary made ready: which terms a sentence's translation has to contain. */
export class TermFinder {
  readonly #translations = new Map<string, string>();
  readonly #pattern: RegExp | undefined;

  /** @throws {SoftalignError} `argument` for a term or a translation without a letter or a digit. */
  constructor(glossary: Glossary = {}) {
    const entries: Iterable<readonly [string, string]> = isMap(glossary) ? glossary : Object.entries(glossary);
    for (const [term, translation] of entries) {
      for (const [what, text] of [["a term", term], [`the translation of ${JSON.stringify(term)}`, translation]] as const) {
        if (typeof text !== "string" || !/[\p{L}\p{N}]/u.test(text)) {
          throw new SoftalignError("argument", `glossary: ${what} is ${JSON.stringify(text)}, expected a word`);
        }
      }
      this.#translations.set(fold(term), translation.trim());
    }
    if (this.#translations.size === 0) return;
    // Of terms that begin at the same place the longest is meant: "white house" before "white".
    const terms = [...this.#translations.keys()].sort((a, b) => b.length - a.length).map(asPattern);
    this.#pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join("|")})(?![\\p{L}\\p{N}])`, "giu");
  }

  /** The translations of the terms in a sentence, as often as the terms occur; whatever their case and white space. */
  in(sentence: string): SentenceRequest["terms"] {
    if (!this.#pattern) return [];
    return [...sentence.matchAll(this.#pattern)].map(({ 0: found, index }) => {
      const begin = bytesIn(sentence.slice(0, index));
      return { text: this.#translations.get(fold(found)) as string, begin, end: begin + bytesIn(found) };
    });
  }
}

function isMap(glossary: Glossary): glossary is ReadonlyMap<string, string> {
  return typeof (glossary as ReadonlyMap<string, string>)[Symbol.iterator] === "function";
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

function fold(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

function asPattern(term: string): string {
  return term.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&").replace(/ /g, "\\s+");
}
