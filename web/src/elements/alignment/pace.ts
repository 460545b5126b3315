// A translation is computed faster than anybody can see. What is shown of it appears at a pace that one can follow.

const kWord = 40;
const kWhole = 600;

/** Milliseconds from one word to the next. */
export function paceOf(words: number): number {
  return Math.min(kWord, kWhole / words);
}
