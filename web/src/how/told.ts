// What the walk through one step of a decoder is made of, whatever the language.

import type { StepsModel } from "../engine/steps/protocol.ts";

export const stations = ["read", "ask", "compare", "share", "gather", "go-on", "choose"] as const;
export type Station = (typeof stations)[number];

/** What all its words can depend on. */
export interface Told {
  model: StepsModel;
  /** What has been written before the step, "" at the first. */
  before: string;
  /** What the step writes, and the source word that is looked at closely. */
  word: string;
  source: string;
  /** Widths: of what the encoder gives, of the query, of what the word scores are made of. */
  memory: number;
  query: number;
  last: number;
  vocabulary: number;
  layer: number;
  head: number;
  heads: number;
  layers: number;
}
