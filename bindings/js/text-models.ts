import { checkFunction, checkLevel, checkOptions, checkText, checkWorkers, type Level } from "./arguments.js";
import type { ClassifierCore, CoreModule, Handle, LanguageModelCore, MaskedLanguageModelCore, TaggerCore } from "./core.js";
import type { OnProgress } from "./create-monitor.js";
import { SoftalignError } from "./errors.js";
import type { Tensor } from "./layers/layer.js";
import { knownModels, locateModel, type ModelKind, type ModelReference } from "./models.js";
import { OpenModel } from "./open-model.js";
import { wellFormed } from "./split.js";
import { type Token, tokensOf } from "./tokens.js";
import { splitWords } from "./words.js";

export interface LoadOptions {
  /** Aborts loading: `load` rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told the part of the model that has arrived, 0..1; 1 once it is there. */
  onProgress?: OnProgress | undefined;
  /** Whether the work is done in a worker, as `Translator.create` has it: in a page, unless this says `false`. */
  worker?: boolean | undefined;
}

export interface ReadOptions {
  /** "word" if left out. */
  level?: Level | undefined;
}

/**
 * What all models of one language share. A model is made by its `load(model)` and holds WASM memory until `dispose()`.
 * Results are plain data and fresh arrays. Where it works, and what becomes of it after a crash, is as of `Translator`.
 *
 * All reject with {@link SoftalignError}s: `argument` for a text of more than 2,000 pieces and the like, `destroyed` after
 * `dispose()`; `load` with `network` or `unavailable` if the model cannot be had and `format` if it is none.
 */
export abstract class TextModel<Core extends Handle = Handle> {
  /** @internal */
  protected readonly core: OpenModel<Core>;

  /** @hidden */
  protected constructor(core: object) {
    this.core = core as OpenModel<Core>;
  }

  /** Gives the model's memory back; what is pending rejects with `destroyed`. A second call does nothing. */
  dispose(): void {
    this.core.free(new SoftalignError("destroyed", "this model was disposed of"));
  }

  /** `using` calls it at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

async function open<Core extends Handle>(
  create: Exclude<keyof CoreModule & string, keyof Handle>,
  kind: ModelKind,
  model: ModelReference,
  options: LoadOptions,
): Promise<OpenModel<Core>> {
  const { onProgress } = checkOptions(options);
  checkFunction(onProgress, "onProgress");
  checkWorkers(options);
  const core = await OpenModel.open<Core>(create, locateModel(model, knownModels(kind)), options);
  try {
    onProgress?.(1);
  } catch (error) {
    core.free(error);
    throw error;
  }
  return core;
}

/** For those that give labels: which. */
async function labelsOf(core: OpenModel<TaggerCore> | OpenModel<ClassifierCore>, { signal }: LoadOptions): Promise<string[]> {
  try {
    return await (core as OpenModel<TaggerCore>).call(signal, "labels");
  } catch (error) {
    core.free(error);
    throw error;
  }
}

/** A text as a {@link LanguageModel} read it, from left to right. */
export interface Reading {
  tokens: Token[];
  /**
   * How much each token looked back at each token before it: `attention[t * tokens.length + s]`, 0 for s >= t. A row
   * and `beginning[t]`, what went to the beginning of the text, sum to 1 (per word: its pieces' rows are averaged,
   * columns are summed, and what a word's later pieces look back at its first ones stands at s = t). `null` for a
   * model that does not look back.
   */
  attention: Float32Array | null;
  beginning: Float32Array | null;
  /** How surprised the model was by each token, given all before it, in bits: -log2 of its probability. */
  surprise: Float32Array;
  /** Of the text as a whole, its end included, and by piece: 2 to the mean surprise. */
  perplexity: number;
}

/**
 * A language model: how probable is each word, given those before it?
 *
 * ```js
 * const model = await LanguageModel.load();           // an LSTMN
 * const { tokens, attention } = await model.read("The FBI is chasing a criminal on the run .");
 * ```
 *
 * The shipped one is a long short-term memory-network (Cheng, Dong & Lapata 2016, arXiv:1601.06733, eq. 4-9): an LSTM
 * that, at each word x_t, looks back at all words before, whose states h_i and memories c_i it keeps:
 *
 *     a_t = softmax over i < t of  v . tanh(W_h h_i + W_x x_t + W_r h~_{t-1})
 *     h~_t = sum_i a_t[i] h_i      c~_t = sum_i a_t[i] c_i      c_t, h_t = LSTM(x_t, (h~_t, c~_t))
 */
export class LanguageModel extends TextModel<LanguageModelCore> {
  /** Loads "en-lstmn", a model file by its address, or its bytes. */
  static async load(model: ModelReference = "en-lstmn", options: LoadOptions = {}): Promise<LanguageModel> {
    return new LanguageModel(await open("createLanguageModel", "language-model", model, options));
  }

  /** Reads a text as one sentence. */
  async read(text: string, options: ReadOptions = {}): Promise<Reading> {
    const given = wellFormed(checkText(text, "text"));
    const words = checkLevel(checkOptions(options).level) === "word";
    const trace = await this.core.call(undefined, "read", given, words);
    const tokens = tokensOf(given, trace.ranges);
    const n = tokens.length;
    const attention = trace.attention && new Float32Array(n * n);
    const beginning = trace.attention && new Float32Array(n);
    for (let t = 0; t < n; ++t) {
      const row = trace.attention?.subarray(t * (n + 1), (t + 1) * (n + 1));
      beginning?.set(row?.subarray(0, 1) ?? [], t);
      attention?.set(row?.subarray(1) ?? [], t * n);
    }
    const sum = trace.logProbability.reduce((a, b) => a + b, trace.end);
    return {
      tokens,
      attention,
      beginning,
      surprise: trace.logProbability.map((p) => -p / Math.LN2),
      perplexity: Math.exp(-sum / (trace.pieces + 1)),
    };
  }
}

/** A word with its label. */
export interface TaggedWord extends Token {
  /** The likeliest label, "NOUN" say. */
  label: string;
  probability: number;
}

export interface Tagging {
  words: TaggedWord[];
  /** Of each word the probability of each of {@link Tagger.labels}: `probabilities[w * labels.length + l]`. */
  probabilities: Float32Array;
  /** Of each encoder layer who looked at whom, [heads, words, words]; empty for an encoder without attention. */
  attention: Tensor[];
}

/**
 * A tagger: each word has a label. The shipped one knows the 17 universal parts of speech of English.
 *
 * ```js
 * const tagger = await Tagger.load();
 * (await tagger.tag("The old man the boat.")).words.map(({ text, label }) => `${text}/${label}`);
 * ```
 *
 * Its encoder is a transformer's (pre-norm, relative positions of Shaw et al. 2018) over word pieces; a word's label
 * is read at its last piece: softmax of W h + b.
 */
export class Tagger extends TextModel<TaggerCore> {
  /** What the labels are, in the order of the probabilities. */
  readonly labels: readonly string[];

  private constructor(core: OpenModel<TaggerCore>, labels: readonly string[]) {
    super(core);
    this.labels = labels;
  }

  /** Loads "en-tagger", a model file by its address, or its bytes. */
  static async load(model: ModelReference = "en-tagger", options: LoadOptions = {}): Promise<Tagger> {
    const core = await open("createTagger", "tagger", model, options);
    return new Tagger(core, await labelsOf(core, options));
  }

  /**
   * Tags a text, which is cut into words as treebanks do ("do", "n't"), or a list of words, whose offsets are then
   * those in the words joined by spaces.
   */
  async tag(text: string | readonly string[]): Promise<Tagging> {
    const tokens = typeof text === "string" ? splitWords(wellFormed(text)) : joined(text);
    const n = tokens.length;
    if (n === 0) return { words: [], probabilities: new Float32Array(), attention: [] };
    const words = tokens.map((token) => token.text);
    const { probability, attention } = await this.core.call(undefined, "tag", words);
    const width = this.labels.length;
    return {
      words: tokens.map((token, w) => ({ ...token, ...best(this.labels, probability.subarray(w * width, (w + 1) * width)) })),
      probabilities: probability,
      attention,
    };
  }
}

export interface Classification {
  /** The likeliest label, "positive" say. */
  label: string;
  probability: number;
  /** Of each label. */
  probabilities: Record<string, number>;
  tokens: Token[];
  /** How much each token decided: the weights of the pooling, which sum to 1. */
  weights: Float32Array;
  /** Of each encoder layer who looked at whom, [heads, tokens, tokens]; empty for an encoder without attention. */
  attention: Tensor[];
}

/**
 * A classifier: the whole text has a label. The shipped one says whether a sentence about a film is "positive" or
 * "negative", and which words decided.
 *
 * ```js
 * const classifier = await Classifier.load();
 * const { label, tokens, weights } = await classifier.classify("a gripping film with a wonderful cast");
 * ```
 *
 * The vectors h of its encoder are summed up by attention pooling (Yang et al. 2016, eq. 5-7):
 *
 *     a = softmax over t of  v . tanh(W h_t + b)      s = sum_t a[t] h_t      label: softmax of W_o s + b_o
 */
export class Classifier extends TextModel<ClassifierCore> {
  readonly labels: readonly string[];

  private constructor(core: OpenModel<ClassifierCore>, labels: readonly string[]) {
    super(core);
    this.labels = labels;
  }

  /** Loads "en-sentiment", a model file by its address, or its bytes. */
  static async load(model: ModelReference = "en-sentiment", options: LoadOptions = {}): Promise<Classifier> {
    const core = await open("createClassifier", "classifier", model, options);
    return new Classifier(core, await labelsOf(core, options));
  }

  async classify(text: string, options: ReadOptions = {}): Promise<Classification> {
    const given = wellFormed(checkText(text, "text"));
    const words = checkLevel(checkOptions(options).level) === "word";
    const { ranges, probability, weights, attention } = await this.core.call(undefined, "classify", given, words);
    return {
      ...best(this.labels, probability),
      probabilities: Object.fromEntries(this.labels.map((label, i) => [label, probability[i] as number])),
      tokens: tokensOf(given, ranges),
      weights,
      attention,
    };
  }
}

/** What may stand at a masked place: a piece, which is most often a word. */
export interface Guess {
  text: string;
  /** Whether a new word begins with it; otherwise it goes on with the word before. */
  beginsWord: boolean;
  probability: number;
}

/** A text with masked places, and who looked at whom in it. */
export interface MaskedLook {
  tokens: Token[];
  /** Of each encoder layer, [heads, tokens, tokens]; empty for an encoder without attention. */
  attention: Tensor[];
}

/**
 * A masked language model (Devlin et al. 2019, arXiv:1810.04805): which word is missing?
 *
 * ```js
 * const model = await MaskedLanguageModel.load();
 * const [guesses] = await model.fill("I drink a cup of [MASK] every morning.");
 * ```
 *
 * Its encoder is the tagger's; pieces are scored with its embedding: E norm(gelu(W h + b)) + b_o.
 */
export class MaskedLanguageModel extends TextModel<MaskedLanguageModelCore> {
  /** Loads "en-masked", a model file by its address, or its bytes. */
  static async load(model: ModelReference = "en-masked", options: LoadOptions = {}): Promise<MaskedLanguageModel> {
    return new MaskedLanguageModel(await open("createMaskedLanguageModel", "masked-language-model", model, options));
  }

  /** Who looks at whom while the model guesses: a "[MASK]" is a token of its own. */
  async look(text: string, options: ReadOptions = {}): Promise<MaskedLook> {
    const words = checkLevel(checkOptions(options).level) === "word";
    const { ranges, attention } = await this.core.call(undefined, "look", maskedParts(text), words);
    return { tokens: tokensOf(wellFormed(text), ranges), attention };
  }

  /** For each "[MASK]" in the text the `count` likeliest pieces, the best first. */
  async fill(text: string, options: { count?: number | undefined } = {}): Promise<Guess[][]> {
    const { count = 5 } = checkOptions(options);
    if (!Number.isInteger(count) || count < 1 || count > 1000) {
      throw new SoftalignError("argument", `count is ${String(count)}, expected a whole number from 1 to 1000`);
    }
    return this.core.call(undefined, "fill", maskedParts(text), count);
  }
}

/** What stands between the masks. */
function maskedParts(text: string): string[] {
  const parts = wellFormed(checkText(text, "text")).split("[MASK]");
  if (parts.length > 1) return parts;
  throw new SoftalignError("argument", `text is ${JSON.stringify(text.slice(0, 80))}, expected a [MASK] in it`);
}

function best(labels: readonly string[], probability: Float32Array): { label: string; probability: number } {
  const most = probability.reduce((best, p, i) => (p > (probability[best] as number) ? i : best), 0);
  return { label: labels[most] as string, probability: probability[most] as number };
}

/** Words as tokens of the text they make when joined by spaces. */
function joined(words: readonly string[]): Token[] {
  if (!Array.isArray(words)) throw new SoftalignError("argument", `text is of type ${typeof words}, expected a string or words`);
  let start = 0;
  return words.map((word, i) => {
    const text = wellFormed(checkText(word, `words[${i}]`));
    const token = { text, start, end: start + text.length };
    start = token.end + 1;
    return token;
  });
}
