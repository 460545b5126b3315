import type { DefaultTreeAdapterTypes as Tree } from "parse5";
import { splitSentences, wellFormed } from "../split.js";
import { isElement, isKept, isText, type Traits } from "./elements.js";

/** An element with words, in a line of text. */
export interface Inline {
  node: Tree.Element;
  /** The one around it, and how many are around it with itself. */
  parent: Inline | undefined;
  depth: number;
  /** Where in the text it is. */
  start: number;
  end: number;
  /** Its words stay as they are. */
  verbatim: boolean;
  /** Whether it has its place in the result already. */
  placed: boolean;
}

/** A piece of the text that is all in the same element, or an object: what has a place in the text but no words. */
export interface Part {
  start: number;
  end: number;
  inside: Inline | undefined;
  object?: Tree.ChildNode;
}

/** A line of text: what a block holds, or what stands between two blocks. */
export interface Passage {
  /** As the splitter is to see it: a line break ends a sentence, other white space is of one kind unless it is to stay. */
  text: string;
  /** As it came. Offsets are the same. */
  raw: string;
  /** In order; one goes on where the other ends. */
  parts: Part[];
  /** The elements in it whose attributes may be read. */
  elements: Tree.Element[];
  /** The elements in it that may have texts of their own. */
  others: Tree.Element[];
}

/** On which sides there is white space. */
export interface Spaces {
  before: boolean;
  after: boolean;
}

export const spacesAt = (text: string, { start, end }: { start: number; end: number }): Spaces => ({
  before: /\s/.test(text[start - 1] ?? ""),
  after: /\s/.test(text[end] ?? ""),
});

/** Whether an element has all of a stretch of the text. */
export const encloses = (inline: Inline, start: number, end: number) => inline.start <= start && inline.end >= end;

/** Whether one element is another or around it; all are in none. */
export function holds(outer: Inline | undefined, inner: Inline | undefined): boolean {
  while (inner && outer && inner.depth > outer.depth) inner = inner.parent;
  return !outer || outer === inner;
}

/** The innermost element around both. */
export function around(one: Inline | undefined, other: Inline | undefined): Inline | undefined {
  while (one !== other) {
    if ((one?.depth ?? 0) >= (other?.depth ?? 0)) one = one?.parent;
    else other = other?.parent;
  }
  return one;
}

/** What stays as it is and is longer than this, or has several sentences, is no name: the model is not shown it. */
const longestName = 60;

/** A line break in the middle of a sentence: no sentence ends before it, and what follows does not look like a beginning. */
const brokenSentence = /\n(?<=[^\s\p{Sentence_Terminal}:] *\n)(?= *\p{Ll})/gu;

/** Reads siblings of which none is a block. */
export function readPassage(
  nodes: readonly Tree.ChildNode[],
  traits: ReadonlyMap<Tree.Element, Traits>,
  language: string,
  preformatted: boolean,
): Passage {
  const [parts, elements, others]: [Part[], Tree.Element[], Tree.Element[]] = [[], [], []];
  // Pieces of the text, and of the same as it came.
  const [shown, raw]: [string[], string[]] = [[], []];
  let length = 0;
  // Where the last word ended, and the last with a letter.
  let [lastWord, lastLetter] = [0, 0];
  const add = (value: string, asShown = value) => {
    const start = length;
    raw.push(value);
    shown.push(asShown);
    length += value.length;
    if (/\S/.test(value)) lastWord = length;
    if (/\p{L}/u.test(value)) lastLetter = length;
    return { start, end: length };
  };
  const even = (value: string) => (preformatted ? value : value.replace(/[\t\n\f\r]/g, " "));

  let inside: Inline | undefined;
  const begin = (node: Tree.Element, verbatim: boolean) => {
    inside = { node, parent: inside, depth: (inside?.depth ?? 0) + 1, start: length, end: 0, verbatim, placed: false };
    return { part: parts.length, piece: raw.length };
  };
  /** Ends the element that began last. Without words it is an object, with all that is in it. */
  const end = ({ part, piece }: { part: number; piece: number }) => {
    const ended = inside as Inline;
    inside = ended.parent;
    ended.end = length;
    if (ended.node.tagName === "sup" && lastLetter <= ended.start) {
      // The mark of a note or an exponent stays with its word, whatever the model thinks of it.
      shown.length = raw.length = piece;
      length = ended.end = ended.start;
    } else if (lastWord > ended.start) {
      return;
    }
    parts.length = part;
    parts.push({ start: ended.start, end: ended.end, inside, object: ended.node });
  };

  const steps: (Tree.ChildNode | ReturnType<typeof begin>)[] = [...nodes].reverse();
  for (let step = steps.pop(); step; step = steps.pop()) {
    if ("piece" in step) {
      end(step);
      continue;
    }
    if (isText(step)) {
      if (step.value !== "") parts.push({ ...add(step.value, even(step.value)), inside });
      continue;
    }
    const own = isElement(step) ? traits.get(step) : undefined;
    if (!isElement(step) || !own || own.kind === "box" || own.kind === "closed") {
      parts.push({ ...add(""), inside, object: step });
      if (own?.kind === "box") others.push(step as Tree.Element);
      else if (own && !isKept(own)) elements.push(step as Tree.Element);
      continue;
    }
    const begun = begin(step, own.kind === "verbatim");
    if (own.kind === "verbatim") {
      others.push(step);
      const words = textOf(step);
      const sentences = words.length > longestName ? [] : [...splitSentences(words, language)].filter(({ translate }) => translate);
      if (words.length <= longestName && sentences.length <= 1) parts.push({ ...add(words, even(words)), inside });
      end(begun);
    } else {
      elements.push(step);
      steps.push(begun);
      for (let i = step.childNodes.length - 1; i >= 0; --i) steps.push(step.childNodes[i] as Tree.ChildNode);
      if (step.tagName === "br") add("\n");
    }
  }
  const text = wellFormed(shown.join(""));
  return { text: preformatted ? text : text.replace(brokenSentence, " "), raw: raw.join(""), parts, elements, others };
}

/** The text in an element, as a reader sees it. */
function textOf(element: Tree.Element): string {
  let text = "";
  const nodes: Tree.ChildNode[] = [element];
  for (let node = nodes.pop(); node; node = nodes.pop()) {
    if (isText(node)) text += node.value;
    else if (isElement(node)) {
      if (node.tagName === "br") text += "\n";
      for (let i = node.childNodes.length - 1; i >= 0; --i) nodes.push(node.childNodes[i] as Tree.ChildNode);
    }
  }
  return text;
}
