import { SoftalignError } from "./errors.js";
import type { TranslatorModel } from "./pivot.js";
import { yieldToEventLoop } from "./runtime.js";
import { cutLong, hasFewPieces, splitSentences, type Stretch, wellFormed } from "./split.js";

/** Brings a text to its model: sentence by sentence, in pieces that are not too many, with room for other events between. */
export class TextReader {
  readonly #core: TranslatorModel;
  readonly #language: string;

  constructor(core: TranslatorModel, language: string) {
    this.#core = core;
    this.#language = language;
  }

  /** The text in stretches: what is translated is well formed, what is copied is as it came. */
  async *stretches(text: string, signal: AbortSignal | undefined): AsyncGenerator<Stretch, void> {
    const copied = (stretch: Stretch): Stretch => ({
      ...stretch,
      text: text.slice(stretch.start, stretch.start + stretch.text.length),
    });
    for (const sentence of splitSentences(wellFormed(text), this.#language)) {
      if (!sentence.translate) {
        yield copied(sentence);
        continue;
      }
      for await (const part of cutLong(sentence, (window) => this.pieceStarts(window, signal))) {
        yield part.translate ? part : copied(part);
      }
    }
  }

  /** @throws {SoftalignError} `argument` for a text of too many pieces, before anything is done with it. */
  async checkLength(text: string, argument: string, limit: number, signal: AbortSignal | undefined): Promise<void> {
    if (hasFewPieces(text, limit)) return;
    // A piece has few characters, and counting costs time: what is far too long is not counted.
    const tooLong = text.length > limit * 32;
    const pieces = tooLong ? Infinity : (await this.pieceStarts(wellFormed(text), signal)).length;
    if (pieces <= limit) return;
    const length = tooLong ? `${text.length} characters` : `${pieces} pieces`;
    throw new SoftalignError("argument", `${argument} has ${length}, expected at most ${limit} pieces; give it in parts`);
  }

  /** Lets other events through, an abort or `destroy()` among them, before the next sentence. */
  async turn(signal: AbortSignal | undefined): Promise<void> {
    this.#core.ended.throwIfAborted();
    signal?.throwIfAborted();
    await yieldToEventLoop();
    this.#core.ended.throwIfAborted();
    signal?.throwIfAborted();
  }

  /** Where each piece of a text begins. */
  pieceStarts(text: string, signal: AbortSignal | undefined): Promise<Uint32Array> {
    return this.#core.call(signal, "pieceStarts", text);
  }
}
