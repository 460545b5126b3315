/** A word of a text, with the space behind it, and whether the other text has it at this place too. */
export interface ComparedWord {
  text: string;
  shared: boolean;
}

/** Compares two texts word by word, by their longest common subsequence; case and punctuation at the ends do not count. */
export function compareWords(ours: string, theirs: string): ComparedWord[] {
  const split = (text: string) => text.match(/\S+\s*/g) ?? [];
  const core = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") || word.trim();
  const a = split(ours);
  const b = split(theirs).map(core);
  // longest[i][j]: common words of a from i on and b from j on.
  const longest = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; --i) {
    for (let j = b.length - 1; j >= 0; --j) {
      longest[i]![j] = core(a[i]!) === b[j]
        ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!);
    }
  }
  let j = 0;
  return a.map((text, i) => {
    while (j < b.length && core(text) !== b[j] && longest[i]![j + 1]! === longest[i]![j]!) ++j;
    const shared = j < b.length && core(text) === b[j] && longest[i + 1]![j + 1]! + 1 === longest[i]![j]!;
    if (shared) ++j;
    return { text, shared };
  });
}

/** How many tokens a translation begins with that another begins with, too. */
export function sharedStart(a: { targetTokens: readonly { text: string }[] }, b: typeof a): number {
  const end = b.targetTokens.findIndex(({ text }, index) => text !== a.targetTokens[index]?.text);
  return end < 0 ? b.targetTokens.length : end;
}

/** How many words are other words, new or gone. */
export function countDifferent(ours: string, theirs: string): number {
  const own = (a: string, b: string) => compareWords(a, b).filter(({ shared }) => !shared).length;
  return Math.max(own(ours, theirs), own(theirs, ours));
}
