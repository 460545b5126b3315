// What there is to say about the heads of a layer, from their weights alone. Pure.

import type { Tensor } from "softalign";

/** One head's weights [n, n], or the mean of all heads of its layer. */
export function weightsOf({ data, shape }: Tensor, head: number | null): Float32Array {
  const [heads, n] = [shape[0]!, shape[1]!];
  if (head !== null) return data.subarray(head * n * n, (head + 1) * n * n);
  const mean = new Float32Array(n * n);
  for (let h = 0; h < heads; ++h) for (let i = 0; i < n * n; ++i) mean[i]! += data[h * n * n + i]! / heads;
  return mean;
}

const kFar = 2;

/** To which neighbour (-2 .. 2, 0 itself) a head looks most, and with what share of its attention, over rows that have that neighbour. */
export function habitOf(weights: Float32Array, n: number): { offset: number; share: number } {
  let best = { offset: 0, share: 0 };
  for (let offset = -kFar; offset <= kFar; ++offset) {
    let sum = 0;
    let rows = 0;
    for (let t = Math.max(0, -offset); t < Math.min(n, n - offset); ++t, ++rows) sum += weights[t * n + t + offset]!;
    if (rows > 0 && sum / rows > best.share) best = { offset, share: sum / rows };
  }
  return best;
}

/** The head that is surest where to look: whose rows have the largest weights. */
export function surestHead(layers: readonly Tensor[]): { layer: number; head: number } {
  let best = { layer: 0, head: 0, peak: -1 };
  layers.forEach((tensor, layer) => {
    const [heads, n] = [tensor.shape[0]!, tensor.shape[1]!];
    for (let head = 0; head < heads; ++head) {
      const weights = weightsOf(tensor, head);
      let peak = 0;
      for (let t = 0; t < n; ++t) peak += Math.max(...weights.subarray(t * n, (t + 1) * n)) / n;
      if (peak > best.peak) best = { layer, head, peak };
    }
  });
  return { layer: best.layer, head: best.head };
}
