// The layers whose costs are compared, with random weights.

import { Conv1d, type Layer, MultiHeadAttention, SimpleRnn } from "softalign";
import { kKernel, kLengths, kRadius, type LayerKind } from "./how-protocol.ts";

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
