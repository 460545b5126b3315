import { Layer, type LayerOptions, load, type Output, type SequenceOptions, type Tensor, type TensorLike, type Weights } from "./layer.js";

/**
 * How a query q is scored against a key k, both A wide.
 *
 * - `additive`: v . tanh(q + k), Bahdanau, Cho & Bengio 2015 (arXiv:1409.0473), A.1.2
 * - `dot`: q . k, Luong, Pham & Manning 2015 (arXiv:1508.04025), equation 8
 * - `scaled_dot`: q . k / sqrt(A), Vaswani et al. 2017 (arXiv:1706.03762), equation 1
 * - `general`: q . W k, Luong et al. 2015, equation 8
 */
export type Score = "additive" | "dot" | "scaled_dot" | "general";

/** How scores become weights: softmax, or their positive part over its sum. */
export type Normaliser = "softmax" | "relu";

/**
 * Which of the S keys the query at position t may look at. A query that sees none has weights 0.
 *
 * - `"dense"`: all; `"causal"`: s <= t
 * - `{ window: r }`: |s - t| <= r
 * - `{ edges }`: pairs [t, s], in one list or as [[t, s], ...]: a graph (Velickovic et al. 2018) or any sparse pattern
 * - `{ strided: n }`: itself, the n - 1 before it and every n-th before those (Sparse Transformer, Child et al. 2019)
 * - `{ globals: n, window: r }`: the first n look at all and are looked at by all, the others see a window
 *   (Longformer, Beltagy et al. 2020; BigBird, Zaheer et al. 2020)
 *
 * Only pairs that meet are computed: a window costs T (2r + 1), not T S.
 */
export type Pattern =
  | "dense"
  | "causal"
  | { window: number }
  | { edges: ArrayLike<number> | readonly (readonly [number, number])[] }
  | { strided: number }
  | { globals: number; window: number };

export interface AttentionFlag {
  /** Whether to return the weights, too. They are copied, or computed, only then. */
  attention?: boolean | undefined;
}

export interface HeadOptions extends AttentionFlag {
  /** "dense" if left out. */
  pattern?: Pattern | undefined;
  /** One factor a head, by which its result is multiplied: 0 switches a head off. */
  headMask?: ArrayLike<number> | undefined;
}

/** What attention gives. */
export interface Attended extends Output {
  /** The weights, if asked for, [B, H, T, S]; row t sums to 1 over what query t looks at. */
  attention?: Tensor;
}

/** Sizes and choices of an {@link Attention}. */
export interface AttentionOptions extends LayerOptions {
  /** Q, the width of a query. */
  query: number;
  /** K, the width of a key. */
  key: number;
  /** A, in which both meet. The general score has none. */
  width?: number | undefined;
  /** "additive" if left out. */
  score?: Score | undefined;
  /** "softmax" if left out. */
  normaliser?: Normaliser | undefined;
}

export interface AttentionInputs extends SequenceOptions, AttentionFlag {
  /** What is looked at [S, B, K]. `lengths` are its. */
  memory: TensorLike;
  /** What is averaged [S, B, V]; the memory itself if left out. */
  values?: TensorLike | undefined;
}

/**
 * Attention of a decoder's state q to a source sentence h (Bahdanau, Cho & Bengio 2015; Luong et al. 2015):
 *
 *     e[s] = score(W_Q q, W_K h[s] + bias)
 *     a = softmax(e)
 *     output = sum over s of a[s] * h[s]
 *
 * Weights: `query.weight` W_Q [A, Q] and `key.weight` W_K [A, K]; of the additive score also `key.bias` [A], which the
 * paper leaves out (`bias: false`), and `score` v [A]. The general score q . W h has `key.weight` W [Q, K] alone.
 */
export class Attention extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: AttentionOptions, weights: Weights): Promise<Attention> {
    return new Attention(await load("Attention", options, weights));
  }

  /** Queries x [B, Q], one for each sentence -> `output` [B, K] (or [B, V]) and `attention` [B, S]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options: AttentionInputs): Attended {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/** Sizes and choices of a {@link MultiHeadAttention}. */
export interface MultiHeadOptions extends LayerOptions {
  /** D. */
  width: number;
  /** H; divides D. A = D / H. */
  heads: number;
  /** M, the width of what is looked at, where it is not D. */
  memoryWidth?: number | undefined;
  /** "scaled_dot" if left out. */
  score?: Score | undefined;
  /** "softmax" if left out. */
  normaliser?: Normaliser | undefined;
  /** Relative positions (Shaw et al. 2018), clipped at this distance; none if left out. */
  relative?: number | undefined;
}

export interface MultiHeadInputs extends SequenceOptions, HeadOptions {
  /** What x looks at [S, B, M]; x itself if left out. `lengths` are its. */
  memory?: TensorLike | undefined;
  /** Whether to return what each head brings, too. */
  heads?: boolean | undefined;
}

export interface MultiHeadOutput extends Attended {
  /** c of every head side by side [T, B, D], if asked for. */
  heads?: Tensor;
}

/**
 * Attention with several heads (Vaswani et al. 2017, arXiv:1706.03762, 3.2.2), as `torch.nn.MultiheadAttention`, of a
 * sequence x to a memory m, or to itself:
 *
 *     q[t,h] = W_Q[h] x[t] + b_Q[h]     k[s,h] = W_K[h] m[s] + b_K[h]     v[s,h] = W_V[h] m[s] + b_V[h]
 *     e[h,t,s] = score(q[t,h], k[s,h]) + q[t,h] . r_K[clip(s - t)]
 *     a[h,t,:] = softmax of e[h,t,:] over the keys that the pattern lets query t look at
 *     c[t,h]   = sum over s of a[h,t,s] (v[s,h] + r_V[clip(s - t)])
 *     y[t]     = W_O [c[t,1]; ...; c[t,H]] + b_O
 *
 * The terms with r are those of relative positions (Shaw et al. 2018, arXiv:1803.02155), where asked for.
 *
 * Weights: `in_proj_weight` [3D, D], which is W_Q, W_K and W_V below each other, and `in_proj_bias` [3D], as PyTorch
 * has them; or `q_proj.weight` [D, D], `k_proj.weight` and `v_proj.weight` [D, M] (PyTorch: `q_proj_weight`, ...), and
 * their `.bias` [D]. `out_proj.weight` [D, D], `out_proj.bias` [D]. Where chosen: `score` [D] (additive) or [H, A, A]
 * (general), `relative.key` and `relative.value` [2 r + 1, A].
 */
export class MultiHeadAttention extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: MultiHeadOptions, weights: Weights): Promise<MultiHeadAttention> {
    return new MultiHeadAttention(await load("MultiHeadAttention", options, weights));
  }

  /** x [T, B, D] -> `output` [T, B, D] and `attention` [B, H, T, S]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: MultiHeadInputs): MultiHeadOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

/** Sizes of a {@link LinearAttention}. */
export interface LinearAttentionOptions extends LayerOptions {
  /** D. */
  width: number;
  /** H; divides D. A = D / H. */
  heads: number;
  /** Whether position t sees s <= t only. Not if left out. */
  causal?: boolean | undefined;
}

/** All that the past is to the steps after it; its size does not grow. */
export interface LinearAttentionState {
  /** sum over s of k[s] v[s]' of each head [B, H, A, A]. */
  sums: Tensor;
  /** sum over s of k[s] [B, H, A]. */
  keys: Tensor;
}

/**
 * Self-attention in linear time (Katharopoulos, Vyas, Pappas & Fleuret 2020, arXiv:2006.16236). For each head:
 *
 *     q[t] = phi(W_Q x[t] + b_Q),  k[t] = phi(W_K x[t] + b_K),  v[t] = W_V x[t] + b_V
 *     y[t] = sum over s of (q[t] . k[s]) v[s] / sum over s of q[t] . k[s],  phi(x) = elu(x) + 1
 *     output = W_O [y of head 1; ...; y of head H] + b_O
 *
 * Weights are named as those of {@link MultiHeadAttention}.
 */
export class LinearAttention extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: LinearAttentionOptions, weights: Weights): Promise<LinearAttention> {
    return new LinearAttention(await load("LinearAttention", options, weights));
  }

  /**
   * x [T, B, D] -> `output` [T, B, D]. The layer never computes weights; asked for them, it does what it avoids, and
   * `attention` [B, H, T, S] takes time and memory for each pair.
   */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: SequenceOptions & AttentionFlag): Attended {
    return this.run({ ...options, x: { data: x, shape } });
  }

  /** One step of a causal layer: x [B, D] -> `output` [B, D], as `forward` has it for that step, and the state after it. */
  step(x: Float32Array, shape: ArrayLike<number>, state?: LinearAttentionState): Output & LinearAttentionState {
    return this.run({ sums: state?.sums, keys: state?.keys, step: true, x: { data: x, shape } });
  }
}
