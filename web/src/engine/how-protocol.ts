// What the page "How it works" and its worker say to each other. Plain data only.

import type { Tensor } from "softalign";
import type { Failure } from "./protocol.ts";

export type PositionKind = "sinusoidal" | "learned" | "relative" | "recurrent" | "continuous";

/** Positions as a package's class gives them. */
export interface Positions {
  /** p[0], p[1], ... below each other, [positions, D]; of `continuous` also those between, `finer` for each whole one. */
  lists: Record<Exclude<PositionKind, "relative">, Tensor>;
  finer: number;
  /** Relative positions have no lists: who looks at whom if only the distance counts, [1, heads, n, n]. */
  relative: Tensor;
}

export const layerKinds = ["attention", "recurrent", "convolution", "window"] as const;
export type LayerKind = (typeof layerKinds)[number];

/** How many words the sentences have. */
export const kLengths = [32, 64, 128, 256, 512, 1024, 2048] as const;
/** How many words a convolution sees at once, */
export const kKernel = 3;
/** and how many restricted attention sees on each side. */
export const kRadius = 8;

export interface Measured {
  kind: LayerKind;
  n: number;
  /** Milliseconds, the median of several runs. */
  time: number;
}

export type HowRequest =
  | { kind: "positions" }
  /** All layers over all lengths, with lists of `width` numbers; ends an earlier measurement. */
  | { kind: "measure"; width: number }
  | { kind: "stop" };

export type HowReply =
  | { kind: "positions"; positions: Positions }
  | { kind: "measured"; width: number; measured: Measured }
  | { kind: "finished"; width: number }
  | ({ kind: "failed"; of: "positions" | "measure" } & Failure);
