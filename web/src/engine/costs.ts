// What a layer costs in this browser: the median of several runs, after one that warms up.

import { Conv1d, type Layer, MultiHeadAttention, SimpleRnn } from "softalign";
import type { LayerKind } from "./how-protocol.ts";

export const kLengths = [32, 64, 128, 256, 512, 1024, 2048] as const;
export const kKernel = 3;
export const kRadius = 8;

/** Clocks of browsers tick in steps of up to 1 ms: a sample is as many runs as take this long, */
const kSample = 8;
/** and samples are taken until there are enough, or they took too long. */
const kSamples = 7;
const kFewest = 3;
const kPatience = 600;

export interface Costed {
  /** One pass over n random lists of numbers. */
  run(kind: LayerKind, n: number): void;
  dispose(): void;
}

export async function layersOf(width: number): Promise<Costed> {
  const random = (...shape: number[]) => ({
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => (Math.random() - 0.5) / Math.sqrt(width)), shape,
  });
  const attention = await MultiHeadAttention.create({ width, heads: 1 }, {
    in_proj_weight: random(3 * width, width), in_proj_bias: random(3 * width),
    "out_proj.weight": random(width, width), "out_proj.bias": random(width),
  });
  const recurrent = await SimpleRnn.create({ input: width, hidden: width }, {
    weight_ih_l0: random(width, width), weight_hh_l0: random(width, width), bias_ih_l0: random(width), bias_hh_l0: random(width),
  });
  const convolution = await Conv1d.create(
    { input: width, output: width, kernel: kKernel }, { weight: random(width, width, kKernel), bias: random(width) });
  const inputs = new Map(kLengths.map((n) => [n as number, random(n, 1, width)]));
  const forward: Record<LayerKind, (x: Float32Array, shape: number[]) => unknown> = {
    attention: (x, shape) => attention.forward(x, shape),
    recurrent: (x, shape) => recurrent.forward(x, shape),
    convolution: (x, shape) => convolution.forward(x, shape),
    window: (x, shape) => attention.forward(x, shape, { pattern: { window: kRadius } }),
  };
  return {
    run(kind, n) {
      const { data, shape } = inputs.get(n)!;
      forward[kind](data, shape);
    },
    dispose: () => ([attention, recurrent, convolution] as Layer[]).forEach((layer) => layer.dispose()),
  };
}

/**
 * Milliseconds of one run.
 * @param rest gives way to others between the samples; false ends the measurement, and there is no result.
 */
export async function measure(run: () => void, rest: () => Promise<boolean>): Promise<number | undefined> {
  const timed = (times: number) => {
    const from = performance.now();
    for (let i = 0; i < times; ++i) run();
    return performance.now() - from;
  };
  run();
  let times = 1;
  for (let spent = timed(times); spent < kSample; spent = timed(times)) times *= 2;
  const samples: number[] = [];
  const from = performance.now();
  while (samples.length < kSamples && (samples.length < kFewest || performance.now() - from < kPatience)) {
    if (!(await rest())) return undefined;
    samples.push(timed(times) / times);
  }
  return medianOf(samples);
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
