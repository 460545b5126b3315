// What the page of one's own models and its worker say to each other. Plain data only.

import type { Explanation } from "softalign";
import type { Fault } from "./model-files/contents.ts";
import type { FoundFile } from "./model-files/model-set.ts";
import type { Failure, Level } from "./protocol.ts";

/** One of our own, to see what the page does. */
export const kSample = "en-fr-additive.safetensors";

export type Looked = ({ isFine: true } & FoundFile) | { isFine: false; name: string; fault: Fault; message: string };

export interface Languages {
  source: string;
  target: string;
}

export type OwnModel = { file: File } | { weights: File; source: File; target?: File; shortlist?: File };

export interface Translated extends Pick<Explanation, "translation" | "sourceTokens" | "targetTokens" | "attention"> {
  text: string;
  level: Level;
}

export type YoursRequest =
  | { kind: "look"; id: number; files: File[] }
  | { kind: "sample"; id: number }
  /** The download of the sample is not wanted any more. */
  | { kind: "cancel"; id: number }
  | { kind: "open"; id: number; model: OwnModel; languages: Languages }
  | { kind: "translate"; id: number; text: string; level: Level };

export type YoursReply =
  | { kind: "looked"; id: number; files: Looked[] }
  | { kind: "loading"; id: number; fraction: number }
  | { kind: "opened"; id: number }
  | { kind: "translated"; id: number; translated: Translated }
  | ({ kind: "failed"; id: number } & Failure);
