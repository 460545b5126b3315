// Text is translated sentence by sentence. Everything here keeps the text: what is cut, put together
// again, is what came in.

import { keptIn, withoutKept } from "./kept-text.js";

/** A stretch of text, and whether it goes through the model or is copied as it is. */
export interface Stretch {
  text: string;
  /** Where it begins in the whole text, in JavaScript string offsets. */
  start: number;
  translate: boolean;
}

// A full stop after these does not end a sentence, whatever Unicode's rules say.
const abbreviations: Record<string, RegExp> = {
  en: /(?:^|[\s("'“‘])(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|Mt|Gen|Col|Capt|Lt|Sgt|Rev|Hon|vs|[A-HJ-Z])\.\s+$/u,
};

/** Whether a text holds anything to translate: a letter, not of a placeholder or an address. Numbers alone a model only spoils. */
export function isTranslatable(text: string): boolean {
  return /\p{L}/u.test(withoutKept(text));
}

/** Whether there is anything to align in a text that is given with its translation: numbers are words there. */
export function isAlignable(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

// Intl.Segmenter's time grows with the square of the text's length (V8), so it sees this much at a time.
const windowLength = 4000;

/** Cuts text into sentences and what lies between them. A line break always ends a sentence. */
export function* splitSentences(text: string, language: string): Generator<Stretch> {
  const segmenter = new Intl.Segmenter(language, { granularity: "sentence" });
  let start = 0;
  for (const { 0: lineBreak, index } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    const end = index + lineBreak.length;
    yield* splitLine(text.slice(start, end), start, segmenter, abbreviations[language]);
    start = end;
  }
  yield* splitLine(text.slice(start), start, segmenter, abbreviations[language]);
}

function* splitLine(
  line: string,
  offset: number,
  segmenter: Intl.Segmenter,
  abbreviation: RegExp | undefined,
): Generator<Stretch> {
  let start = 0;
  const whole = keptIn(line);
  let passed = 0;
  // Sentences end in a line only after such a mark, and most short lines have none inside.
  let from = /\p{Sentence_Terminal}./u.test(line) ? 0 : line.length;
  while (from < line.length) {
    const window = line.slice(from, from + windowLength);
    let last = 0;
    for (const { index } of segmenter.segment(window)) {
      if (index === 0) continue;
      last = index;
      const end = from + index;
      // The longest abbreviation is shorter than this, the longest lower-case letter two units.
      if (abbreviation?.test(line.slice(Math.max(0, end - 16), end))) continue;
      if (/^\p{Ll}/u.test(line.slice(end, end + 2))) continue; // "Really?" she asked.
      while (whole[passed] && whole[passed]!.end <= end) ++passed; // ends rise
      if (whole[passed] && whole[passed]!.start < end) continue;
      yield* trimmed(line.slice(start, end), offset + start);
      start = end;
    }
    // The window's last sentence may go on beyond it: the next window begins there.
    from = from + windowLength >= line.length ? line.length : from + (last || windowLength);
  }
  yield* trimmed(line.slice(start), offset + start);
}

const icon = String.raw`\p{Extended_Pictographic}\p{So}\p{Emoji_Modifier}\p{Regional_Indicator}\u200d\ufe0e\ufe0f`;
/** White space, an icon, or the mark of a list item: "- ", "2) ". U+FFFD is no icon: it stands for what could not be read. */
const leading = new RegExp(String.raw`\s+|(?!\ufffd)[${icon}]|(?:[-–—•*]|\d{1,3}[.)])(?=\s)`, "uy");
const lastIcon = new RegExp(String.raw`(?!\ufffd)[${icon}]$`, "u");

function lengthBefore(text: string): number {
  let length = 0;
  for (leading.lastIndex = 0; leading.test(text); ) length = leading.lastIndex;
  return length;
}

function lengthUntilAfter(text: string): number {
  let length = text.trimEnd().length;
  for (;;) {
    const icon = lastIcon.exec(text.slice(Math.max(0, length - 2), length));
    if (!icon) return length;
    length = text.slice(0, length - icon[0].length).trimEnd().length;
  }
}

/** Splits off what stands around a sentence and belongs to no language; what holds no letter is copied whole. */
export function* trimmed(text: string, start: number): Generator<Stretch> {
  if (text === "") return;
  const before = isTranslatable(text) ? lengthBefore(text) : text.length;
  const after = Math.max(before, lengthUntilAfter(text));
  if (before > 0) yield { text: text.slice(0, before), start, translate: false };
  if (before < after) yield { text: text.slice(before, after), start: start + before, translate: true };
  if (after < text.length) yield { text: text.slice(after), start: start + after, translate: false };
}

/** A sentence of more pieces than this is cut further. */
export const maxPieces = 200;

/** Whether a text has at most `limit` pieces, where that is clear without the model, which would have to count them. */
export function hasFewPieces(text: string, limit: number): boolean {
  // Normalisation (NFKC) spells U+FDFA out in 18 characters, but leaves ASCII alone; a word's beginning may be one, too.
  return text.length * 18 <= limit || (text.length < limit && /^[\0-\x7f]*$/.test(text));
}

/**
 * Cuts a sentence that is too long for the model: after a clause if one ends in the second half of
 * what fits, else between words, else wherever a piece ends.
 * @param pieceStarts where each piece of a text begins.
 */
export async function* cutLong(
  sentence: Stretch,
  pieceStarts: (text: string) => Promise<ArrayLike<number>>,
): AsyncGenerator<Stretch, void> {
  let rest = sentence.text;
  let start = sentence.start;
  // How much is looked at to find the next cut. It follows what the last one needed, so that endless
  // text of any kind costs time in proportion to its length.
  let look = windowLength;
  while (!hasFewPieces(rest, maxPieces)) {
    const window = rest.slice(0, wholeCharacters(rest, look));
    const starts = await pieceStarts(window);
    const fits = starts.length <= maxPieces;
    if (fits && window.length === rest.length) break;
    if (fits && look < windowLength) {
      look = Math.min(2 * look, windowLength);
      continue;
    }
    const end = fits ? window.length : bestCut(window, starts);
    if (end === rest.length) break;
    yield* trimmed(rest.slice(0, end), start);
    rest = rest.slice(end);
    start += end;
    look = Math.min(4 * end, windowLength);
  }
  yield* trimmed(rest, start);
}

/** At most `length`, without half of a surrogate pair at the end. */
function wholeCharacters(text: string, length: number): number {
  if (text.length <= length) return text.length;
  return isLowSurrogate(text.charCodeAt(length)) ? length - 1 : length;
}

function bestCut(text: string, starts: ArrayLike<number>): number {
  let betweenWords = 0;
  let betweenPieces = 0;
  for (let piece = maxPieces; piece > maxPieces / 2; --piece) {
    const at = starts[piece] as number;
    if (at === 0 || isLowSurrogate(text.charCodeAt(at))) continue;
    betweenPieces ||= at;
    if (!/\s/.test(text[at] as string)) continue;
    if (/[,;:.!?…)\]»”]/.test(text[at - 1] as string)) return at;
    betweenWords ||= at;
  }
  return betweenWords || betweenPieces || text.length;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/** The same text with every lone surrogate, which UTF-8 cannot hold, replaced by U+FFFD. Offsets stay. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
