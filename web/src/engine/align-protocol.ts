// What the page that aligns and its worker say to each other. Plain data only.

import type { Explanation } from "softalign";
import type { Failure, Level, ModelId } from "./protocol.ts";

/** Those that have attention, of which alignments are made. */
export type AlignModel = Exclude<ModelId, "plain">;

export interface Align {
  kind: "align";
  id: number;
  source: string;
  target: string;
  model: AlignModel;
  level: Level;
}

/** Two texts as a model sees them that would have had to write the second itself. */
export interface Alignment extends Pick<Explanation, "sourceTokens" | "targetTokens" | "attention"> {
  /** The surprise of each target token, -log2 of its probability. */
  bits: number[];
  /** The word that the model would have written where it was surprised most; null where it was not, or has no other. */
  expected: string | null;
}

export type AlignReply =
  | { kind: "loading"; model: AlignModel; fraction: number }
  | { kind: "aligned"; id: number; alignment: Alignment }
  | ({ kind: "failed"; id: number } & Failure);
