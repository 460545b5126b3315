import type { Token } from "./tokens.js";

// English contractions are two words in treebanks: "do" "n't", "it" "'s", "can" "not".
const contraction = /(?<=[\p{L}])(n['’]t|['’](?:s|re|ve|ll|d|m))$/iu;

/**
 * The words of an English text as the Universal Dependencies cut it, nearly: Unicode's words (a hyphen stands between
 * two), contractions in two, punctuation mark by mark.
 */
export function splitWords(text: string): Token[] {
  const words: Token[] = [];
  const add = (start: number, end: number) => words.push({ text: text.slice(start, end), start, end });
  for (const { segment, index } of new Intl.Segmenter("en", { granularity: "word" }).segment(text)) {
    if (segment.trim() === "") continue;
    const end = index + segment.length;
    const cut = /^cannot$/i.test(segment) ? 3 : segment.search(contraction);
    if (cut > 0) add(index, index + cut);
    add(index + Math.max(cut, 0), end);
  }
  return words;
}
