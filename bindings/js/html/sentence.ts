import type { Explanation } from "../explanation.js";
import type { Stretch } from "../split.js";
import type { Item } from "./line.js";
import { encloses, type Inline, type Part, type Passage, type Spaces, spacesAt } from "./passage.js";
import { weave } from "./weave.js";

/** A sentence of a passage with its markup. */
export interface Sentence {
  text: string;
  start: number;
  end: number;
  /** The same with the objects beside it. */
  from: number;
  to: number;
  /** Its texts; the first may begin before it, the last go on after it. */
  texts: Part[];
  /** The objects that go where its words go: those in it, and those beside it in elements that some of its words are in. */
  objects: { part: Part; spaces: Spaces }[];
}

/** Reads the sentences of a passage, from the first to the last. */
export class SentenceReader {
  readonly #passage: Passage;
  #first = 0;

  constructor(passage: Passage) {
    this.#passage = passage;
  }

  /** The sentence that is one of the stretches of the passage. */
  read(stretches: readonly Stretch[], index: number): Sentence {
    const { text: all, parts } = this.#passage;
    const { text, start } = stretches[index] as Stretch;
    const end = start + text.length;
    // The white space beside it counts, too.
    let [before, after] = [index - 1, index + 1];
    while (isBlank(stretches[before])) --before;
    while (isBlank(stretches[after])) ++after;
    const first = stretches[before + 1]?.start ?? 0;
    const last = stretches[after]?.start ?? all.length;
    const next = stretches[after];
    const isNext = (inside: Inline | undefined) => next?.translate && shares(inside, next.start, next.start + next.text.length);

    const sentence: Sentence = { text, start, end, from: start, to: end, texts: [], objects: [] };
    while ((parts[this.#first] as Part).end < first) ++this.#first;
    for (let i = this.#first; i < parts.length && (parts[i] as Part).start <= last; ++i) {
      const part = parts[i] as Part;
      if (!part.object) {
        if (part.start < end && part.end > start) sentence.texts.push(part);
      } else if (
        (part.start > start && part.end < end) ||
        (shares(part.inside, start, end) && !(part.start >= end && isNext(part.inside)))
      ) {
        const spaces = spacesAt(all, part);
        if (parts[i - 1]?.object) spaces.before = false;
        if (parts[i + 1]?.object) spaces.after = false;
        sentence.objects.push({ part, spaces });
        sentence.from = Math.min(sentence.from, part.start);
        sentence.to = Math.max(sentence.to, part.end);
      }
    }
    return sentence;
  }
}

const isBlank = (stretch: Stretch | undefined) => stretch && !stretch.translate && stretch.text.trim() === "";

/** Whether an element has some of a sentence, and not all. */
function shares(inline: Inline | undefined, start: number, end: number): boolean {
  return inline !== undefined && inline.start < end && inline.end > start && !encloses(inline, start, end);
}

/** Translates one sentence; explains it by pieces. */
export interface SentenceTranslator {
  translate(sentence: string): Promise<string>;
  explain(sentence: string): Promise<Explanation>;
}

/** Whether a text is one to translate. Numbers, which fill many a table, are not. */
export const hasWords = (text: string) => /\p{L}/u.test(text);

/** A sentence in its translation, in order; undefined if nothing changes. */
export async function translateSentence(
  sentence: Sentence,
  passage: Passage,
  translator: SentenceTranslator,
): Promise<Item[] | undefined> {
  const { text, start, end, texts, objects } = sentence;
  const textOf = (part: Part) => passage.text.slice(Math.max(start, part.start), Math.min(end, part.end));
  if (!texts.some((part) => !part.inside?.verbatim && hasWords(textOf(part)))) return undefined;
  const collapse = (spaced: string) => spaced.replace(/ +/g, " ");
  const isSame = (translation: string) => collapse(translation) === collapse(text);
  const inside = texts[0]?.inside;
  if (objects.length === 0 && texts.every((part) => part.inside === inside)) {
    const translation = await translator.translate(text);
    return isSame(translation) ? undefined : [{ inside, content: translation }];
  }
  const explanation = await translator.explain(text);
  return isSame(explanation.translation) ? undefined : weave(sentence, passage.text, explanation);
}
