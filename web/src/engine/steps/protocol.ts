// What the page and the worker that walks through a translation say to each other. Plain data only.

import type { Failure } from "../protocol.ts";

export const stepsModels = ["additive", "dot", "transformer"] as const;
export type StepsModel = (typeof stepsModels)[number];

/** A piece of a sentence: a word, a part of one, or (with no text) the sentence's end. */
export interface Piece {
  text: string;
  /** Whether a word begins with it. */
  begins: boolean;
}

/** What one attention does in one step. Of a transformer's all heads stand side by side, each `width` numbers wide. */
export interface Look {
  /** What the query is made of: the decoder's state before the word; in a transformer's layer, what stands there so far, normalised. */
  state: Float32Array;
  query: Float32Array;
  /** [heads][source]: the scores e, and the weights that softmax makes of them. */
  scores: Float32Array[];
  weights: Float32Array[];
  /** The weighted sums of the values, one a head. */
  context: Float32Array;
}

/** How a recurrent decoder goes on: state = (1 - keep) candidate + keep * the state before. */
export interface RecurrentNext {
  /** The word before, as numbers. */
  input: Float32Array;
  keep: Float32Array;
  candidate: Float32Array;
  state: Float32Array;
}

/** How a transformer's layer goes on: what all heads together bring is added to what stood there. */
export interface LayerNext {
  before: Float32Array;
  brings: Float32Array;
  after: Float32Array;
}

export interface Guess extends Piece {
  /** The score of the piece, and the share that softmax over all of the vocabulary makes of it. */
  score: number;
  probability: number;
}

export interface Step {
  /** By layer; a recurrent network has one. */
  looks: Look[];
  /** Likewise; of a recurrent network the first only. */
  next: RecurrentNext | LayerNext[];
  /** What the word scores are made of. */
  last: Float32Array;
  /** The likeliest first; the one that was written is among them. */
  guesses: Guess[];
  written: number;
}

/** A translation, computed anew piece by piece. */
export interface Walk {
  model: StepsModel;
  translation: string;
  source: Piece[];
  target: Piece[];
  /** What the encoder made of each source piece. */
  memory: Float32Array[];
  heads: number;
  /** By layer, for each source piece: all heads side by side. */
  keys: Float32Array[][];
  values: Float32Array[][];
  /** v of the additive score. */
  vector: Float32Array | null;
  /** The head that is shown as the alignment; `shifted` if it looks for the word before, not for the one to come. */
  aligning: { layer: number; head: number; shifted: boolean };
  steps: Step[];
  vocabulary: number;
  /** The largest difference between a weight or probability here and the engine's own. */
  apart: number;
  /** How many the text has; this is the first. */
  sentences: number;
}

export type StepsRequest = { kind: "walk"; id: number; model: StepsModel; text: string } | { kind: "cancel" };

export type StepsReply =
  | { kind: "loading"; model: StepsModel; fraction: number }
  | { kind: "walk"; id: number; walk: Walk }
  | ({ kind: "failed"; id: number } & Failure);
