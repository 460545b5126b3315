// What the page of other uses says of what it found.

import type { Use } from "../engine/uses-protocol.ts";
import type { Failure } from "../engine/protocol.ts";
import { problemIn, wholePercents } from "../page/problems.ts";
import { percent } from "../words/language.ts";
import { words } from "../words/words.ts";

export const loadingText = (use: Use, fraction: number) => words.uses.loading(use, wholePercents(fraction));

export const problemOf = (failure: Failure) => problemIn(words.uses.problems, failure);

/** English, as the models are; the first one stands there at first. */
export const examples: Record<Use, readonly string[]> = {
  tagger: ["The old man reads the book.", "Time flies like an arrow.", "I can open the can you can not open."],
  sentiment: [
    "a gripping film with a wonderful cast", "it is long , dull and completely without charm .", "the actors are great , but the story is a mess .",
  ],
  masked: ["I drink a cup of coffee every day.", "The cat is sleeping on the sofa.", "She has lived in Paris for two years."],
};

const partOf = (label: string) => (words.uses.partsOfSpeech as Record<string, { name: string; about: string }>)[label];

export const nameOfLabel = (label: string) => partOf(label)?.name ?? label;

/** Nothing is sure altogether. */
export const sure = (probability: number) => words.uses.sure(probability >= 0.995 ? words.uses.almostSure : percent(probability));

export const tagMeaning = (label: string) => words.uses.meaning(nameOfLabel(label), partOf(label)?.about ?? "");

export const verdict = (label: string, probability: number) =>
  `${(words.uses.verdicts as Record<string, string>)[label] ?? label}, ${sure(probability)}`;

export const hiddenText = "?";

export function aboutOriginal(word: string, original: { probability: number; rank: number } | null): string {
  const { unlikely, first, later } = words.uses.original;
  if (!original) return unlikely(word);
  return original.rank === 0 ? first(word, original.probability) : later(word, original.rank, original.probability);
}

/** What a head does most, if it does anything most. */
export function habit({ offset, share }: { offset: number; share: number }): string {
  return share >= 0.4 ? words.uses.habit(words.uses.places[offset + 2]!, share) : words.uses.spread;
}
