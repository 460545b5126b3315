// How much a word surprises: surprisal, in bits. Pure.

/** What has no probability that a float32 can hold surprises by this much at least. */
export const kMostBits = 149;

/** From this on a word is surprising: one chance in 32. */
export const kSurprising = 5;

export function bitsOf(probability: number): number {
  // Not -0 for what is certain.
  return probability > 0 ? Math.max(0, -Math.log2(probability)) + 0 : kMostBits;
}

/** The place of the largest of some numbers, the first of equals; -1 if there are none. */
export function placeOfMost(numbers: readonly number[]): number {
  return numbers.reduce((best, each, i) => (best < 0 || each > numbers[best]! ? i : best), -1);
}

/** The beginning of a text, with white space as translations have it. */
export function beginning(text: string, end: number): string {
  return text.slice(0, end).replace(/\s+/g, " ").trimStart();
}
