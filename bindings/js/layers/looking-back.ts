import type { AttentionFlag, Score } from "./attention.js";
import { Layer, type LayerOptions, load, type Output, type SequenceOptions, type Tensor, type TensorLike, type Weights } from "./layer.js";

/** Sizes of an {@link Lstmn}. */
export interface LookingBackOptions extends LayerOptions {
  /** I, the width of an input. */
  input: number;
  /** H, the width of a state. */
  hidden: number;
  /** From which end it reads. "forward" if left out. */
  direction?: "forward" | "backward" | undefined;
}

export interface LookingBackInputs extends SequenceOptions, AttentionFlag {}

export interface LookingBackOutput extends Output {
  /** The states [T, B, H]; 0 beyond a length. */
  output: Tensor;
  /** Only if asked for: how much each step looked at each step [B, T, T]; 0 beyond a length. */
  attention?: Tensor;
}

export interface AttentiveRnnOptions extends LookingBackOptions {
  /** Whether the context is read beside the last state or replaces it. "beside" if left out. */
  context?: "beside" | "replaces" | undefined;
  /** "additive" if left out. */
  score?: Score | undefined;
  /** A, the width in which scores are computed: H if left out, and always with the general score. */
  width?: number | undefined;
}

/**
 * A simple recurrent network with self-attention: a state looks at all states up to itself, and the next one reads what
 * it saw (after Cheng, Dong & Lapata 2016, arXiv:1601.06733).
 *
 *     h_t = tanh(W x_t + U h_{t-1} + C c_{t-1} + b)       "beside"
 *     h_t = tanh(W x_t + C c_{t-1} + b)                   "replaces"
 *     a_t = softmax over i <= t of score(W_Q h_t, W_K h_i)
 *     c_t = sum_{i <= t} a_t[i] h_i                       c_0 = h_0 = 0
 *
 * Weights: `weight_ih` W [H, I], `weight_hh` U [H, H] ("beside" only), `weight_ch` C [H, H], `bias` b [H];
 * `attention.query.weight` W_Q and `attention.key.weight` W_K [A, H] and, of the additive score, `attention.key.bias`
 * and `attention.score` [A]. The general score has `attention.key.weight` [H, H] alone.
 */
export class AttentiveRnn extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: AttentiveRnnOptions, weights: Weights): Promise<AttentiveRnn> {
    return new AttentiveRnn(await load("AttentiveRnn", options, weights));
  }

  /** Reads sequences x [T, B, I]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: LookingBackInputs): LookingBackOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/**
 * A long short-term memory-network: an LSTM that looks back at all it has read (Cheng, Dong & Lapata 2016,
 * arXiv:1601.06733, equations 4 to 9), with the gates of {@link Lstm}:
 *
 *     a_t  = softmax over i < t of  v . tanh(W_h h_i + W_x x_t + W_r h~_{t-1})
 *     h~_t = sum_i a_t[i] h_i      c~_t = sum_i a_t[i] c_i      both 0 at the first step
 *     c_t, h_t = LSTM(x_t, (h~_t, c~_t))
 *
 * Weights: `weight_ih` [4H, I], `weight_hh` [4H, H], `bias_ih`, `bias_hh` [4H]; `attention.key.weight` W_h and
 * `attention.reading.weight` W_r [H, H], `attention.input.weight` W_x [H, I], `attention.score` v [H].
 */
export class Lstmn extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: LookingBackOptions, weights: Weights): Promise<Lstmn> {
    return new Lstmn(await load("Lstmn", options, weights));
  }

  /** Reads sequences x [T, B, I]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: LookingBackInputs): LookingBackOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

export interface AttentionDecoderOptions extends LayerOptions {
  /** I, the width of an input. */
  input: number;
  /** H, the width of a state. */
  hidden: number;
  /** D, the width of what is looked at. */
  memory: number;
  /** The recurrent network inside: `torch.nn.RNNCell`, `GRUCell` or `LSTMCell`. "gru" if left out. */
  cell?: "rnn" | "gru" | "lstm" | undefined;
  /** "additive" if left out. */
  score?: Score | undefined;
  /** A, the width in which scores are computed; the general score has none. */
  width?: number | undefined;
}

export interface AttentionDecoderInputs extends SequenceOptions, AttentionFlag {
  /** What is looked at [S, B, D], an encoder's states say. */
  memory: TensorLike;
  /** How long each of the B memories is, 1 to S; all are S long if left out. */
  memoryLengths?: ArrayLike<number> | undefined;
  /** The state before the first step [B, H]; 0 if left out. */
  start?: TensorLike | undefined;
  /** Of an LSTM the cell before the first step [B, H], to be given with `start`. */
  startCell?: TensorLike | undefined;
}

export interface AttentionDecoderOutput extends Output {
  /** The states [T, B, H]; beyond a length the last one. */
  output: Tensor;
  /** What each step read of the memory [T, B, D]. */
  contexts: Tensor;
  /** Each sequence's last state [B, H], and of an LSTM its cell. */
  last: Tensor;
  lastCell?: Tensor;
  /** Only if asked for: how much each step looked at each place of the memory [B, T, S]. */
  attention?: Tensor;
}

/**
 * A recurrent network that looks at a memory before each step: the decoder of Bahdanau, Cho & Bengio 2015
 * (arXiv:1409.0473).
 *
 *     a_t = softmax over s of score(W_Q s_{t-1}, W_K m_s)      c_t = sum_s a_t[s] m_s
 *     s_t = cell([x_t; c_t], s_{t-1})
 *
 * Weights: the cell's `weight_ih` [gates H, I], `weight_hh`, `bias_ih` and `bias_hh`, for x; `context.weight`
 * [gates H, D], the columns of PyTorch's `weight_ih` for c; `attention.*` as in {@link AttentiveRnn}, with keys D wide.
 */
export class AttentionDecoder extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: AttentionDecoderOptions, weights: Weights): Promise<AttentionDecoder> {
    return new AttentionDecoder(await load("AttentionDecoder", options, weights));
  }

  /** Reads sequences x [T, B, I]; T S weights are computed for each. */
  forward(x: Float32Array, shape: ArrayLike<number>, options: AttentionDecoderInputs): AttentionDecoderOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}
