import { checkLevel, checkText, type Level } from "./arguments.js";
import type { SentenceRequest, SentenceTrace, TranslatorCore } from "./core.js";
import { CreateMonitor } from "./download.js";
import { SoftalignError } from "./errors.js";
import { type Explanation, ExplanationBuilder } from "./explanation.js";
import { availabilityOf } from "./fetch-model.js";
import { type Availability, canonicalTag, languageOf, modelFor, type ModelReference, type ModelSource, resolveModel } from "./models.js";
import { OpenModel, type OpenOptions } from "./open-model.js";
import { yieldToEventLoop } from "./runtime.js";
import { cutLong, hasFewPieces, isTranslatable, splitSentences, type Stretch, wellFormed } from "./split.js";

/** A language pair, as BCP 47 tags. Models are found by the language alone: "en-GB" finds what is for "en". */
export interface LanguagePair {
  sourceLanguage: string;
  targetLanguage: string;
}

/** What {@link Translator.create} takes. */
export interface TranslatorOptions extends LanguagePair {
  /**
   * The id of a model ("en-fr-transformer", the default of its pair, which the package carries; "en-fr-additive" and
   * "en-fr-dot", recurrent networks with attention, and "en-fr-plain", one without, which are fetched from where
   * `setModelBase` of `softalign/models` says), the address of a model file, its bytes, or the `File` that someone
   * chose or dropped. Models with an id are checked, and kept for the next time.
   */
  model?: ModelReference | undefined;
  /**
   * Aborts loading: `create` rejects with the signal's reason. Aborted later, it destroys the translator, and what is
   * pending rejects with the reason, too.
   */
  signal?: AbortSignal | undefined;
  /** Called once, before the download begins, with what tells its progress. */
  monitor?: ((monitor: CreateMonitor) => void) | undefined;
  /**
   * Whether the work is done in a worker, which the package starts and all translators and text models of a page share: the
   * page stays smooth whatever the text. `true` if left out in a page, `false` elsewhere (Node, your own worker). Where a
   * worker cannot be started (a policy forbids it, or `worker.js` of the package is not found) the work is done in the
   * calling thread all the same.
   */
  worker?: boolean | undefined;
}

export interface TranslateOptions {
  /** Aborts between two sentences: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How many hypotheses the search follows, 1 to 16. 1, the default, is fastest; 4 is a little better. */
  beam?: number | undefined;
}

export interface AlignOptions {
  signal?: AbortSignal | undefined;
  /** "word" if left out. */
  level?: Level | undefined;
  /** Whether the end of each sentence, which the model reads and writes too, is a token. Not if left out. */
  special?: boolean | undefined;
}

export interface ExplainOptions extends TranslateOptions, AlignOptions {}

/**
 * Translates text, and shows which source words each word of the translation looked at.
 *
 * ```js
 * const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
 * console.log(await translator.translate("I am cold."));
 * translator.destroy();
 * ```
 *
 * In a page the work is done in a worker, which ends by itself when nothing has been open in it for a minute. Where the
 * calling thread does it (see {@link TranslatorOptions.worker}), other events are let through between two sentences. If the
 * engine crashes, what is pending rejects with `internal`, and the next call opens the model anew from where it came:
 * bytes and files must be as they were.
 */
export class Translator {
  /** As it was asked for, in canonical form: "en-GB". */
  readonly sourceLanguage: string;
  /** As it was asked for, in canonical form. */
  readonly targetLanguage: string;
  /** How much {@link measureInputUsage} may say of a text that is to be translated: there is no limit. */
  readonly inputQuota = Infinity;
  /** The model's id, address or file name, or "bytes". */
  readonly model: string;
  readonly #core: OpenModel<TranslatorCore>;

  private constructor(core: OpenModel<TranslatorCore>, languages: LanguagePair, model: string) {
    this.#core = core;
    this.sourceLanguage = languages.sourceLanguage;
    this.targetLanguage = languages.targetLanguage;
    this.model = model;
  }

  /**
   * Whether {@link create} can serve a language pair without a `model` of the caller's own.
   * @throws {TypeError} for a language that is missing. @throws {RangeError} for what is no language tag.
   */
  static async availability(languages: LanguagePair): Promise<Availability> {
    const pair = languagesOf(canonical(languages));
    const model = modelFor(pair.sourceLanguage, pair.targetLanguage);
    return model ? availabilityOf(model) : "unavailable";
  }

  /**
   * Loads the engine (once a page or worker) and a model.
   * @throws {SoftalignError} `unavailable` for an unknown pair or a run-time without WASM SIMD,
   *   `network` if a download failed, `format` if the bytes are not the model or no model at all, `argument`.
   * @throws {TypeError} for a language that is missing. @throws {RangeError} for what is no language tag.
   * @throws what `monitor` throws.
   */
  static async create(options: TranslatorOptions): Promise<Translator> {
    const tags = canonical(options);
    const { signal, monitor, worker } = options;
    signal?.throwIfAborted();
    const progress = new CreateMonitor();
    monitor?.(progress);
    try {
      const languages = languagesOf(tags);
      const source = resolveModel(options.model, languages.sourceLanguage, languages.targetLanguage);
      progress.report(0);
      const onProgress = (fraction: number) => progress.report(fraction);
      const core = await openTranslator(source, languages, { signal, worker, onProgress });
      progress.report(1);
      // Also for a signal that a listener of the last progress event aborted.
      if (signal?.aborted) core.free(signal.reason);
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => core.free(signal.reason), { signal: core.ended });
      return new Translator(core, tags, source.name);
    } finally {
      progress.close();
    }
  }

  /**
   * Translates text of any length. White space and line breaks around and between sentences stay;
   * sentences without a letter or a digit are copied.
   * @throws {SoftalignError} `argument`, `destroyed`.
   */
  async translate(text: string, options: TranslateOptions = {}): Promise<string> {
    let translation = "";
    for await (const chunk of this.#translations(text, options)) translation += chunk;
    return translation;
  }

  /**
   * The same as a stream, which has each sentence as soon as it is translated: its chunks, put together, are what
   * `translate` gives. An abort and `destroy()` end it with an error. It works one sentence ahead of its reader.
   */
  translateStreaming(text: string, options: TranslateOptions = {}): ReadableStream<string> {
    const chunks = this.#translations(text, options);
    return new ReadableStream<string>({
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    });
  }

  /** How many pieces, the units that the model works with, a text has. */
  async measureInputUsage(text: string, options: { signal?: AbortSignal | undefined } = {}): Promise<number> {
    let pieces = 0;
    await this.#turn(options.signal);
    for await (const { text: stretch, translate } of this.#stretches(checkText(text, "text"), options.signal)) {
      if (translate) pieces += (await this.#pieceStarts(stretch, options.signal)).length;
    }
    options.signal?.throwIfAborted();
    return pieces;
  }

  /**
   * Translates text and tells which source tokens each target token looked at.
   * @throws {SoftalignError} `argument` (also for a text of more than 4,000 pieces, which is some
   *   15,000 characters: its matrix would fill the memory), `destroyed`.
   */
  async explain(text: string, options: ExplainOptions = {}): Promise<Explanation> {
    this.#core.ended.throwIfAborted();
    const { signal } = options;
    const beam = checkBeam(options.beam);
    const words = checkLevel(options.level) === "word";
    const builder = new ExplanationBuilder(checkText(text, "text"), options.special ?? false);
    await this.#turn(signal);
    await this.#checkLength(text, "text", maxExplainedPieces, signal);
    for await (const { text: stretch, start, translate } of this.#stretches(text, signal)) {
      if (translate) {
        await this.#turn(signal);
        const [[trace] = []] = await this.#core.call(signal, "explain", [plain(stretch)], beam, 1, words);
        builder.add(trace as SentenceTrace, start);
      } else {
        builder.copy(stretch);
      }
    }
    signal?.throwIfAborted();
    return builder.build();
  }

  /**
   * Aligns two given texts, each taken as one sentence: what the model would have looked at, had it
   * written `target`. `confidence` tells how likely it found that.
   * @throws {SoftalignError} `argument` (also for a text of more than 1,000 pieces), `destroyed`.
   */
  async align(source: string, target: string, options: AlignOptions = {}): Promise<Explanation> {
    this.#core.ended.throwIfAborted();
    const { signal } = options;
    const words = checkLevel(options.level) === "word";
    const builder = new ExplanationBuilder(checkText(source, "source"), options.special ?? false);
    checkText(target, "target");
    await this.#turn(signal);
    if (isTranslatable(source) && isTranslatable(target)) {
      await this.#checkLength(source, "source", maxAlignedPieces, signal);
      await this.#checkLength(target, "target", maxAlignedPieces, signal);
      const trace = await this.#core.call(signal, "align", wellFormed(source), wellFormed(target), words);
      builder.add({ ...trace, translation: target }, 0);
    } else {
      builder.copy(target);
    }
    return builder.build();
  }

  /**
   * Gives the model's memory back. Calls that are running reject with `destroyed`, an `AbortError`, and so do all
   * later ones; a second `destroy()` does nothing.
   */
  destroy(): void {
    this.#core.free(new SoftalignError("destroyed", "this translator was destroyed"));
  }

  /** `using translator = await Translator.create(...)` destroys it at the end of the block. */
  [Symbol.dispose](): void {
    this.destroy();
  }

  /** The translation, stretch by stretch. */
  async *#translations(text: string, { signal, beam }: TranslateOptions): AsyncGenerator<string, void> {
    const width = checkBeam(beam);
    // At once, so that even what has nothing to translate can be aborted and is refused by the destroyed.
    await this.#turn(signal);
    for await (const { text: stretch, translate } of this.#stretches(checkText(text, "text"), signal)) {
      if (translate) await this.#turn(signal);
      const [translation] = translate ? await this.#core.call(signal, "translate", [plain(stretch)], width) : [stretch];
      yield translation as string;
      signal?.throwIfAborted();
    }
  }

  /** The text in stretches: what is translated is well formed, what is copied is as it came. */
  async *#stretches(text: string, signal: AbortSignal | undefined): AsyncGenerator<Stretch, void> {
    const copied = (stretch: Stretch): Stretch => ({
      ...stretch,
      text: text.slice(stretch.start, stretch.start + stretch.text.length),
    });
    for (const sentence of splitSentences(wellFormed(text), languageOf(this.sourceLanguage))) {
      if (!sentence.translate) {
        yield copied(sentence);
        continue;
      }
      for await (const part of cutLong(sentence, (window) => this.#pieceStarts(window, signal))) {
        yield part.translate ? part : copied(part);
      }
    }
  }

  /** @throws {SoftalignError} `argument` for a text of too many pieces, before anything is done with it. */
  async #checkLength(text: string, argument: string, limit: number, signal: AbortSignal | undefined): Promise<void> {
    if (hasFewPieces(text, limit)) return;
    // A piece has few characters, and counting costs time: what is far too long is not counted.
    const tooLong = text.length > limit * 32;
    const pieces = tooLong ? Infinity : (await this.#pieceStarts(wellFormed(text), signal)).length;
    if (pieces <= limit) return;
    const length = tooLong ? `${text.length} characters` : `${pieces} pieces`;
    throw new SoftalignError("argument", `${argument} has ${length}, expected at most ${limit} pieces; give it in parts`);
  }

  /** Lets other events through, an abort or `destroy()` among them, before the next sentence. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    this.#core.ended.throwIfAborted();
    signal?.throwIfAborted();
    await yieldToEventLoop();
    this.#core.ended.throwIfAborted();
    signal?.throwIfAborted();
  }

  #pieceStarts(text: string, signal: AbortSignal | undefined): Promise<Uint32Array> {
    return this.#core.call(signal, "pieceStarts", text);
  }
}

/** More pieces than this on a side are no sentence. */
const maxAlignedPieces = 1000;

/** The matrix of more pieces than this, most of it zeros between sentences, would fill the memory. */
const maxExplainedPieces = 4000;

function canonical(tags: LanguagePair | undefined): LanguagePair {
  return {
    sourceLanguage: canonicalTag(tags?.sourceLanguage, "sourceLanguage"),
    targetLanguage: canonicalTag(tags?.targetLanguage, "targetLanguage"),
  };
}

function languagesOf(tags: LanguagePair): LanguagePair {
  return { sourceLanguage: languageOf(tags.sourceLanguage), targetLanguage: languageOf(tags.targetLanguage) };
}

async function openTranslator(source: ModelSource, languages: LanguagePair, options: OpenOptions): Promise<OpenModel<TranslatorCore>> {
  const core = await OpenModel.open<TranslatorCore>("createTranslator", source, options);
  try {
    const from = await core.call(options.signal, "sourceLanguage");
    const to = await core.call(options.signal, "targetLanguage");
    if (from === languages.sourceLanguage && to === languages.targetLanguage) return core;
    throw new SoftalignError(
      "unavailable",
      `model ${source.name} translates ${from} to ${to}, not ${languages.sourceLanguage} to ${languages.targetLanguage}`,
    );
  } catch (error) {
    core.free(error);
    throw error;
  }
}

/** A sentence with no wishes about its translation. */
function plain(text: string): SentenceRequest {
  return { text, beginning: "", terms: [] };
}

function checkBeam(beam: number = 1): number {
  if (Number.isInteger(beam) && beam >= 1 && beam <= 16) return beam;
  throw new SoftalignError("argument", `beam is ${String(beam)}, expected a whole number from 1 to 16`);
}
