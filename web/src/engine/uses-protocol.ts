// What the page of other uses and its worker say to each other. Plain data only.

import type { Classification, Guess, MaskedLook, Tagging } from "softalign";
import type { Failure } from "./protocol.ts";

export type Use = "tagger" | "sentiment" | "masked";

/** A sentence to tag, to judge, or with a stretch of it masked: `words` are all that may be masked, `masked` is one of them. */
export interface Asks {
  tagger: { text: string };
  sentiment: { text: string };
  masked: { text: string; words: { start: number; end: number }[]; masked: number };
}

/** What a model makes of a masked place. */
export interface Filling {
  /** The likeliest first. */
  guesses: Guess[];
  /** The word that stood there: how probable, and the how-maniest guess it is, from 0. Null if it is not among the first thousand. */
  original: { probability: number; rank: number } | null;
  /** What is left of the first guess's probability when a word is masked as well, for each word (1 for the masked one). */
  left: number[];
  /** Who looked at whom meanwhile, between the tokens, and which of these is the masked one. */
  look: MaskedLook;
  place: number;
}

export interface Answers {
  /** `labels` in the order of the probabilities. */
  tagger: Tagging & { labels: readonly string[] };
  sentiment: Classification;
  masked: Filling;
}

export type Ask = { [U in Use]: { kind: "ask"; use: U; id: number; ask: Asks[U] } }[Use];
export type UsesRequest = Ask | { kind: "cancel"; use: Use };

export type UsesReply =
  | { kind: "loading"; use: Use; fraction: number }
  | { [U in Use]: { kind: "answer"; use: U; id: number; answer: Answers[U] } }[Use]
  | ({ kind: "failed"; use: Use; id: number } & Failure);
