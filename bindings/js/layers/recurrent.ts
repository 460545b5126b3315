import { Layer, type LayerOptions, load, type Output, type SequenceOptions, type Tensor, type TensorLike, type Weights } from "./layer.js";

/** Sizes of a recurrent network. */
export interface RecurrentOptions extends LayerOptions {
  /** I, the width of an input. */
  input: number;
  /** H, the width of a state, of one direction. */
  hidden: number;
  /** How many networks stand above each other, each reading the states of the one below. 1 if left out. */
  layers?: number | undefined;
  /** Whether each layer also reads from the end (Schuster & Paliwal 1997). Not if left out. */
  bidirectional?: boolean | undefined;
}

export interface RecurrentInputs extends SequenceOptions {
  /** The states before the first step [layers * directions, B, H], as `last` of an earlier call; zeros if left out. */
  initial?: TensorLike | undefined;
}

export interface RecurrentOutput extends Output {
  /** The states of the topmost layer [T, B, H], or [T, B, 2H] with the backward ones behind; 0 beyond a length. */
  output: Tensor;
  /** Every layer's state after a sequence's own last element (backward: its first) [layers * directions, B, H]. */
  last: Tensor;
}

export interface CellInputs extends RecurrentInputs {
  /** The cells before the first step, as `lastCell` of an earlier call; zeros if left out. */
  initialCell?: TensorLike | undefined;
}

export interface CellOutput extends RecurrentOutput {
  /** The cells c that belong to `last`. */
  lastCell: Tensor;
}

/**
 * A simple recurrent network (Elman 1990), as `torch.nn.RNN`:
 *
 *     h' = tanh(W x + b + U h + b')
 *
 * Weights, of layer 0 and, with the suffix `_reverse`, of its other direction: `weight_ih_l0` W [H, I],
 * `weight_hh_l0` U [H, H], `bias_ih_l0` b and `bias_hh_l0` b' [H]. Layer 1 has `_l1`, reads H or 2H, and so on.
 */
export class SimpleRnn extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: RecurrentOptions, weights: Weights): Promise<SimpleRnn> {
    return new SimpleRnn(await load("SimpleRnn", options, weights));
  }

  /** Reads sequences x [T, B, I]. With T = 1 and `initial` it is one step. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: RecurrentInputs): RecurrentOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/**
 * A long short-term memory (Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000), as
 * `torch.nn.LSTM`:
 *
 *     i = sigmoid(W_i x + b_i + U_i h + b'_i)
 *     f = sigmoid(W_f x + b_f + U_f h + b'_f)
 *     g = tanh(W_g x + b_g + U_g h + b'_g)
 *     o = sigmoid(W_o x + b_o + U_o h + b'_o)
 *     c' = f * c + i * g
 *     h' = o * tanh(c')
 *
 * Weights are named as those of {@link SimpleRnn}, with the gates i, f, g, o below each other: `weight_ih_l0`
 * [4H, I], `weight_hh_l0` [4H, H], `bias_ih_l0` and `bias_hh_l0` [4H].
 */
export class Lstm extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: RecurrentOptions, weights: Weights): Promise<Lstm> {
    return new Lstm(await load("Lstm", options, weights));
  }

  /** Reads sequences x [T, B, I]. With T = 1, `initial` and `initialCell` it is one step. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: CellInputs): CellOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/**
 * A gated recurrent unit (Cho et al. 2014, arXiv:1406.1078), as `torch.nn.GRU`:
 *
 *     r = sigmoid(W_r x + b_r + U_r h + b'_r)
 *     z = sigmoid(W_z x + b_z + U_z h + b'_z)
 *     n = tanh(W_n x + b_n + r * (U_n h + b'_n))
 *     h' = (1 - z) * n + z * h              (Bahdanau et al. 2015 have z the other way round)
 *
 * Weights are named as those of {@link SimpleRnn}, with the gates r, z, n below each other: `weight_ih_l0`
 * [3H, I], `weight_hh_l0` [3H, H], `bias_ih_l0` and `bias_hh_l0` [3H].
 *
 * ```js
 * const weights = {
 *   weight_ih_l0: { data: new Float32Array(6 * 3).fill(0.1), shape: [6, 3] },
 *   weight_hh_l0: { data: new Float32Array(6 * 2).fill(0.1), shape: [6, 2] },
 * };
 * const gru = await Gru.create({ input: 3, hidden: 2, bias: false }, weights);
 * const { output, last } = gru.forward(new Float32Array(4 * 3).fill(1), [4, 1, 3]); // 4 steps of 1 sequence
 * console.log(output.shape, last.data); // [4, 1, 2] and 2 numbers
 * gru.dispose();
 * ```
 */
export class Gru extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: RecurrentOptions, weights: Weights): Promise<Gru> {
    return new Gru(await load("Gru", options, weights));
  }

  /** Reads sequences x [T, B, I]. With T = 1 and `initial` it is one step. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: RecurrentInputs): RecurrentOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/**
 * A simpler simple recurrent unit (Kim et al. 2019, "From Research to Production and Back", equations 1 to 3), whose
 * recurrence has no product with the state:
 *
 *     f = sigmoid(W_f x + b_f)
 *     c' = f * c + (1 - f) * W x
 *     h' = max(c', 0)
 *
 * PyTorch has none; weights are named after its way: `forget_weight_l0` W_f [H, I], `forget_bias_l0` b_f [H],
 * `candidate_weight_l0` W [H, I], and `_reverse` and `_l1` as in {@link SimpleRnn}.
 */
export class Ssru extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: RecurrentOptions, weights: Weights): Promise<Ssru> {
    return new Ssru(await load("Ssru", options, weights));
  }

  /** Reads sequences x [T, B, I]. With T = 1 and `initialCell` it is one step. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: CellInputs): CellOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}
