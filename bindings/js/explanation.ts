import type { SentenceTrace } from "./core.js";
import type { AttentionHead } from "./edits.js";
import { SoftalignError } from "./errors.js";
import { type Repetition, repetitionIn } from "./repetition.js";
import { numbered, type Token, tokensOf } from "./tokens.js";
import type { AlignOptions } from "./translator-options.js";

/** A translation with the reasons the model can give for it. Plain data: it may be posted to a worker. */
export interface Explanation {
  source: string;
  translation: string;
  sourceTokens: Token[];
  targetTokens: Token[];
  /**
   * How much each target token looked at each source token: `attention[t * sourceTokens.length + s]`.
   * `null` for a model without attention. Per piece each row sums to 1 together with the part that
   * went to the end of the source sentence, which is left out unless `special` asks for it. Per word,
   * the rows of a word's pieces are averaged and the columns are summed. Between tokens of different
   * sentences it is 0.
   */
  attention: Float32Array | null;
  /**
   * How probable the model found each target token, given all before it, 0..1. For a word, the
   * product over its pieces.
   */
  confidence: Float32Array;
  /** Mean log-probability of the predicted pieces, sentence ends included: 0 is certainty. */
  score: number;
  /** Where the translation says the same over and over: such a sentence is not to be trusted. Empty for nearly all. */
  repetitions: Repetition[];
  /**
   * If `heads` was asked for: what each head looked at, "cross" before "encoder" and "decoder", layer by layer. None of a model without
   * attention.
   */
  heads?: HeadWeights[];
}

/**
 * What one head looked at: `weights[row * columns + column]`, of the same tokens and merged to words as
 * {@link Explanation.attention} is. Rows and columns are target and source tokens of "cross", source tokens of "encoder", target tokens
 * of "decoder". A target token's row is that of the step in which it is predicted, while `attention` of a transformer
 * may show its step a word later, when it is read. The beginning of a sentence, which "decoder" looks at too, has the
 * column of its end, and is left out with it.
 */
export interface HeadWeights extends AttentionHead {
  rows: number;
  columns: number;
  weights: Float32Array;
}

/**
 * Hard links instead of weights: for each target token the source token that it looked at most, as a pair [source, target]
 * of indices; none for a target token that looked at nothing. Sorted by source, then target.
 */
export function strongestLinks(explanation: Pick<Explanation, "attention" | "sourceTokens" | "targetTokens">): [number, number][] {
  const { attention, sourceTokens, targetTokens } = explanation;
  const links: [number, number][] = [];
  for (let target = 0; attention && target < targetTokens.length; ++target) {
    const row = attention.subarray(target * sourceTokens.length, (target + 1) * sourceTokens.length);
    const most = row.reduce((a, b) => Math.max(a, b), 0);
    if (most > 0) links.push([row.indexOf(most), target]);
  }
  return links.sort(([a, s], [b, t]) => a - b || s - t);
}

/** Most cells an attention matrix may have (64 MB of floats). Text that needs more is translated, not explained. */
export const maxCells = 1 << 24;

/** The tokens of a sentence among those of the text. */
interface Extent {
  first: number;
  count: number;
}

interface Block {
  /** Where its translation begins in the whole translation. */
  offset: number;
  target: Extent;
  source: Extent;
  trace: SentenceTrace;
}

const tokensIn = (ranges: Uint32Array) => ranges.length / 2 + 1;

/**
 * Puts sentences together again: text as it stood, attention as blocks along the diagonal.
 * @internal
 */
export class ExplanationBuilder {
  readonly #source: string;
  readonly #special: boolean;
  readonly #heads: boolean;
  readonly #sourceTokens: Token[] = [];
  readonly #targetTokens: Token[] = [];
  readonly #blocks: Block[] = [];
  #translation = "";

  constructor(source: string, { special = false, heads = false }: Pick<AlignOptions, "special" | "heads">) {
    this.#source = source;
    this.#special = special;
    this.#heads = heads;
  }

  get sources(): number {
    return this.#sourceTokens.length;
  }
  get targets(): number {
    return this.#targetTokens.length;
  }

  /** Text that is the same on both sides. */
  copy(text: string): void {
    this.#translation += text;
  }

  /** A sentence whose source begins at `start` in the whole source. */
  add(trace: SentenceTrace, start: number): void {
    const target = { first: this.targets, count: 0 };
    const source = { first: this.sources, count: 0 };
    const offset = this.#translation.length;
    this.#translation += trace.translation;
    this.#sourceTokens.push(...this.#tokens(this.#source, trace.sourceRanges, start, trace.sourceIds));
    this.#targetTokens.push(...this.#tokens(this.#translation, trace.targetRanges, offset, trace.targetIds));
    target.count = this.targets - target.first;
    source.count = this.sources - source.first;
    this.#blocks.push({ offset, target, source, trace });
    const larger = Math.max(this.sources, this.targets);
    const cells = this.sources * this.targets + (this.#heads ? trace.heads.length * larger * larger : 0);
    if (cells > maxCells) {
      throw new SoftalignError(
        "argument",
        `the text is too long to explain: its attention matrix has over ${maxCells} cells; explain it in parts`,
      );
    }
  }

  #tokens(text: string, ranges: Uint32Array, offset: number, ids: Int32Array): Token[] {
    const tokens = tokensOf(text, ranges, offset, ids);
    if (this.#special) {
      const end = offset + (ranges.at(-1) ?? 0);
      tokens.push(numbered({ text: "", start: end, end }, ids.at(-1)));
    }
    return tokens;
  }

  build(): Explanation {
    const withAttention = this.#blocks.every(({ trace }) => trace.attention !== null);
    const confidence = new Float32Array(this.targets);
    let logProbability = 0;
    let predictions = 0;
    for (const { target, trace } of this.#blocks) {
      confidence.set(trace.confidence.subarray(0, target.count), target.first);
      logProbability += trace.logProbability;
      predictions += trace.predictions;
    }
    const explanation: Explanation = {
      source: this.#source,
      translation: this.#translation,
      sourceTokens: this.#sourceTokens,
      targetTokens: this.#targetTokens,
      attention: withAttention ? this.#together("target", "source", (trace) => trace.attention) : null,
      confidence,
      score: predictions === 0 ? 0 : logProbability / predictions,
      repetitions: this.#blocks.flatMap((block) => this.#repetition(block) ?? []),
    };
    if (this.#heads) {
      explanation.heads = (this.#blocks[0]?.trace.heads ?? []).map(({ kind, layer, head }, i) => {
        const rows = kind === "encoder" ? "source" : "target";
        const columns = kind === "decoder" ? "target" : "source";
        const weights = this.#together(rows, columns, ({ heads }) => heads[i]?.weights ?? null);
        return { kind, layer, head, rows: this[`${rows}s`], columns: this[`${columns}s`], weights };
      });
    }
    return explanation;
  }

  #repetition({ offset, source, trace }: Block): Repetition | null {
    const [first, last] = [this.#sourceTokens[source.first], this.#sourceTokens[source.first + source.count - 1]];
    const run = repetitionIn(trace.translation, this.#source.slice(first?.start, last?.end));
    return run && { ...run, start: offset + run.start, end: offset + run.end };
  }

  /** Weights of sentences as blocks along the diagonal. */
  #together(rows: "source" | "target", columns: "source" | "target", of: (trace: SentenceTrace) => Float32Array | null): Float32Array {
    const width = this[`${columns}s`];
    const all = new Float32Array(this[`${rows}s`] * width);
    for (const { trace, ...block } of this.#blocks) {
      const stride = tokensIn(trace[`${columns}Ranges`]);
      const { first, count } = block[columns];
      for (let r = 0; r < block[rows].count; ++r) {
        all.set(of(trace)?.subarray(r * stride, r * stride + count) ?? [], (block[rows].first + r) * width + first);
      }
    }
    return all;
  }
}
