import type { SentenceTrace } from "./core.js";
import { SoftalignError } from "./errors.js";
import { type Token, tokensOf } from "./tokens.js";

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

interface Block {
  row: number;
  column: number;
  rows: number;
  columns: number;
  trace: SentenceTrace;
}

/** Puts sentences together again: text as it stood, attention as blocks along the diagonal. */
export class ExplanationBuilder {
  readonly #source: string;
  readonly #special: boolean;
  readonly #sourceTokens: Token[] = [];
  readonly #targetTokens: Token[] = [];
  readonly #blocks: Block[] = [];
  #translation = "";

  /** @param special whether the end of each sentence is a token (of no characters) of its own. */
  constructor(source: string, special: boolean) {
    this.#source = source;
    this.#special = special;
  }

  /** Text that is the same on both sides. */
  copy(text: string): void {
    this.#translation += text;
  }

  /** A sentence whose source begins at `start` in the whole source. */
  add(trace: SentenceTrace, start: number): void {
    const row = this.#targetTokens.length;
    const column = this.#sourceTokens.length;
    const offset = this.#translation.length;
    this.#translation += trace.translation;
    this.#sourceTokens.push(...this.#tokens(this.#source, trace.sourceRanges, start));
    this.#targetTokens.push(...this.#tokens(this.#translation, trace.targetRanges, offset));
    const rows = this.#targetTokens.length - row;
    const columns = this.#sourceTokens.length - column;
    this.#blocks.push({ row, column, rows, columns, trace });
    const cells = this.#targetTokens.length * this.#sourceTokens.length;
    if (cells > maxCells) {
      throw new SoftalignError(
        "argument",
        `the text is too long to explain: its attention matrix has over ${maxCells} cells; explain it in parts`,
      );
    }
  }

  #tokens(text: string, ranges: Uint32Array, offset: number): Token[] {
    const tokens = tokensOf(text, ranges, offset);
    if (this.#special) {
      const end = offset + (ranges.at(-1) ?? 0);
      tokens.push({ text: "", start: end, end });
    }
    return tokens;
  }

  build(): Explanation {
    const width = this.#sourceTokens.length;
    const confidence = new Float32Array(this.#targetTokens.length);
    const withAttention = this.#blocks.every(({ trace }) => trace.attention !== null);
    const attention = withAttention ? new Float32Array(this.#targetTokens.length * width) : null;
    let logProbability = 0;
    let predictions = 0;
    for (const { row, column, rows, columns, trace } of this.#blocks) {
      const stride = trace.sourceRanges.length / 2 + 1;
      for (let r = 0; r < rows; ++r) {
        const weights = trace.attention?.subarray(r * stride, r * stride + columns);
        if (weights) attention?.set(weights, (row + r) * width + column);
      }
      confidence.set(trace.confidence.subarray(0, rows), row);
      logProbability += trace.logProbability;
      predictions += trace.predictions;
    }
    return {
      source: this.#source,
      translation: this.#translation,
      sourceTokens: this.#sourceTokens,
      targetTokens: this.#targetTokens,
      attention,
      confidence,
      score: predictions === 0 ? 0 : logProbability / predictions,
    };
  }
}
