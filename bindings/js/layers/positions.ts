import { Layer, type LayerOptions, load, type Output, type Tensor, type Weights } from "./layer.js";

/** Where in its sequence an element stands, as a vector added to it: attention by itself sees no order. */
export abstract class Positions extends Layer {
  /** x [T, B, D] -> `output` x[t] + p[t], [T, B, D]. */
  forward(x: Float32Array, shape: ArrayLike<number>): Output {
    return this.run({ x: { data: x, shape } });
  }

  /** p[0] .. p[steps - 1], [steps, D]. */
  positions(steps: number): Tensor {
    return this.run<Output>({ steps }).output;
  }
}

/**
 * Sinusoidal positions (Vaswani et al. 2017, arXiv:1706.03762, 3.5), without weights:
 *
 *     p[t, 2i]     = sin(t / 10000^(2i / D))
 *     p[t, 2i + 1] = cos(t / 10000^(2i / D))
 */
export class SinusoidalPositions extends Positions {
  /** `width` is D. @throws {SoftalignError} `argument`. */
  static async create(options: { width: number }): Promise<SinusoidalPositions> {
    return new SinusoidalPositions(await load("SinusoidalPositions", options, {}));
  }
}

/** Sizes of {@link LearnedPositions}. */
export interface LearnedPositionsOptions extends LayerOptions {
  /** N, how many positions there are. */
  positions: number;
  /** D. */
  width: number;
}

/**
 * Learned positions (Devlin et al. 2019, arXiv:1810.04805): p[t] = weight[t], as `torch.nn.Embedding`.
 *
 * Weight: `weight` [N, D]. Asking for position N or more is an `argument` error.
 */
export class LearnedPositions extends Positions {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: LearnedPositionsOptions, weights: Weights): Promise<LearnedPositions> {
    return new LearnedPositions(await load("LearnedPositions", options, weights));
  }
}

/** Sizes of {@link RecurrentPositions}. */
export interface RecurrentPositionsOptions extends LayerOptions {
  /** D. */
  width: number;
}

/**
 * Recurrent positions: a simple recurrent network (Elman 1990) that reads nothing and walks from one position to the
 * next, so that any number of positions shares its few weights:
 *
 *     p[0] = first
 *     p[t] = tanh(U p[t-1] + b)
 *
 * Weights: `first` [D], `weight` U [D, D], `bias` b [D].
 */
export class RecurrentPositions extends Positions {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: RecurrentPositionsOptions, weights: Weights): Promise<RecurrentPositions> {
    return new RecurrentPositions(await load("RecurrentPositions", options, weights));
  }
}

/** Sizes of {@link ContinuousPositions}. */
export interface ContinuousPositionsOptions extends LayerOptions {
  /** D. */
  width: number;
  /** F, the width of the hidden layer. */
  hidden: number;
  /** Steps of the solver for each whole position. */
  solverSteps: number;
}

/**
 * Continuous positions: FLOATER (Liu, Yu, Dhillon & Hsieh 2020, arXiv:2003.09229). Positions are points on a path
 * through time, the solution of a differential equation that is learned, so there are positions between positions:
 *
 *     p(t + d) = p(t) + integral from t to t + d of h(s, p(s)) ds,   p(0) = first
 *     h(s, p)  = out.weight tanh(hidden.weight p + s * time + hidden.bias) + out.bias
 *
 * The integral is computed by the classical Runge-Kutta method of order 4, in equal steps of at most 1 / solverSteps.
 *
 * Weights: `first` [D], `hidden.weight` [F, D], `hidden.bias` [F], `time` [F], `out.weight` [D, F], `out.bias` [D].
 */
export class ContinuousPositions extends Positions {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: ContinuousPositionsOptions, weights: Weights): Promise<ContinuousPositions> {
    return new ContinuousPositions(await load("ContinuousPositions", options, weights));
  }

  /** x [T, B, D] -> `output` x[t] + p(times[t]). `times` must not decrease, and are 0, 1, .. T - 1 if left out. */
  override forward(x: Float32Array, shape: ArrayLike<number>, options?: { times?: ArrayLike<number> | undefined }): Output {
    return this.run({ ...options, x: { data: x, shape } });
  }

  /** p(0) .. p(steps - 1), or p at each of the times. */
  override positions(steps: number | ArrayLike<number>): Tensor {
    return this.run<Output>(typeof steps === "number" ? { steps } : { steps: steps.length, times: steps }).output;
  }
}
