import type { SentenceRequest } from "./core.js";
import { SoftalignError } from "./errors.js";

/** Terms and how they are translated: source terms as keys, of one or more words each. */
export type Glossary = Readonly<Record<string, string>> | ReadonlyMap<string, string>;

interface Term {
  text: string;
  translation: string;
}

/** A sentence has no more terms than that: the search looks at each in each step. */
export const mostTerms = 64;

const ready = new WeakMap<Glossary, { entries: readonly (readonly [string, string])[]; finder: TermFinder }>();

/**
 * A glossary made ready: which terms a sentence's translation has to contain.
 * @internal
 */
export class TermFinder {
  readonly #terms = new Map<string, Term>();
  readonly #pattern: RegExp | undefined;

  private constructor(entries: Iterable<readonly [string, string]>) {
    for (const [term, translation] of entries) {
      for (const [what, text] of [["a term", term], [`the translation of ${JSON.stringify(term)}`, translation]] as const) {
        if (typeof text !== "string" || !/[\p{L}\p{N}]/u.test(text)) {
          throw new SoftalignError("argument", `glossary: ${what} is ${JSON.stringify(text)}, expected a word`);
        }
      }
      this.#terms.set(fold(term), { text: spaced(term), translation: translation.trim() });
    }
    if (this.#terms.size === 0) return;
    // Of terms that begin at the same place the longest is meant: "white house" before "white".
    const terms = [...this.#terms.values()].sort((a, b) => b.text.length - a.text.length).map(asPattern);
    this.#pattern = new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])(?:${terms.join("|")})(?![\\p{L}\\p{M}\\p{N}])`, "giu");
  }

  /**
   * The finder of a glossary, which is made once: a large one takes its time.
   * @throws {SoftalignError} `argument` for a term or a translation without a letter or a digit.
   */
  static of(glossary: Glossary = {}): TermFinder {
    if (typeof glossary !== "object" || glossary === null) {
      throw new SoftalignError("argument", `glossary is ${String(glossary)}, expected an object or a Map of terms`);
    }
    const entries = isMap(glossary) ? [...glossary] : Object.entries(glossary);
    const known = ready.get(glossary);
    const isSame = known?.entries.length === entries.length && entries.every(([term, text], i) => known.entries[i]![0] === term && known.entries[i]![1] === text);
    if (isSame) return known!.finder;
    const finder = new TermFinder(entries);
    ready.set(glossary, { entries, finder });
    return finder;
  }

  /** The translations of the terms in a sentence, as often as the terms occur, up to {@link mostTerms}; whatever their case and white space. */
  in(sentence: string): SentenceRequest["terms"] {
    if (!this.#pattern) return [];
    return [...sentence.matchAll(this.#pattern)].slice(0, mostTerms).map(({ 0: found, index }) => {
      const begin = bytesIn(sentence.slice(0, index));
      return { text: this.#translationOf(found), begin, end: begin + bytesIn(found) };
    });
  }

  #translationOf(found: string): string {
    // Two spellings may be alike to a pattern and still not in small letters: the sign of "µm" and the Greek letter.
    const term = this.#terms.get(fold(found)) ?? [...this.#terms.values()].find((each) => new RegExp(`^(?:${asPattern(each)})$`, "iu").test(found));
    return term!.translation;
  }
}

function isMap(glossary: Glossary): glossary is ReadonlyMap<string, string> {
  return typeof (glossary as ReadonlyMap<string, string>)[Symbol.iterator] === "function";
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

const spaced = (text: string) => text.trim().replace(/\s+/g, " ");

const fold = (text: string) => spaced(text).normalize().toLowerCase();

/** Letters with marks may be written as one character or as two. */
function asPattern({ text }: Term): string {
  const forms = new Set([text, text.normalize("NFC"), text.normalize("NFD")]);
  return [...forms].map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replace(/ /g, "\\s+")).join("|");
}
