import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import type { Explanation } from "../explanation.js";
import type { Stretch } from "../split.js";
import { alignWords, apostrophe } from "./align.js";
import type { Item } from "./line.js";
import { around, holds, type Inline, type Part, type Passage } from "./passage.js";
import { place, project, type Span } from "./project.js";

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
  objects: { part: Part; spaceBefore: boolean; spaceAfter: boolean }[];
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
        const spaceBefore = !parts[i - 1]?.object && /\s/.test(all[part.start - 1] ?? "");
        const spaceAfter = !parts[i + 1]?.object && /\s/.test(all[part.end] ?? "");
        sentence.objects.push({ part, spaceBefore, spaceAfter });
        sentence.from = Math.min(sentence.from, part.start);
        sentence.to = Math.max(sentence.to, part.end);
      }
    }
    return sentence;
  }
}

const isBlank = (stretch: Stretch | undefined) => stretch && !stretch.translate && stretch.text.trim() === "";

const encloses = (inline: Inline, start: number, end: number) => inline.start <= start && inline.end >= end;

/** Whether an element has some of a sentence, and not all. */
function shares(inline: Inline | undefined, start: number, end: number): boolean {
  return inline !== undefined && inline.start < end && inline.end > start && !encloses(inline, start, end);
}

/** Translates one sentence; explains it by pieces. */
export interface SentenceTranslator {
  translate(sentence: string): Promise<string>;
  explain(sentence: string): Promise<Explanation>;
}

/** Whether a text is one to translate. Numbers, which fill many a table, are not: a model of words only spoils them. */
export const hasWords = (text: string) => /\p{L}/u.test(text);

/** A sentence in its translation, in order; undefined if nothing changes. */
export async function translateSentence(sentence: Sentence, passage: Passage, translator: SentenceTranslator): Promise<Item[] | undefined> {
  const { text, start, end, texts, objects } = sentence;
  const textOf = (part: Part) => passage.text.slice(Math.max(start, part.start), Math.min(end, part.end));
  if (!texts.some((part) => !part.inside?.verbatim && hasWords(textOf(part)))) return undefined;
  const isSame = (translation: string) => translation === text.replace(/ +/g, " ");
  const inside = texts[0]?.inside;
  if (objects.length === 0 && texts.every((part) => part.inside === inside)) {
    const translation = await translator.translate(text);
    return isSame(translation) ? undefined : [{ inside, content: translation }];
  }
  const explanation = await translator.explain(text);
  return isSame(explanation.translation) ? undefined : weave(sentence, passage.text, explanation);
}

/** What has no words in the translation: an object, or an element whose own were lost. */
interface Wordless extends Item {
  start: number;
  spaceBefore: boolean;
  spaceAfter: boolean;
}

/** Puts the markup of a sentence into its translation. */
function weave({ start, end, texts, objects }: Sentence, all: string, explanation: Explanation): Item[] {
  const { translation } = explanation;
  const words = alignWords(explanation, new Set(texts.flatMap((part) => [part.start - start, part.end - start])));
  const middles = words.source.map((word) => start + (word.start + word.end) / 2);
  /** The first word of the source that has its greater part after a character. */
  const wordAt = (character: number) => firstFrom(middles, character);

  let whole = texts[0]?.inside;
  while (whole && !encloses(whole, start, end)) whole = whole.parent;
  const inlines: Inline[] = [];
  const index = new Map<Inline | undefined, number>();
  for (const { inside } of texts) {
    const path: Inline[] = [];
    for (let inline = inside; inline && inline !== whole && !index.has(inline); inline = inline.parent) path.push(inline);
    for (const inline of path.reverse()) index.set(inline, inlines.push(inline) - 1);
  }
  const spans = inlines.map((inline): Span => ({
    from: wordAt(inline.start),
    to: wordAt(inline.end),
    parent: index.get(inline.parent) ?? -1,
    whole: inline.verbatim,
  }));
  const owned = project(words, spans);
  const innermost = words.target.map(() => whole);
  owned.forEach((own, i) => own.forEach((t) => (innermost[t] = inlines[i])));
  /** The innermost element around both words beside a gap: the one before `word` and this. */
  const aroundGap = (word: number) => (word === 0 || word === innermost.length ? whole : around(innermost[word - 1], innermost[word]));

  const isElided = (word: number) => apostrophe.test(translation.slice(0, words.target[word]?.start));

  const everywhere = { from: 0, to: words.sources, own: words.target.map((_, t) => t) };
  const placeOf = ({ inside, start: at, spaceBefore, spaceAfter }: Wordless) => {
    // With an element that lost its words goes what is in it.
    let [home, lost] = [inside, undefined as Inline | undefined];
    for (; index.has(home) && owned[index.get(home) as number]?.length === 0; home = home?.parent) lost = home;
    const i = index.get(home);
    const { from, to, own } = i === undefined ? everywhere : { ...(spans[i] as Span), own: owned[i] as number[] };
    const before = Math.min(Math.max(from, wordAt(lost ? lost.start : at)), to);
    let spot = place(words, { from, to, own, at: before, clings: !lost && !spaceBefore && spaceAfter });
    // Neither into an element that it is not in, nor between "l'" and "homme".
    const isWithin = (word: number) => !holds(aroundGap(word), home) || (isElided(word) && holds(home, innermost[word - 1]));
    while (isWithin(spot.word)) spot = { word: spot.word - 1, clings: false };
    return spot;
  };
  const clinging: Wordless[][] = [];
  const leading: Wordless[][] = [];
  const lost = inlines.filter((inline, i) => owned[i]?.length === 0 && all.slice(end, inline.end).trim() === "");
  for (const one of [
    ...lost.map((inside): Wordless => ({ inside, start: inside.start, spaceBefore: false, spaceAfter: false })),
    ...objects.map(({ part, ...spaces }): Wordless => ({ inside: part.inside, content: part.object as Tree.ChildNode, start: part.start, ...spaces })),
  ].sort((a, b) => a.start - b.start)) {
    const { word, clings } = placeOf(one);
    ((clings ? clinging : leading)[word] ??= []).push(one);
  }

  const items: Item[] = [];
  let at = 0;
  for (let t = 0; t <= words.targets; ++t) {
    const word = words.target[t];
    const gap = translation.slice(at, word?.start);
    const space = (inside: Inline | undefined) => items.push({ inside, content: " " });
    for (const one of clinging[t] ?? []) {
      if (one.spaceBefore) space(one.inside);
      items.push(one);
      if (one.spaceAfter && word && !/^\s/.test(gap)) space(one.inside);
    }
    items.push({ inside: aroundGap(t), content: gap });
    for (const one of leading[t] ?? []) {
      if (one.spaceBefore && t > 0 && !/\s$/.test(gap)) space(one.inside);
      items.push(one);
      if (one.spaceAfter && word) space(one.inside);
    }
    if (!word) break;
    items.push({ inside: innermost[t], content: translation.slice(word.start, word.end) });
    at = word.end;
  }
  return items;
}

/** The index of the first number that is not less than this; numbers rise. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
