import type { Handle, Result, SearchWishes, SentenceRequest, SentenceTrace, TranslatorCore } from "./core.js";
import { SoftalignError } from "./errors.js";
import type { OpenModel } from "./open-model.js";
import { isTranslatable } from "./split.js";

/** What a translator asks for its translations: one model, or two in a row. */
export type TranslatorModel = Pick<OpenModel<TranslatorCore>, "call" | "free" | "ended">;

/** What `call` promises of each method. */
export type TranslatorMethods = {
  [M in Exclude<keyof TranslatorCore, keyof Handle>]: (
    signal: AbortSignal | undefined,
    ...args: Parameters<TranslatorCore[M]>
  ) => Promise<ReturnType<TranslatorCore[M]> extends Result<infer T> ? T : never>;
};

/** Two models in a row, of which the second reads what the first writes, in the guise of one. */
export class Pivot implements TranslatorModel {
  readonly #first: TranslatorModel;
  readonly #second: TranslatorModel;
  readonly ended: AbortSignal;

  constructor(first: TranslatorModel, second: TranslatorModel) {
    this.#first = first;
    this.#second = second;
    this.ended = first.ended;
  }

  readonly #methods: TranslatorMethods = {
    sourceLanguage: (signal) => this.#first.call(signal, "sourceLanguage"),
    targetLanguage: (signal) => this.#second.call(signal, "targetLanguage"),
    pieceStarts: (signal, text) => this.#first.call(signal, "pieceStarts", text),

    translate: async (signal, sentences, beam, maxLengthFactor) => {
      const between = await this.#first.call(signal, "translate", sentences.map(toFirst), beam, maxLengthFactor);
      const requests = sentences.map((sentence, i) => toSecond(sentence, between[i] as string));
      const wanted = requests.filter(({ text }) => isTranslatable(text));
      const translations = wanted.length ? await this.#second.call(signal, "translate", wanted, beam, maxLengthFactor) : [];
      let next = 0;
      return requests.map(({ text }) => (isTranslatable(text) ? (translations[next++] as string) : text));
    },

    explain: async (signal, sentence, wishes) => {
      expectOne({ heads: wishes.heads, tree: wishes.tree });
      const first = await this.#explainFirst(signal, sentence, wishes);
      if (!isTranslatable(first.translation)) return [first];
      const traces = await this.#second.call(signal, "explain", toSecond(sentence, first.translation), wishes);
      return traces.map((second) => compose(first, second));
    },

    align: async (signal, source, target, words, heads) => {
      expectOne({ heads });
      const first = await this.#explainFirst(signal, { text: source, beginning: "", terms: [] }, { ...greedy, words });
      return compose(first, await this.#second.call(signal, "align", first.translation, target, words, false));
    },
  };

  // The methods' types say what `call` promises of each, which TypeScript does not see through the table.
  call: TranslatorModel["call"] = (signal, method, ...args) =>
    (this.#methods[method] as (signal: AbortSignal | undefined, ...args: unknown[]) => Promise<never>)(signal, ...args);

  free(reason: unknown): void {
    this.#first.free(reason);
    this.#second.free(reason);
  }

  async #explainFirst(signal: AbortSignal | undefined, sentence: SentenceRequest, wishes: SearchWishes): Promise<SentenceTrace> {
    const [first] = await this.#first.call(signal, "explain", toFirst(sentence), { ...wishes, count: 1 });
    return first!;
  }
}

const greedy: SearchWishes = { beam: 1, maxLengthFactor: 0, count: 1, words: false, heads: false, tree: false };

/** Terms and edits are of words that only one of the two models reads. */
function toFirst({ text, terms, edits }: SentenceRequest): SentenceRequest {
  if (terms.length > 0) throw notOfTwo("glossary");
  if (edits) throw notOfTwo("edits");
  return { text, beginning: "", terms: [] };
}

const toSecond = ({ beginning }: SentenceRequest, text: string): SentenceRequest => ({ text, beginning, terms: [] });

function expectOne(options: Record<string, boolean>): void {
  for (const [option, wanted] of Object.entries(options)) if (wanted) throw notOfTwo(option);
}

const notOfTwo = (option: string) =>
  new SoftalignError("argument", `${option} was asked of a translation by two models in a row, expected one model`);

/**
 * What the second looked at of what the first wrote, and through that of what the first read: the product of both attentions.
 * Words in between are where they overlap; each end belongs to the other.
 */
function compose(first: SentenceTrace, second: SentenceTrace): SentenceTrace {
  return {
    ...second,
    sourceRanges: first.sourceRanges,
    sourceIds: first.sourceIds,
    attention: first.attention && second.attention && through(first, second, first.attention, second.attention),
    logProbability: first.logProbability + second.logProbability,
    predictions: first.predictions + second.predictions,
  };
}

function through(first: SentenceTrace, second: SentenceTrace, early: Float32Array, late: Float32Array): Float32Array {
  const [sources, written, read, targets] = [first.sourceRanges, first.targetRanges, second.sourceRanges, second.targetRanges].map(
    (ranges) => ranges.length / 2 + 1,
  ) as [number, number, number, number];
  // How much of each word that the second read is of each that the first wrote.
  const shares = new Float32Array(read * written);
  for (let r = 0; r < read - 1; ++r) {
    const [from, to] = second.sourceRanges.subarray(2 * r);
    let nearest = 0;
    let total = 0;
    for (let w = 0; w < written - 1; ++w) {
      const [start, end] = first.targetRanges.subarray(2 * w);
      const overlap = Math.max(0, Math.min(to!, end!) - Math.max(from!, start!));
      total += shares[r * written + w] = overlap;
      if (start! <= from!) nearest = w;
    }
    if (total > 0) for (let w = 0; w < written; ++w) shares[r * written + w]! /= total;
    else shares[r * written + nearest] = 1;
  }
  shares[read * written - 1] = 1;
  return product(late, product(shares, early, written, sources), read, sources, targets);
}

/** [rows, inner] by [inner, columns]. */
function product(a: Float32Array, b: Float32Array, inner: number, columns: number, rows = a.length / inner): Float32Array {
  const c = new Float32Array(rows * columns);
  for (let r = 0; r < rows; ++r) {
    for (let i = 0; i < inner; ++i) {
      const weight = a[r * inner + i]!;
      if (weight === 0) continue;
      for (let k = 0; k < columns; ++k) c[r * columns + k]! += weight * b[i * columns + k]!;
    }
  }
  return c;
}
