// Arithmetic of the page "How it works". Pure.

import { kKernel, kRadius, type LayerKind } from "../engine/how-protocol.ts";
import type { Tensor } from "softalign";
import { decimal, significant } from "../words/language.ts";

/** Cosines between row `at` of [rows, D] and each row. */
export function likeness({ data, shape }: Tensor, at: number): number[] {
  const [rows, width] = [shape[0]!, shape[1]!];
  const row = (index: number) => data.subarray(index * width, (index + 1) * width);
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const given = row(at);
  return Array.from({ length: rows }, (_, index) => {
    const other = row(index);
    return dot(given, other) / (Math.sqrt(dot(given, given) * dot(other, other)) || 1);
  });
}

/** As theory writes it: Vaswani et al. 2017, Table 1. */
export const theory: Record<LayerKind, { work: string; steps: string; path: string }> = {
  attention: { work: "n² d", steps: "1", path: "1" },
  recurrent: { work: "n d²", steps: "n", path: "n" },
  convolution: { work: "k n d²", steps: "1", path: "log n / log k" },
  window: { work: "r n d", steps: "1", path: "n / r" },
};

export function operations(kind: LayerKind, n: number, d: number): number {
  switch (kind) {
    case "attention": return n * n * d;
    case "recurrent": return n * d * d;
    case "convolution": return kKernel * n * d * d;
    case "window": return (2 * kRadius + 1) * n * d;
  }
}

/** By what the work grows when n doubles. */
export const growthInTheory = (kind: LayerKind) => (kind === "attention" ? 4 : 2);

/** Shorter sentences are all overhead. */
const kLongEnough = 256;

/** By what the time grew when n doubled: 2 to the slope of the straight line nearest to log time over log n. */
export function growthOf(points: readonly { n: number; time: number }[]): number | undefined {
  const long = points.filter(({ n }) => n >= kLongEnough).map(({ n, time }) => [Math.log2(n), Math.log2(time)] as const);
  if (long.length < 3) return undefined;
  const mean = (of: 0 | 1) => long.reduce((sum, point) => sum + point[of], 0) / long.length;
  const [mx, my] = [mean(0), mean(1)];
  const covariance = long.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return 2 ** (covariance / long.reduce((sum, [x]) => sum + (x - mx) ** 2, 0));
}

/** Three digits that count: "0.0421", "3.17", "128". */
export function milliseconds(time: number): string {
  return time >= 100 ? decimal(time, 0) : significant(time, 3);
}
