// What the page that aligns and its worker say to each other. Plain data only.

import type { Explanation } from "softalign";
import type { Network, TargetLanguage } from "./models.ts";
import type { Failure, Level } from "./protocol.ts";

/** Those that have attention, of which alignments are made. */
export type AlignModel = Exclude<Network, "plain">;

export interface Align {
  kind: "align";
  id: number;
  source: string;
  target: string;
  to: TargetLanguage;
  model: AlignModel;
  level: Level;
}

/** Gives up the latest request, and the download of its model if that is still going on. */
export interface Cancel {
  kind: "cancel";
}

export type AlignRequest = Align | Cancel;

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
