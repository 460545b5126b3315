// Links that we made by hand for the examples: of a sentence and a translation as they stand here, and of no others. A translation
// that leaves words out leaves them without links.

import type { GoldLinks } from "../elements/alignment/data.ts";
import type { Sentence } from "../engine/protocol.ts";

interface Aligned {
  /** Words and marks, parted by spaces. */
  source: string;
  target: string;
  /** As "source-target", counted from 0. */
  sure: string;
  possible?: string;
}

const kAligned: readonly Aligned[] = [
  { source: "I'm hungry .", target: "J'ai faim .", sure: "0-0 1-1 2-2" },
  {
    source: "Where did you buy this book ?",
    target: "Où as-tu acheté ce livre ?",
    sure: "0-0 2-1 3-2 4-3 5-4 6-5",
    possible: "1-1 1-2",
  },
  {
    source: "I am cold , but I don't want to go home yet .",
    target: "J'ai froid , mais je ne veux pas encore rentrer chez moi .",
    sure: "0-0 1-0 2-1 3-2 4-3 5-4 6-5 6-7 7-6 11-8 9-9 10-10 10-11 12-12",
    possible: "8-9 10-9",
  },
  {
    source: "I am cold , but I don't want to go home yet .",
    target: "Je suis froid , mais je ne veux pas encore rentrer chez moi .",
    sure: "0-0 1-1 2-2 3-3 4-4 5-5 6-6 6-8 7-7 11-9 9-10 10-11 10-12 12-13",
    possible: "8-10 10-10",
  },
  {
    source: "I am cold , but I don't want to go home yet .",
    target: "Je suis froid , mais je ne veux pas encore aller chez moi .",
    sure: "0-0 1-1 2-2 3-3 4-4 5-5 6-6 6-8 7-7 11-9 9-10 10-11 10-12 12-13",
    possible: "8-10",
  },
  {
    source: "My sister bought a small red car and a white house near the sea .",
    target: "Ma sœur a acheté une petite voiture rouge et une maison blanche au bord de la mer .",
    sure: "0-0 1-1 2-2 2-3 3-4 4-5 5-7 6-6 7-8 8-9 9-11 10-10 11-13 12-15 13-16 14-17",
    possible: "11-12 11-14",
  },
  {
    source: "My sister bought a small red car and a white house near the sea .",
    target: "Ma sœur a acheté une petite voiture rouge et une maison blanche près de la mer .",
    sure: "0-0 1-1 2-2 2-3 3-4 4-5 5-7 6-6 7-8 8-9 9-11 10-10 11-12 11-13 12-14 13-15 14-16",
  },
  {
    source: "My sister bought a small red car and a white house near the sea .",
    target: "Ma sœur a acheté une petite voiture rouge et une maison blanche .",
    sure: "0-0 1-1 2-2 2-3 3-4 4-5 5-7 6-6 7-8 8-9 9-11 10-10 14-12",
  },
];

/** The links of a sentence, if its words and its translation's are just those that we aligned; pieces are not. */
export function goldOf({ sourceTokens, targetTokens }: Pick<Sentence, "sourceTokens" | "targetTokens">): GoldLinks | null {
  const line = (tokens: readonly { text: string }[]) => tokens.map(({ text }) => text).join(" ");
  const [source, target] = [line(sourceTokens), line(targetTokens)];
  const aligned = kAligned.find((each) => each.source === source && each.target === target);
  return aligned ? { sure: links(aligned.sure), possible: links(aligned.possible ?? "") } : null;
}

function links(text: string): [number, number][] {
  return Array.from(text.matchAll(/(\d+)-(\d+)/g), ([, source, target]) => [Number(target), Number(source)]);
}
