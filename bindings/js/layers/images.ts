import type { AttentionFlag } from "./attention.js";
import { Layer, type LayerOptions, load, type Output, type Tensor, type TensorLike, type Weights } from "./layer.js";

/** Sizes of a {@link PatchEmbedding}. All images have the same. */
export interface PatchEmbeddingOptions extends LayerOptions {
  /** C, 3 for colours. */
  channels: number;
  /** In pixels. */
  height: number;
  /** In pixels. */
  width: number;
  /** P, the width of a patch in pixels; divides the height and the width. */
  patch: number;
  /** D, the width of the vectors. */
  output: number;
}

/**
 * Images as sequences, the input of the vision transformer (Dosovitskiy et al. 2021, arXiv:2010.11929, equation 1):
 *
 *     z[0] = class_token + positions[0]
 *     z[n] = E patch[n] + bias + positions[n],  n = 1 .. N,  N = (height / P) (width / P)
 *
 * Weights: `patch.weight` E [D, C, P, P] and `patch.bias` [D], as a `torch.nn.Conv2d` of stride P has them;
 * `class_token` [D]; `positions` [1 + N, D].
 */
export class PatchEmbedding extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: PatchEmbeddingOptions, weights: Weights): Promise<PatchEmbedding> {
    return new PatchEmbedding(await load("PatchEmbedding", options, weights));
  }

  /** Images x [B, C, height, width] -> `output` z [1 + N, B, D], time-major; patches as one reads. */
  forward(x: Float32Array, shape: ArrayLike<number>): Output {
    return this.run({ x: { data: x, shape } });
  }
}

export interface ImageAttentionOutput extends Output {
  /** Images [B, O, height, width]. */
  output: Tensor;
  /** Only if asked for: [B, H, positions, slots]. */
  attention?: Tensor;
}

export interface SaganAttentionOptions extends LayerOptions {
  /** C, of the images. */
  channels: number;
  /** C', in which positions are compared: C / 8, at least 1, if left out. */
  reduced?: number | undefined;
}

/**
 * Self-attention of an image as a residual of a convolutional network: SAGAN (Zhang, Goodfellow, Metaxas & Odena 2019,
 * arXiv:1805.08318, equations 1 to 3). For positions i and j of one image:
 *
 *     beta[j] = softmax over i of  f(x[i]) . g(x[j])
 *     y[j]    = gamma v(sum_i beta[j,i] h(x[i])) + x[j]
 *
 * Weights: `f.weight`, `g.weight`, `h.weight` [C', C, 1, 1] and `v.weight` [C, C', 1, 1] of convolutions without bias, or
 * the same without the ones; `gamma` [1].
 */
export class SaganAttention extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: SaganAttentionOptions, weights: Weights): Promise<SaganAttention> {
    return new SaganAttention(await load("SaganAttention", options, weights));
  }

  /** Images x [B, C, height, width]. `attention` is beta [B, 1, N, N], N = height width, positions as one reads. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: AttentionFlag): ImageAttentionOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

export interface GaussianAttentionOptions extends LayerOptions {
  /** C, of the images. */
  input: number;
  /** O, of the results. */
  output: number;
  heads: number;
  /** A, of one head. */
  width: number;
  /** Rows and columns of zeros around the image, which are looked at, too. None if left out. */
  padding?: number | undefined;
}

/**
 * Attention of an image to positions alone, by which self-attention can be any convolution: the quadratic encoding of
 * Cordonnier, Loukas & Jaggi 2020 (arXiv:1911.03584, theorem 1 and equation 9). For a query at position q and a key at k,
 * delta = k - q in rows and columns:
 *
 *     a[h,q] = softmax over k of  -alpha[h] |delta - Delta[h]|^2
 *     y[q]   = W_O [sum_k a[1,q,k] W_V[1] x[k]; ...] + b_O
 *
 * Weights: `centres` Delta [H, 2], row then column; `sharpness` alpha [H]; `v_proj.weight` [H A, C]; `out_proj.weight`
 * [O, H A], `out_proj.bias` [O].
 */
export class GaussianAttention extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: GaussianAttentionOptions, weights: Weights): Promise<GaussianAttention> {
    return new GaussianAttention(await load("GaussianAttention", options, weights));
  }

  /**
   * The attention that is a convolution of stride 1: for all images, `forward` gives what PyTorch's
   * `conv2d(x, weight, bias, padding=(K - 1) / 2)` does. It has a head for each of the K K offsets, and each head gives
   * one position all of its weight.
   * @param weight [O, C, K, K], K odd.
   * @param bias [O], or none.
   * @throws {SoftalignError} `argument`, `shape`.
   */
  static async equalTo(weight: TensorLike, bias?: TensorLike): Promise<GaussianAttention> {
    return new GaussianAttention(await load("GaussianAttention.equalTo", { convolution: { weight, bias } }, {}));
  }

  /** Images x [B, C, height, width]. `attention` has a slot for each position of the padded image, as one reads. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: AttentionFlag): ImageAttentionOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}
