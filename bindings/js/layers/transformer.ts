import type { Attended, AttentionFlag, HeadOptions } from "./attention.js";
import { Layer, type LayerOptions, load, type SequenceOptions, type Tensor, type TensorLike, type Weights } from "./layer.js";

/** Sizes and choices of a transformer's layer. */
export interface TransformerLayerOptions extends LayerOptions {
  /** D. */
  width: number;
  /** H; divides D. */
  heads: number;
  /** F, the width of the hidden layer. */
  feedForward: number;
  /** "relu" if left out. */
  activation?: "relu" | "gelu" | undefined;
  /** Whether sublayers normalise what they read (Xiong et al. 2020) instead of their sum with it. Not if left out. */
  normFirst?: boolean | undefined;
  /** Relative positions in self-attention (Shaw et al. 2018), clipped at this distance; none if left out. */
  relative?: number | undefined;
}

/**
 * One layer of a transformer's encoder (Vaswani et al. 2017, arXiv:1706.03762), as `torch.nn.TransformerEncoderLayer`:
 *
 *     x = norm1(x + self_attn(x))           with normFirst:  x = x + self_attn(norm1 x)
 *     y = norm2(x + feed_forward(x))                         y = x + feed_forward(norm2 x)
 *     feed_forward(x) = linear2(activation(linear1 x))
 *
 * Weights: `self_attn.*`, those of a {@link MultiHeadAttention}; `linear1.weight` [F, D], `linear2.weight` [D, F],
 * `norm1.weight`, `norm2.weight` [D], each with its `.bias`.
 */
export class TransformerEncoderLayer extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: TransformerLayerOptions, weights: Weights): Promise<TransformerEncoderLayer> {
    return new TransformerEncoderLayer(await load("TransformerEncoderLayer", options, weights));
  }

  /** x [T, B, D] -> `output` [T, B, D] and `attention` [B, H, T, T]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options?: SequenceOptions & HeadOptions): Attended {
    return this.run({ ...options, x: { data: x, shape } });
  }
}

export interface DecoderLayerInputs extends SequenceOptions, AttentionFlag {
  /** The encoder's output [S, B, D]. `lengths` are its. */
  memory: TensorLike;
}

export interface DecoderLayerOutput extends Attended {
  /** The weights of the words on those before them [B, H, T, T], if asked for. */
  selfAttention?: Tensor;
}

/**
 * One layer of a transformer's decoder (Vaswani et al. 2017), as `torch.nn.TransformerDecoderLayer` with a causal mask:
 *
 *     x = norm1(x + self_attn(x))                     with normFirst, as in the encoder, norms stand inside
 *     x = norm2(x + multihead_attn(x, memory))
 *     y = norm3(x + feed_forward(x))
 *
 * Weights: `self_attn.*` and `multihead_attn.*`, those of a {@link MultiHeadAttention}; `linear1`, `linear2` and
 * `norm1` to `norm3` as in a {@link TransformerEncoderLayer}.
 */
export class TransformerDecoderLayer extends Layer {
  /** @throws {SoftalignError} `argument`, `shape` or `format`: see {@link Layer}. */
  static async create(options: TransformerLayerOptions, weights: Weights): Promise<TransformerDecoderLayer> {
    return new TransformerDecoderLayer(await load("TransformerDecoderLayer", options, weights));
  }

  /** x [T, B, D] -> `output` [T, B, D], `attention` to the memory [B, H, T, S] and `selfAttention` [B, H, T, T]. */
  forward(x: Float32Array, shape: ArrayLike<number>, options: DecoderLayerInputs): DecoderLayerOutput {
    return this.run({ ...options, x: { data: x, shape } });
  }
}
