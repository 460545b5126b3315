// What the files of models hold, as far as it can be told without the engine. Plain data only.

export interface TensorInfo {
  name: string;
  /** "F32", "I8", ... */
  type: string;
  shape: number[];
}

export type Contents =
  /** A safetensors file; `config` is that of a model of ours, null if it is none. */
  | { kind: "model"; tensors: TensorInfo[]; config: Record<string, unknown> | null }
  /** Marian's weights, and of the training's options those that are one value. */
  | { kind: "weights"; tensors: TensorInfo[]; options: Record<string, string> }
  | { kind: "vocabulary"; pieces: number; method: string }
  | { kind: "shortlist"; words: number; entries: number };

/** Why a file is of no use: too large, nothing in it, like no model, or like one but damaged. */
export type Fault = "large" | "empty" | "unknown" | "damaged";

export class FileFault extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** A file may have this many bytes, decompressed. */
export const kLargest = 256e6;

export const elementsOf = ({ shape }: TensorInfo) => shape.reduce((product, d) => product * d, 1);
