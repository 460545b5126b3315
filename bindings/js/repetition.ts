/**
 * A stretch of a translation in which the model says the same over and over, more often than the source does: it has lost its thread,
 * and may have gone on until the length that a translation may have.
 */
export interface Repetition {
  /** Where it stands in `translation`, in UTF-16 units. */
  start: number;
  end: number;
  /** How many times in a row the same is said. */
  times: number;
}

/** What is said over and over is rarely longer, in UTF-16 units. */
const longestPeriod = 60;

/**
 * Such a stretch is no accident: "non, non, non, non" may well be meant, "huit-huit-huit-huit-huit" hardly, and
 * "AAAAAAAA" not where it is most of what is said.
 */
function isTooMuch({ start, end, times }: Repetition, translation: string): boolean {
  if (times >= 3 && end - start >= 24) return true;
  return times >= 6 && end - start >= translation.length / 2 && /\p{L}/u.test(translation.slice(start, end));
}

/** Stretches that say the same again and again, each as often as it goes on. */
function* repeated(text: string): Generator<Repetition> {
  for (let period = 1; period <= Math.min(longestPeriod, text.length / 2); ++period) {
    for (let i = period, same = 0; i <= text.length; ++i) {
      if (i < text.length && text[i] === text[i - period]) {
        ++same;
      } else {
        if (same >= period) yield { start: i - same - period, end: i, times: Math.floor(same / period) + 1 };
        same = 0;
      }
    }
  }
}

/** The longest one in the translation of a sentence; `null` if nothing is said too often. */
export function repetitionIn(translation: string, source: string): Repetition | null {
  let longest: Repetition | null = null;
  for (const stretch of repeated(translation)) {
    const length = stretch.end - stretch.start;
    if (!isTooMuch(stretch, translation)) continue;
    if (!longest || length > longest.end - longest.start) longest = stretch;
  }
  if (!longest) return null;
  // Who writes "no, no, no, no, no, no!" wants that translated.
  let wanted = 1;
  for (const { start, end, times } of repeated(source)) if (end - start > 5) wanted = Math.max(wanted, times);
  return longest.times > 2 * wanted ? longest : null;
}
