// What the page and its worker say to each other. Plain data only.

import type { Explanation, Reading } from "softalign";

export type ModelId = "transformer" | "additive" | "dot" | "plain";
export type Level = "word" | "piece";

export interface Token {
  text: string;
  start: number;
  end: number;
}

/** A sentence of the text and what became of it. */
export interface Sentence extends Pick<Explanation, "translation" | "sourceTokens" | "targetTokens" | "attention"> {
  /** Where the sentence stands in the whole text. The tokens count from the sentence's own start. */
  start: number;
  end: number;
  /** White space and the like between this sentence and the one before, copied as it is. */
  before: string;
  /** What the model with attention makes of it, when another one was asked and that one is at hand. */
  withAttention: string | null;
}

export interface Translate {
  kind: "translate";
  id: number;
  text: string;
  model: ModelId;
  level: Level;
}

/** Asks how the reader looks back in a text. */
export interface Read {
  kind: "read";
  id: number;
  text: string;
}

/** Gives up the latest translation, and the download of its model if that is still going on. */
export interface Cancel {
  kind: "cancel";
}

export type Request = Translate | Read | Cancel;

/** What there is to download: a translator, or the reader. */
export type Loadable = ModelId | "reader";

/** `code` is a SoftalignErrorCode, or "worker" where the worker itself could not start or died. */
export interface Failure {
  code: string;
  message: string;
}

export type Reply =
  | { kind: "loading"; model: Loadable; fraction: number }
  /** The next sentences in order, `from` is the index of the first. `after` is the text behind the last, at the end. */
  | { kind: "sentences"; id: number; from: number; sentences: Sentence[] }
  | { kind: "done"; id: number; count: number; after: string }
  | { kind: "reading"; id: number; reading: Reading }
  | ({ kind: "failed"; id: number } & Failure);
