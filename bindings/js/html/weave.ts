import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import type { Explanation } from "../explanation.js";
import { type AlignedWords, alignWords, apostrophe } from "./align.js";
import type { Item } from "./line.js";
import { around, encloses, holds, type Inline, type Spaces, spacesAt } from "./passage.js";
import { place, type Place, project, type Span } from "./project.js";
import type { Sentence } from "./sentence.js";

/** Where the elements of a sentence go in its translation. */
interface Layout {
  words: AlignedWords;
  /** The innermost element around the whole sentence. */
  whole: Inline | undefined;
  /** The elements that have some of it, outer ones first, and where each stands in this list. */
  inlines: Inline[];
  index: Map<Inline | undefined, number>;
  /** The words of the source in each, and those of the translation. */
  spans: Span[];
  own: number[][];
  /** The innermost element around each word of the translation. */
  innermost: (Inline | undefined)[];
  /** The first word of the source that has its greater part after this character of the passage. */
  wordAt: (character: number) => number;
}

function layOut({ start, end, texts }: Sentence, explanation: Explanation): Layout {
  const words = alignWords(explanation, new Set(texts.flatMap((part) => [part.start - start, part.end - start])));
  const middles = words.source.map((word) => start + (word.start + word.end) / 2);
  const wordAt = (character: number) => firstFrom(middles, character);

  let whole = texts[0]?.inside;
  while (whole && !encloses(whole, start, end)) whole = whole.parent;
  const inlines: Inline[] = [];
  const index: Layout["index"] = new Map();
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
  const own = project(words, spans);
  const innermost = words.target.map(() => whole);
  own.forEach((targets, i) => {
    for (const t of targets) innermost[t] = inlines[i];
  });
  return { words, whole, inlines, index, spans, own, innermost, wordAt };
}

/** The innermost element around the gap before a word of the translation. */
function aroundGap({ innermost, whole }: Layout, word: number): Inline | undefined {
  return word === 0 || word === innermost.length ? whole : around(innermost[word - 1], innermost[word]);
}

/** What has no words in the translation: an object, or an element whose own were lost. */
interface Wordless extends Item {
  start: number;
  spaces: Spaces;
}

function placeOf({ inside, content, start, spaces }: Wordless, layout: Layout, translation: string): Place {
  const { words, index, spans, own, innermost, wordAt } = layout;
  // With an element that lost its words goes all that is in it.
  let [home, lost] = [inside, undefined as Inline | undefined];
  for (; index.has(home) && own[index.get(home) as number]?.length === 0; home = home?.parent) lost = home;
  const i = index.get(home);
  const { from, to } = spans[i ?? -1] ?? { from: 0, to: words.sources };
  const targets = own[i ?? -1] ?? words.target.map((_, t) => t);
  const at = Math.min(Math.max(from, wordAt(lost?.start ?? start)), to);
  const clings = content !== undefined && !lost && !spaces.before && spaces.after;
  let spot = place(words, { from, to, own: targets, at, clings });
  // Neither into an element that it is not in, nor between "l'" and "homme".
  const isElided = (word: number) =>
    apostrophe.test(translation.slice(0, words.target[word]?.start)) && holds(home, innermost[word - 1]);
  const isWithin = (word: number) => !holds(aroundGap(layout, word), home) || isElided(word);
  while (isWithin(spot.word)) spot = { word: spot.word - 1, clings: false };
  return spot;
}

/** Puts the markup of a sentence into its translation. */
export function weave(sentence: Sentence, passage: string, explanation: Explanation): Item[] {
  const { translation } = explanation;
  const layout = layOut(sentence, explanation);
  const { words, inlines, own, innermost } = layout;

  const isLost = (inline: Inline, i: number) => own[i]?.length === 0 && passage.slice(sentence.end, inline.end).trim() === "";
  const nowhere: Spaces = { before: false, after: false };
  const wordless: Wordless[] = [
    ...inlines.filter(isLost).map((inside) => {
      return { inside, start: inside.start, spaces: inside.verbatim ? spacesAt(passage, inside) : nowhere };
    }),
    ...sentence.objects.map(({ part, spaces }) => {
      return { inside: part.inside, start: part.start, spaces, content: part.object as Tree.ChildNode };
    }),
  ];
  const clinging: Wordless[][] = [];
  const leading: Wordless[][] = [];
  for (const one of wordless.sort((a, b) => a.start - b.start)) {
    const { word, clings } = placeOf(one, layout, translation);
    ((clings ? clinging : leading)[word] ??= []).push(one);
  }

  const items: Item[] = [];
  const space = ({ inside, content }: Wordless) => items.push({ inside: content ? inside : inside?.parent, content: " " });
  let at = 0;
  for (let t = 0; t <= words.targets; ++t) {
    const word = words.target[t];
    const gap = translation.slice(at, word?.start);
    for (const one of clinging[t] ?? []) {
      if (one.spaces.before) space(one);
      items.push(one);
      if (one.spaces.after && word && !/^\s/.test(gap)) space(one);
    }
    items.push({ inside: aroundGap(layout, t), content: gap });
    for (const one of leading[t] ?? []) {
      if (one.spaces.before && t > 0 && !/\s$/.test(gap)) space(one);
      items.push(one);
      if (one.spaces.after && word) space(one);
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
