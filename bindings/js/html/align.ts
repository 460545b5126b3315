import type { Explanation } from "../explanation.js";
import type { Token } from "../tokens.js";
import type { Alignment } from "./project.js";

/** A word, by where it stands in its sentence and by its pieces: all from `first` up to but not including `last`. */
export interface Word {
  start: number;
  end: number;
  first: number;
  last: number;
}

export interface AlignedWords extends Alignment {
  source: Word[];
  target: Word[];
}

/** The words of a sentence and of its translation, explained by pieces. Words of the source are cut where elements end, too. */
export function alignWords(explanation: Explanation, ends: ReadonlySet<number>): AlignedWords {
  const source = wordsOf(explanation.sourceTokens, ends);
  const target = wordsOf(explanation.targetTokens);
  return { source, target, sources: source.length, targets: target.length, weights: weightsOf(explanation, source, target) };
}

export const apostrophe = /['’]$/;

// What keeps pieces together: letters with what stands between the letters of a word, and digits.
const letter = { first: /^[\p{L}\p{M}'’‐-]/u, last: /[\p{L}\p{M}'’‐-]$/u };
const digit = { first: /^\p{N}/u, last: /\p{N}$/u };

/**
 * Words as elements may cut them, smaller than those of `explain`: of letters or of digits, marks alone, and cut after an
 * apostrophe, because "l'" is not what "homme" is.
 */
export function wordsOf(pieces: readonly Token[], ends?: ReadonlySet<number>): Word[] {
  const words: Word[] = [];
  let before: Token | undefined; // the last piece, if there is no white space after it
  pieces.forEach((piece, i) => {
    const word = words.at(-1);
    const blank = piece.text.trim() === "";
    if (!blank) {
      const [left, right] = [before?.text ?? "", piece.text];
      const isAlike = [letter, digit].some(({ first, last }) => last.test(left) && first.test(right));
      const goesOn = before?.end === piece.start && isAlike && !apostrophe.test(left) && !ends?.has(piece.start);
      if (word && goesOn) Object.assign(word, { end: piece.end, last: i + 1 });
      else words.push({ start: piece.start, end: piece.end, first: i, last: i + 1 });
    }
    before = blank ? undefined : piece;
  });
  return words;
}

/** How fast trust in a link falls with how far it moves a word, as a part of the sentence: by e for 1 / this. */
const trustInPlace = 5;
/** The same where there is nothing else to go by. */
const placeAlone = 30;
/** How much more a link is to be trusted between two words that are the same: names, numbers, marks. */
const trustInSameness = 10;
/** How much a mark counts among words: an element is not cloned for a comma. */
const markWeight = 0.5;

/**
 * Attention between words: rows averaged, columns summed, and then weighed by what else speaks for a link, the sum of each
 * row being kept. Of a model without attention the place of a word is all that is known.
 */
function weightsOf(explanation: Explanation, source: readonly Word[], target: readonly Word[]): Float32Array {
  const { source: from, translation: to, attention, sourceTokens } = explanation;
  const weights = new Float32Array(target.length * source.length);
  const sourceTexts = source.map(({ start, end }) => from.slice(start, end).toLowerCase());
  const fall = attention ? trustInPlace : placeAlone;
  target.forEach((word, t) => {
    const text = to.slice(word.start, word.end).toLowerCase();
    const row = weights.subarray(t * source.length, (t + 1) * source.length);
    let [looked, weighed] = [0, 0];
    source.forEach(({ first, last }, s) => {
      let weight = attention ? 0 : 1 / source.length;
      for (let i = word.first; attention && i < word.last; ++i) {
        for (let j = first; j < last; ++j) weight += (attention[i * sourceTokens.length + j] as number) / (word.last - word.first);
      }
      const moved = Math.abs((t + 0.5) / target.length - (s + 0.5) / source.length);
      row[s] = weight * Math.exp(-fall * moved) * (text === sourceTexts[s] ? trustInSameness : 1);
      looked += weight;
      weighed += row[s] as number;
    });
    const isMark = !letter.first.test(text) && !digit.first.test(text);
    const scale = (looked / weighed) * (isMark ? markWeight : 1);
    if (weighed > 0) row.forEach((weight, s) => (row[s] = weight * scale));
  });
  return weights;
}
