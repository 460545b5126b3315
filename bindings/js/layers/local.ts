import { Layer, type LayerOptions, load, type Output, type SequenceOptions, type Weights } from "./layer.js";

/** Sizes of a {@link Dense}. */
export interface DenseOptions extends LayerOptions {
  /** I. */
  input: number;
  /** O. */
  output: number;
}

/**
 * A fully connected layer, as `torch.nn.Linear`:
 *
 *     y = W x + b
 *
 * Weights: `weight` W [O, I], `bias` b [O].
 */
export class Dense extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: DenseOptions, weights: Weights): Promise<Dense> {
    return new Dense(await load("Dense", options, weights));
  }

  /** x [.., I] -> `output` [.., O]. */
  forward(x: Float32Array, shape: ArrayLike<number>): Output {
    return this.run({ x: { data: x, shape } });
  }
}

/** Sizes of a {@link LayerNorm}. */
export interface LayerNormOptions extends LayerOptions {
  /** D. */
  width: number;
}

/**
 * Layer normalisation (Ba, Kiros & Hinton 2016, arXiv:1607.06450), as `torch.nn.LayerNorm` over the last dimension:
 *
 *     y = (x - mean x) / sqrt(variance x + 1e-5) * weight + bias
 *
 * Weights: `weight` and `bias` [D].
 */
export class LayerNorm extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: LayerNormOptions, weights: Weights): Promise<LayerNorm> {
    return new LayerNorm(await load("LayerNorm", options, weights));
  }

  /** x [.., D] -> `output` [.., D]. */
  forward(x: Float32Array, shape: ArrayLike<number>): Output {
    return this.run({ x: { data: x, shape } });
  }
}

/** Sizes of a {@link Conv1d}. */
export interface Conv1dOptions extends LayerOptions {
  /** I. */
  input: number;
  /** O. */
  output: number;
  /** k, odd: the neighbours on both sides and the position itself. */
  kernel: number;
}

/**
 * Convolution over time (LeCun et al. 1989; in translation Gehring et al. 2017, arXiv:1705.03122), as `torch.nn.Conv1d`
 * with stride 1 and `padding = (k - 1) / 2`:
 *
 *     y[t] = sum over j of weight[:, :, j] x[t + j - (k - 1) / 2] + bias
 *
 * Weights: `weight` [O, I, k], `bias` [O]. What lies outside a sequence counts as 0.
 */
export class Conv1d extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: Conv1dOptions, weights: Weights): Promise<Conv1d> {
    return new Conv1d(await load("Conv1d", options, weights));
  }

  /** x [T, B, I], time-major unlike PyTorch's -> `output` [T, B, O]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: SequenceOptions): Output {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/** Sizes of a {@link Window}. */
export interface WindowOptions extends LayerOptions {
  /** I. */
  input: number;
  /** O. */
  output: number;
  /** r: how many neighbours on each side it sees. */
  radius: number;
}

/**
 * A fully connected layer over a window that slides along the sequence (Bengio et al. 2003, Collobert & Weston 2008):
 * what attention is compared with, since it sees r neighbours on each side and no further.
 *
 *     y[t] = tanh(W [x[t-r]; ...; x[t+r]] + b)
 *
 * Weights: `weight` W [O, (2r + 1) I], `bias` b [O]. What lies outside a sequence counts as 0.
 */
export class Window extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: WindowOptions, weights: Weights): Promise<Window> {
    return new Window(await load("Window", options, weights));
  }

  /** x [T, B, I] -> `output` [T, B, O]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: SequenceOptions): Output {
    return this.run({ ...options, x: { data: x, shape } });
  }
}
