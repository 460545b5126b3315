import type { Tensor } from "softalign";

/**
 * How the engine rounds what it multiplies with a matrix of bytes (src/kernels): to 7 bits where the browser has relaxed SIMD, to
 * 14 elsewhere. Computed without, the numbers would be others from the third digit on.
 */
export type Rounding = "7 bits" | "14 bits";

/** The weights of a model by name, and the few operations that all our networks are made of, as the engine computes them. */
export class Weights {
  readonly #tensors: Readonly<Record<string, Tensor>>;
  readonly #rounding: Rounding;
  readonly #sums = new Map<string, Float32Array>();

  constructor(tensors: Readonly<Record<string, Tensor>>, rounding: Rounding) {
    this.#tensors = tensors;
    this.#rounding = rounding;
  }

  has(name: string): boolean {
    return name in this.#tensors;
  }

  get(name: string): Tensor {
    const tensor = this.#tensors[name];
    if (!tensor) throw new Error(`the model has no ${name}`);
    return tensor;
  }

  /** A row of a matrix as numbers: a word's embedding. */
  row(name: string, index: number): Float32Array {
    const { data, shape } = this.get(name);
    const width = shape[1]!;
    const scale = this.#scales(name)?.[index] ?? 1;
    return data.slice(index * width, (index + 1) * width).map((byte) => byte * scale);
  }

  /** W x + b, the bias only if there is one. `name` is that of the matrix without ".weight". */
  linear(name: string, x: Float32Array): Float32Array {
    return this.product(`${name}.weight`, x, this.#tensors[`${name}.bias`]?.data);
  }

  /** W x + b of a matrix by its whole name. */
  product(name: string, x: Float32Array, bias?: Float32Array): Float32Array {
    const { data, shape } = this.get(name);
    const [rows, width] = [shape[0]!, shape[1]!];
    if (x.length !== width) throw new Error(`${name} is ${width} wide, what it is multiplied with ${x.length}`);
    const scales = this.#scales(name);
    const { numbers, scale, least } = scales ? rounded(x, this.#rounding) : { numbers: x, scale: 1, least: 0 };
    const sums = least === 0 ? undefined : this.#rowSums(name);
    const y = new Float32Array(rows);
    for (let r = 0; r < rows; ++r) {
      let sum = 0;
      for (let i = 0, at = r * width; i < width; ++i, ++at) sum += numbers[i]! * data[at]!;
      y[r] = (scales?.[r] ?? 1) * (scale * sum + least * (sums?.[r] ?? 0)) + (bias?.[r] ?? 0);
    }
    return y;
  }

  /** (x - mean) / deviation * weight + bias. */
  norm(name: string, x: Float32Array): Float32Array {
    const weight = this.get(`${name}.weight`).data;
    const bias = this.get(`${name}.bias`).data;
    const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
    const variance = x.reduce((sum, value) => sum + (value - mean) ** 2, 0) / x.length;
    const factor = 1 / Math.sqrt(variance + 1e-5);
    return x.map((value, i) => (value - mean) * factor * weight[i]! + bias[i]!);
  }

  #scales(name: string): Float32Array | undefined {
    return this.#tensors[`${name}.scale`]?.data;
  }

  #rowSums(name: string): Float32Array {
    let sums = this.#sums.get(name);
    if (!sums) {
      const { data, shape } = this.get(name);
      const width = shape[1]!;
      sums = Float32Array.from({ length: shape[0]! }, (_, r) => data.subarray(r * width, (r + 1) * width).reduce((sum, x) => sum + x, 0));
      this.#sums.set(name, sums);
    }
    return sums;
  }
}

/** x ~ scale * numbers + least, with whole numbers. */
function rounded(x: Float32Array, rounding: Rounding): { numbers: Float32Array; scale: number; least: number } {
  const isCoarse = rounding === "7 bits";
  const least = isCoarse ? x.reduce((a, b) => Math.min(a, b)) : 0;
  const range = Math.fround(x.reduce((most, value) => Math.max(most, isCoarse ? value : Math.abs(value)), -Infinity) - least);
  const steps = isCoarse ? 127 : 8191;
  if (!(range >= 1e-30)) return { numbers: new Float32Array(x.length), scale: 0, least };
  const factor = Math.fround(steps / range);
  return { numbers: x.map((value) => toEven(Math.fround(Math.fround(value - least) * factor))), scale: Math.fround(range / steps), least };
}

/** To the nearest whole number; of two as near, to the even one. */
function toEven(x: number): number {
  const below = Math.floor(x);
  if (x - below !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
}

export const add = (a: Float32Array, b: Float32Array) => a.map((x, i) => x + b[i]!);

export const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; ++i) sum += a[i]! * b[i]!;
  return sum;
}

export function softmax(scores: Float32Array): Float32Array {
  const most = scores.reduce((a, b) => Math.max(a, b));
  const powers = scores.map((e) => Math.exp(e - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** sum over j of weights[j] * values[j]. */
export function weighted(weights: Float32Array, values: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(values[0]!.length);
  values.forEach((value, j) => value.forEach((x, i) => (sum[i]! += weights[j]! * x)));
  return sum;
}
