import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { SoftalignError } from "../errors.js";
import { splitSentences, type Stretch, trimmed } from "../split.js";
import { type Item, LineBuilder } from "./line.js";
import type { Part, Passage } from "./passage.js";
import { SentenceReader, type SentenceTranslator, translateSentence } from "./sentence.js";

/** The nodes of a passage in its translation. A sentence that comes out unchanged keeps its markup, white space and all. */
export async function translatePassage(
  passage: Passage,
  translator: SentenceTranslator,
  language: string,
): Promise<Tree.ChildNode[]> {
  const { raw, parts } = passage;
  const line = new LineBuilder();
  const moved = new Set<Part>();
  // How much of the source is done: parts, and characters.
  let [next, at] = [0, 0];
  const copy = (end: number) => {
    for (let part = parts[next]; part && part.start <= end; part = parts[++next]) {
      const content = part.object ?? raw.slice(Math.max(at, part.start), Math.min(part.end, end));
      if (!moved.has(part)) line.add({ inside: part.inside, content }, true);
      if (part.end > end) break;
    }
    at = end;
  };
  const replace = (end: number, items: readonly Item[]) => {
    for (const item of items) line.add(item);
    const isDone = (part: Part | undefined) => part && part.end <= end && (part.start < end || moved.has(part));
    while (isDone(parts[next])) ++next;
    at = end;
  };

  const stretches = [...splitSentences(passage.text, language)];
  const reader = new SentenceReader(passage);
  for (let i = 0; i < stretches.length; ++i) {
    const stretch = stretches[i] as Stretch;
    if (!stretch.translate) continue;
    const sentence = reader.read(stretches, i);
    try {
      const items = await translateSentence(sentence, passage, translator);
      if (!items) continue;
      for (const { part } of sentence.objects) moved.add(part);
      copy(sentence.from);
      replace(sentence.to, items);
    } catch (error) {
      const isTooLong = error instanceof SoftalignError && error.code === "argument" && stretch.text.length > longestSentence;
      if (!isTooLong) throw error;
      stretches.splice(i--, 1, ...halves(stretch));
    }
  }
  copy(raw.length);
  return line.finish();
}

/** `explain` takes every sentence that is no longer than this; what is longer may have too many pieces. */
const longestSentence = 200;

/** Cuts a sentence near its middle, between two words if there is a space. */
function halves({ text, start }: Stretch): Stretch[] {
  const middle = text.length >> 1;
  const space = text.lastIndexOf(" ", middle);
  const cut = space > 0 ? space : text.codePointAt(middle - 1) === text.charCodeAt(middle - 1) ? middle : middle + 1;
  return [...trimmed(text.slice(0, cut), start), ...trimmed(text.slice(cut), start + cut)];
}
