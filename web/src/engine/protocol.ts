// What the page and its worker say to each other. Plain data only.

import type { AttentionHead, Explanation, HeadWeights, Reading, SearchNode } from "softalign";
import type { ModelId, TargetLanguage } from "./models.ts";

export type Level = "word" | "piece";

export interface Token {
  text: string;
  start: number;
  end: number;
}

/** A sentence of the text and what became of it. */
export interface Sentence extends Pick<Explanation, "translation" | "sourceTokens" | "targetTokens" | "attention" | "confidence" | "repetitions"> {
  /** Where the sentence stands in the whole text. The tokens count from the sentence's own start. */
  start: number;
  end: number;
  /** What it is translated to. */
  language: TargetLanguage;
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

/** Gives up the latest translation or reading, and the download of its model if that is still going on. */
export interface Cancel {
  kind: "cancel";
  what: "translate" | "read";
}

/** A target token made to look elsewhere: how much at each source token, in thousandths. */
export interface ChangedRow {
  target: number;
  weights: readonly number[];
}

/** What of a sentence's attention is changed. Tokens are those of the level asked for, counted in the sentence. */
export interface Changes {
  /** Source tokens that nothing looks at. */
  hidden: readonly number[];
  /** In the order of the sentence, each target at most once. */
  rows: readonly ChangedRow[];
  /** Heads that look at nothing. */
  off: readonly AttentionHead[];
  /** No attention: every target token looks at all source tokens alike. */
  uniform: boolean;
  /** What the translation begins with. */
  begin: string;
}

/** Asks what becomes of a sentence with changed attention. */
export interface WhatIf {
  kind: "what-if";
  id: number;
  sentence: string;
  model: ModelId;
  level: Level;
  changes: Changes;
  /** Whether to tell what every head looked at. */
  heads: boolean;
}

/** Asks for other words that might follow the beginning of a translation. */
export interface Offer {
  kind: "offer";
  id: number;
  sentence: string;
  model: ModelId;
  begin: string;
}

/** Asks what the search for the translation of a sentence followed. */
export interface Search {
  kind: "search";
  id: number;
  sentence: string;
  model: ModelId;
}

/** What became of a sentence. Changes that found no place in it are left out. */
export interface Changed extends Pick<Explanation, "translation" | "sourceTokens" | "targetTokens" | "attention" | "confidence" | "repetitions"> {
  changes: Changes;
  heads: HeadWeights[] | null;
}

export type Request = Translate | Read | WhatIf | Offer | Search | Cancel;

/** `code` is a SoftalignErrorCode, or "worker" where the worker itself could not start or died. */
export interface Failure {
  code: string;
  message: string;
}

export type Reply =
  | { kind: "loading"; model: ModelId | "reader"; fraction: number }
  /** The next sentences in order, `from` is the index of the first. `after` is the text behind the last, at the end. */
  | { kind: "sentences"; id: number; from: number; sentences: Sentence[] }
  | { kind: "done"; id: number; count: number; after: string }
  | { kind: "reading"; id: number; reading: Reading }
  | { kind: "changed"; id: number; changed: Changed }
  | { kind: "offers"; id: number; words: string[] }
  | { kind: "searched"; id: number; nodes: SearchNode[] }
  | ({ kind: "failed"; id: number } & Failure);
