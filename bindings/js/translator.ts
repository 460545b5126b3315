import { checkBeam, checkFunction, checkLengthFactor, checkLevel, checkOptions, checkText, checkWorkers } from "./arguments.js";
import type { SentenceEdits, SentenceRequest, SentenceTrace } from "./core.js";
import { CreateMonitor } from "./create-monitor.js";
import { SoftalignError } from "./errors.js";
import { type Explanation, ExplanationBuilder } from "./explanation.js";
import { availabilityOf } from "./fetch-model.js";
import { TermFinder } from "./glossary.js";
import type { HtmlTranslator } from "./html/queue.js";
import { chunks, inLanes } from "./lanes.js";
import { canonicalTag, languageOf } from "./language-tags.js";
import { type Availability, modelsFor, resolveModels } from "./models.js";
import { openTranslator } from "./open-translator.js";
import type { TranslatorModel } from "./pivot.js";
import { searchNodes } from "./search-tree.js";
import { isAlignable, type Stretch, wellFormed } from "./split.js";
import { TextEdits } from "./text-edits.js";
import { TextReader } from "./text-reader.js";
import type {
  AlignOptions,
  ExplainOptions,
  LanguagePair,
  NBest,
  NBestOptions,
  TranslateOptions,
  TranslatorOptions,
} from "./translator-options.js";

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
 * calling thread does it (see the option `worker`), other events are let through between two sentences. If the
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
  /** The model's id, address or file name, or "bytes"; of two models "FIRST + SECOND". */
  readonly model: string;
  readonly #core: TranslatorModel;
  readonly #reader: TextReader;
  readonly #maxLengthFactor: number;
  /** How many groups of sentences are translated at the same time. */
  readonly #lanes: number;

  private constructor(core: TranslatorModel, languages: LanguagePair, model: string, maxLengthFactor: number, lanes: number) {
    this.#core = core;
    this.#lanes = lanes;
    this.#reader = new TextReader(core, languageOf(languages.sourceLanguage));
    this.#maxLengthFactor = maxLengthFactor;
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
    const models = await Promise.all(modelsFor(pair.sourceLanguage, pair.targetLanguage).map((model) => availabilityOf(model)));
    if (models.length === 0 || models.includes("unavailable")) return "unavailable";
    return models.includes("downloadable") ? "downloadable" : "available";
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
    const { signal, monitor } = checkOptions(options);
    signal?.throwIfAborted();
    const progress = new CreateMonitor();
    checkFunction(monitor, "monitor")?.(progress);
    try {
      const languages = languagesOf(tags);
      const maxLengthFactor = checkLengthFactor(options.maxLengthFactor);
      const sources = resolveModels(options.model, languages.sourceLanguage, languages.targetLanguage);
      progress.report(0);
      const workers = checkWorkers(options);
      const worker = options.worker ?? (workers > 1 || undefined);
      const onProgress = (fraction: number) => progress.report(fraction);
      const core = await openTranslator(sources, languages, { signal, worker, workers, onProgress });
      try {
        progress.report(1);
        // A listener may have aborted it.
        signal?.throwIfAborted();
      } catch (error) {
        core.free(error);
        throw error;
      }
      signal?.addEventListener("abort", () => core.free(signal.reason), { signal: core.ended });
      return new Translator(core, tags, sources.map(({ name }) => name).join(" + "), maxLengthFactor, workers);
    } finally {
      progress.close();
    }
  }

  /**
   * Translates text of any length. White space and line breaks around and between sentences stay;
   * sentences without a letter are copied, and one in capitals throughout has its translation in capitals. Many texts
   * at once take less time than one after the other.
   * @throws {SoftalignError} `argument`, `destroyed`.
   */
  translate(text: string, options?: TranslateOptions): Promise<string>;
  translate(texts: readonly string[], options?: TranslateOptions): Promise<string[]>;
  async translate(text: string | readonly string[], options: TranslateOptions = {}): Promise<string | string[]> {
    checkOptions(options);
    if (Array.isArray(text)) {
      for (const [i, each] of text.entries()) checkText(each, `texts[${i}]`);
      return this.#translateAll(text as readonly string[], options);
    }
    checkText(text as string, "text");
    // As a whole where that takes less time than in a row.
    if (this.#lanes > 1 || options.html) return this.#translateAll([text as string], options).then(first);
    let translation = "";
    for await (const chunk of this.#translations(text as string, options)) translation += chunk;
    return translation;
  }

  /**
   * The same as a stream, which has each sentence as soon as it is translated: its chunks, put together, are what
   * `translate` gives. An abort and `destroy()` end it with an error; who cancels the stream ends the work. It works one sentence ahead
   * of its reader.
   */
  translateStreaming(text: string, options: TranslateOptions = {}): ReadableStream<string> {
    const { signal } = checkOptions(options);
    const end = new AbortController();
    const abort = () => end.abort(signal?.reason);
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { signal: end.signal });
    const chunks = this.#translations(text, { ...options, signal: end.signal });
    return new ReadableStream<string>({
      async pull(controller) {
        const { done, value } = await chunks.next().catch((error: unknown) => {
          end.abort(); // which lets go of the caller's signal, too
          throw error;
        });
        if (!done) return controller.enqueue(value);
        controller.close();
        end.abort();
      },
      async cancel(reason) {
        end.abort(reason);
        await chunks.return().catch(() => {});
      },
    });
  }

  /** How many pieces, the units that the model works with, a text has. */
  async measureInputUsage(text: string, options: { signal?: AbortSignal | undefined } = {}): Promise<number> {
    let pieces = 0;
    checkOptions(options);
    await this.#reader.turn(options.signal);
    for await (const { text: stretch, translate } of this.#reader.stretches(checkText(text, "text"), options.signal)) {
      if (translate) pieces += (await this.#reader.pieceStarts(stretch, options.signal)).length;
    }
    options.signal?.throwIfAborted();
    return pieces;
  }

  /**
   * Translates text and tells which source tokens each target token looked at; with `edits`, how it would be translated if
   * they looked elsewhere.
   * @throws {SoftalignError} `argument` (also for a text of more than 4,000 pieces, which is some
   *   15,000 characters: its matrix would fill the memory), `destroyed`.
   */
  async explain(text: string, options: ExplainOptions = {}): Promise<Explanation> {
    this.#core.ended.throwIfAborted();
    const { signal } = checkOptions(options);
    refuse(options, ["html"], "explanations");
    const words = checkLevel(options.level) === "word";
    const builder = new ExplanationBuilder(checkText(text, "text"), options);
    const edits = options.edits && new TextEdits(options.edits, options.special ?? false);
    const editsHere = () => edits?.from(builder.sources, builder.targets);
    for await (const { stretch, traces } of this.#traces(text, words, 1, options, editsHere)) {
      if (traces[0]) builder.add(traces[0], stretch.start);
      else builder.copy(stretch.text);
    }
    signal?.throwIfAborted();
    edits?.checkWithin(builder.sources, builder.targets);
    return builder.build();
  }

  /**
   * The likeliest translations of each sentence of a text, each as {@link explain} tells it. Sentences without a letter
   * are left out.
   * @throws {SoftalignError} as `explain` does.
   */
  async nBest(text: string, options: NBestOptions = {}): Promise<NBest[]> {
    this.#core.ended.throwIfAborted();
    const { signal, count = 5, tree = false } = checkOptions(options);
    if (!Number.isInteger(count) || count < 1 || count > 16) {
      throw new SoftalignError("argument", `count is ${String(count)}, expected a whole number from 1 to 16`);
    }
    refuse(options, ["edits", "heads", "html"], "n-best lists");
    const words = checkLevel(options.level) === "word";
    const beam = Math.max(checkBeam(options.beam), count);
    const sentences: NBest[] = [];
    for await (const { stretch, traces } of this.#traces(checkText(text, "text"), words, count, { ...options, beam, tree })) {
      if (traces.length === 0) continue;
      // One of the likelier ones of a very short sentence may be nothing at all, and two may be the same in other pieces.
      const said = traces.filter(({ translation }, i) => i === 0 || (translation.trim() !== "" && !traces.slice(0, i).some((other) => other.translation === translation)));
      const translations = said.map((trace) => {
        const builder = new ExplanationBuilder(stretch.text, { special: options.special });
        builder.add(trace, 0);
        return builder.build();
      });
      const followed = traces[0]?.tree;
      sentences.push({ source: stretch.text, start: stretch.start, translations, ...(followed && { tree: searchNodes(followed) }) });
    }
    signal?.throwIfAborted();
    return sentences;
  }

  /**
   * Aligns two given texts, each taken as one sentence: what the model would have looked at, had it
   * written `target`. `confidence` tells how likely it found that.
   * @throws {SoftalignError} `argument` (also for a text of more than 1,000 pieces), `destroyed`.
   */
  async align(source: string, target: string, options: AlignOptions = {}): Promise<Explanation> {
    this.#core.ended.throwIfAborted();
    const { signal } = checkOptions(options);
    const words = checkLevel(options.level) === "word";
    const builder = new ExplanationBuilder(checkText(source, "source"), options);
    checkText(target, "target");
    await this.#reader.turn(signal);
    if (isAlignable(source) && isAlignable(target)) {
      await this.#reader.checkLength(source, "source", maxAlignedPieces, signal);
      await this.#reader.checkLength(target, "target", maxAlignedPieces, signal);
      const trace = await this.#core.call(signal, "align", wellFormed(source), wellFormed(target), words, options.heads ?? false);
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
  async *#translations(text: string, options: TranslateOptions): AsyncGenerator<string, void> {
    const { signal } = options;
    const width = checkBeam(options.beam);
    // At once, so that even what has nothing to translate can be aborted and is refused by the destroyed.
    await this.#reader.turn(signal);
    checkText(text, "text");
    if (options.html) return yield* (await this.#html(options)).streamHtml(text, this.#forHtml, options);
    const request = (await this.#requests(options))();
    for await (const { text: stretch, translate } of this.#reader.stretches(text, signal)) {
      if (translate) await this.#reader.turn(signal);
      yield translate ? await this.#translate([request(stretch)], width, signal).then(first) : stretch;
      signal?.throwIfAborted();
    }
  }

  async #translateAll(texts: readonly string[], options: TranslateOptions): Promise<string[]> {
    const { signal } = options;
    const width = checkBeam(options.beam);
    await this.#reader.turn(signal);
    if (options.html) return (await this.#html(options)).translateHtml(texts, this.#forHtml, options);
    const requests = await this.#requests(options);
    const parts: string[][] = [];
    const wanted: { request: SentenceRequest; to: string[]; at: number }[] = [];
    for (const text of texts) {
      await this.#reader.turn(signal);
      const to: string[] = [];
      const request = requests();
      for await (const { text: stretch, translate } of this.#reader.stretches(text, signal)) {
        if (translate) wanted.push({ request: request(stretch), to, at: to.length });
        to.push(stretch);
      }
      parts.push(to);
    }
    // What is of like length is computed together.
    wanted.sort((a, b) => b.request.text.length - a.request.text.length);
    const groups = chunks(wanted, Math.min(sentencesAtOnce, Math.ceil(wanted.length / (this.#lanes > 1 ? 2 * this.#lanes : 1))));
    await inLanes(this.#lanes, groups, async (group) => {
      await this.#reader.turn(signal);
      const translations = await this.#translate(group.map(({ request }) => request), width, signal);
      group.forEach(({ to, at }, i) => (to[at] = translations[i] as string));
    });
    signal?.throwIfAborted();
    return parts.map((part) => part.join(""));
  }

  /** What translates HTML, loaded when it is first asked for. */
  #html({ prefix }: TranslateOptions) {
    if (prefix) throw new SoftalignError("argument", `prefix is ${JSON.stringify(prefix)}, expected none for HTML`);
    return import("./html/index.js");
  }

  get #forHtml(): HtmlTranslator {
    return {
      sourceLanguage: this.sourceLanguage,
      targetLanguage: this.targetLanguage,
      lanes: this.#lanes,
      translate: (texts, options) => this.#translateAll(texts, options),
      explain: (text, options) => this.explain(text, options),
    };
  }

  #translate(sentences: SentenceRequest[], beam: number, signal: AbortSignal | undefined): Promise<string[]> {
    return this.#core.call(signal, "translate", sentences, beam, this.#maxLengthFactor);
  }

  /** The stretches of a text, with the traces of the best translations of those that are translated. */
  async *#traces(
    text: string,
    words: boolean,
    count: number,
    options: ExplainOptions & { tree?: boolean },
    editsHere?: () => SentenceEdits | undefined,
  ): AsyncGenerator<{ stretch: Stretch; traces: SentenceTrace[] }, void> {
    const { signal, heads = false, tree = false } = options;
    const wishes = { beam: checkBeam(options.beam), maxLengthFactor: this.#maxLengthFactor, count, words, heads, tree };
    await this.#reader.turn(signal);
    await this.#reader.checkLength(text, "text", maxExplainedPieces, signal);
    const request = (await this.#requests(options))();
    for await (const stretch of this.#reader.stretches(text, signal)) {
      if (stretch.translate) await this.#reader.turn(signal);
      const traces = stretch.translate
        ? await this.#core.call(signal, "explain", { ...request(stretch.text), edits: editsHere?.() }, wishes)
        : [];
      yield { stretch, traces };
    }
  }

  /** What makes, for each text anew, requests of its sentences in their order. */
  async #requests({ signal, prefix = "", glossary }: TranslateOptions): Promise<() => (sentence: string) => SentenceRequest> {
    const terms = TermFinder.of(glossary);
    await this.#reader.checkLength(checkText(prefix, "prefix"), "prefix", maxAlignedPieces, signal);
    return () => {
      let beginning = wellFormed(prefix);
      return (text) => {
        const request = { text, beginning, terms: terms.in(text) };
        beginning = "";
        return request;
      };
    };
  }
}

/** Few enough for aborts to come through soon. */
const sentencesAtOnce = 32;

/** More pieces than this on a side are no sentence. */
const maxAlignedPieces = 1000;

/** The matrix of more pieces than this, most of it zeros between sentences, would fill the memory. */
const maxExplainedPieces = 4000;

function refuse(options: object, names: readonly string[], what: string): void {
  for (const name of names) {
    if ((options as Record<string, unknown>)[name]) throw new SoftalignError("argument", `${name} is given, expected none for ${what}`);
  }
}

function canonical(tags: LanguagePair | undefined): LanguagePair {
  return {
    sourceLanguage: canonicalTag(tags?.sourceLanguage, "sourceLanguage"),
    targetLanguage: canonicalTag(tags?.targetLanguage, "targetLanguage"),
  };
}

function languagesOf(tags: LanguagePair): LanguagePair {
  return { sourceLanguage: languageOf(tags.sourceLanguage), targetLanguage: languageOf(tags.targetLanguage) };
}

function first<T>(list: T[]): T {
  return list[0] as T;
}
