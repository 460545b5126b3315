import { checkLevel, checkText, type Level } from "./arguments.js";
import type { Result, TranslatorCore } from "./core.js";
import { CreateMonitor } from "./download.js";
import { type Engine, loadEngine } from "./engine.js";
import { SoftalignError } from "./errors.js";
import { type Explanation, ExplanationBuilder } from "./explanation.js";
import { canonicalTag, languageOf, modelFor, type ModelReference, resolveModel } from "./models.js";
import { modelBytes, openModel } from "./open-model.js";
import { abortable, isLocalFile, yieldToEventLoop } from "./runtime.js";
import { cutLong, isTranslatable, maxExpansion, splitSentences, type Stretch, wellFormed } from "./split.js";

/** A language pair, as BCP 47 tags. Models are found by the language alone: "en-GB" finds what is for "en". */
export interface LanguagePair {
  sourceLanguage: string;
  targetLanguage: string;
}

/** What {@link Translator.create} takes. */
export interface TranslatorOptions extends LanguagePair {
  /**
   * The id of one of the package's models ("en-fr-transformer", the default of its pair; "en-fr-additive" and
   * "en-fr-dot", recurrent networks with attention; "en-fr-plain", one without), the address of a model file, its
   * bytes, or the `File` that someone chose or dropped.
   */
  model?: ModelReference | undefined;
  /**
   * Aborts loading: `create` rejects with the signal's reason. Aborted later, it destroys the translator, and what is
   * pending rejects with the reason, too.
   */
  signal?: AbortSignal | undefined;
  /** Called once, before the download begins, with what tells its progress. */
  monitor?: ((monitor: CreateMonitor) => void) | undefined;
}

export interface TranslateOptions {
  /** Aborts between two sentences: the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How many hypotheses the search follows, 1 to 16. 1, the default, is fastest; 4 is a little better. */
  beam?: number | undefined;
  /**
   * Whether the text is HTML: a fragment, as `innerHTML` takes and gives it, or a whole document. What people read in it is
   * translated, attributes like `alt` too, and each element goes where its words go. What is marked `translate="no"`, is
   * in another language or in `<code>`, `<kbd>`, `<samp>` or `<var>` stays as it is. Any text is HTML, however malformed.
   * A stream has whole elements.
   */
  html?: boolean | undefined;
}

export interface AlignOptions {
  signal?: AbortSignal | undefined;
  /** "word" if left out. */
  level?: Level | undefined;
  /** Whether the end of each sentence, which the model reads and writes too, is a token. Not if left out. */
  special?: boolean | undefined;
}

export interface ExplainOptions extends Omit<TranslateOptions, "html">, AlignOptions {}

/** Whether a pair can be translated: at once, after a download, or not at all. */
export type Availability = "available" | "downloadable" | "unavailable";

/**
 * Translates text, and shows which source words each word of the translation looked at.
 *
 * ```js
 * const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
 * console.log(await translator.translate("I am cold."));
 * translator.destroy();
 * ```
 *
 * The work is done in the calling thread, one sentence at a time, with other events let through in
 * between. A page that wants to stay perfectly smooth creates its translator in a worker.
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
  readonly #engine: Engine;
  readonly #core: TranslatorCore;
  /** Aborted by destroy(), with what everything rejects with from then on. */
  readonly #end = new AbortController();

  private constructor(engine: Engine, core: TranslatorCore, languages: LanguagePair, model: string) {
    this.#engine = engine;
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
    if (!model) return "unavailable";
    return isLocalFile(model.url) ? "available" : "downloadable";
  }

  /**
   * Loads the engine (once a page or worker) and a model.
   * @throws {SoftalignError} `unavailable` for an unknown pair or a run-time without WASM SIMD,
   *   `network` if a download failed, `format` if the bytes are not a model, `argument`.
   * @throws {TypeError} for a language that is missing. @throws {RangeError} for what is no language tag.
   * @throws what `monitor` throws.
   */
  static async create(options: TranslatorOptions): Promise<Translator> {
    const tags = canonical(options);
    const { signal, monitor } = options;
    signal?.throwIfAborted();
    const progress = new CreateMonitor();
    monitor?.(progress);
    try {
      const languages = languagesOf(tags);
      const source = resolveModel(options.model, languages.sourceLanguage, languages.targetLanguage);
      progress.report(0);
      const [engine, bytes] = await Promise.all([
        abortable(loadEngine(), signal),
        modelBytes(source, { signal, onProgress: (fraction) => progress.report(fraction) }),
      ]);
      signal?.throwIfAborted();
      const core = createCore(engine, bytes, source.name, languages);
      progress.report(1);
      const translator = new Translator(engine, core, tags, source.name);
      // Also for a signal that a listener of the last progress event aborted.
      if (signal?.aborted) translator.#destroy(signal.reason);
      signal?.throwIfAborted();
      signal?.addEventListener("abort", () => translator.#destroy(signal.reason), { signal: translator.#end.signal });
      return translator;
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
    for (const { text: stretch, translate } of this.#stretches(checkText(text, "text"))) {
      if (translate) pieces += this.#call((core) => core.pieceStarts(stretch)).length;
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
    this.#end.signal.throwIfAborted();
    const beam = checkBeam(options.beam);
    const words = checkLevel(options.level) === "word";
    const builder = new ExplanationBuilder(checkText(text, "text"), options.special ?? false);
    await this.#turn(options.signal);
    this.#checkLength(text, "text", maxExplainedPieces);
    for (const { text: stretch, start, translate } of this.#stretches(text)) {
      if (translate) {
        await this.#turn(options.signal);
        builder.add(this.#call((core) => core.explain(stretch, beam, words)), start);
      } else {
        builder.copy(stretch);
      }
    }
    options.signal?.throwIfAborted();
    return builder.build();
  }

  /**
   * Aligns two given texts, each taken as one sentence: what the model would have looked at, had it
   * written `target`. `confidence` tells how likely it found that.
   * @throws {SoftalignError} `argument` (also for a text of more than 1,000 pieces), `destroyed`.
   */
  async align(source: string, target: string, options: AlignOptions = {}): Promise<Explanation> {
    this.#end.signal.throwIfAborted();
    const words = checkLevel(options.level) === "word";
    const builder = new ExplanationBuilder(checkText(source, "source"), options.special ?? false);
    checkText(target, "target");
    await this.#turn(options.signal);
    if (isTranslatable(source) && isTranslatable(target)) {
      this.#checkLength(source, "source", maxAlignedPieces);
      this.#checkLength(target, "target", maxAlignedPieces);
      const trace = this.#call((core) => core.align(wellFormed(source), wellFormed(target), words));
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
    this.#destroy(new SoftalignError("destroyed", "this translator was destroyed"));
  }

  /** `using translator = await Translator.create(...)` destroys it at the end of the block. */
  [Symbol.dispose](): void {
    this.destroy();
  }

  #destroy(reason: unknown): void {
    if (this.#end.signal.aborted) return;
    this.#end.abort(reason);
    this.#engine.free(this.#core);
  }

  /** The translation, stretch by stretch. */
  async *#translations(text: string, { signal, beam, html }: TranslateOptions): AsyncGenerator<string, void> {
    const width = checkBeam(beam);
    // At once, so that even what has nothing to translate can be aborted and is refused by the destroyed.
    await this.#turn(signal);
    if (html) {
      const { translateHtml } = await import("./html/index.js");
      return yield* translateHtml(checkText(text, "text"), this, { signal, beam });
    }
    for (const { text: stretch, translate } of this.#stretches(checkText(text, "text"))) {
      if (translate) await this.#turn(signal);
      yield translate ? this.#call((core) => core.translate(stretch, width)) : stretch;
      signal?.throwIfAborted();
    }
  }

  /** The text in stretches: what is translated is well formed, what is copied is as it came. */
  *#stretches(text: string): Generator<Stretch> {
    const copied = (stretch: Stretch): Stretch => ({
      ...stretch,
      text: text.slice(stretch.start, stretch.start + stretch.text.length),
    });
    for (const sentence of splitSentences(wellFormed(text), languageOf(this.sourceLanguage))) {
      if (!sentence.translate) {
        yield copied(sentence);
        continue;
      }
      for (const part of cutLong(sentence, (window) => this.#call((core) => core.pieceStarts(window)))) {
        yield part.translate ? part : copied(part);
      }
    }
  }

  /** @throws {SoftalignError} `argument` for a text of too many pieces, before anything is done with it. */
  #checkLength(text: string, argument: string, limit: number): void {
    if (text.length * maxExpansion <= limit) return;
    // A piece has few characters, and counting costs time: what is far too long is not counted.
    const tooLong = text.length > limit * 32;
    const pieces = tooLong ? Infinity : this.#call((core) => core.pieceStarts(wellFormed(text))).length;
    if (pieces <= limit) return;
    const length = tooLong ? `${text.length} characters` : `${pieces} pieces`;
    throw new SoftalignError("argument", `${argument} has ${length}, expected at most ${limit} pieces; give it in parts`);
  }

  /** Lets other events through, an abort or `destroy()` among them, before the next sentence. */
  async #turn(signal: AbortSignal | undefined): Promise<void> {
    this.#end.signal.throwIfAborted();
    signal?.throwIfAborted();
    await yieldToEventLoop();
    this.#end.signal.throwIfAborted();
    signal?.throwIfAborted();
  }

  #call<T>(body: (core: TranslatorCore) => Result<T>): T {
    this.#end.signal.throwIfAborted();
    return this.#engine.call(() => body(this.#core));
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

function createCore(engine: Engine, bytes: Uint8Array, name: string, languages: LanguagePair): TranslatorCore {
  const core = openModel(engine, name, (module) => module.createTranslator(bytes));
  const source = engine.call(() => core.sourceLanguage());
  const target = engine.call(() => core.targetLanguage());
  if (source === languages.sourceLanguage && target === languages.targetLanguage) return core;
  engine.free(core);
  throw new SoftalignError(
    "unavailable",
    `model ${name} translates ${source} to ${target}, not ${languages.sourceLanguage} to ${languages.targetLanguage}`,
  );
}

function checkBeam(beam: number = 1): number {
  if (Number.isInteger(beam) && beam >= 1 && beam <= 16) return beam;
  throw new SoftalignError("argument", `beam is ${String(beam)}, expected a whole number from 1 to 16`);
}
