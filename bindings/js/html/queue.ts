import type { Explanation } from "../explanation.js";
import { yieldToEventLoop } from "../runtime.js";
import type { ExplainOptions, TranslateOptions } from "../translator-options.js";
import type { SentenceTranslator } from "./sentence.js";

/** What HTML asks of a translator. */
export interface HtmlTranslator {
  readonly sourceLanguage: string;
  readonly targetLanguage: string;
  /** How many sentences are explained at the same time. */
  readonly lanes: number;
  translate(texts: readonly string[], options: TranslateOptions): Promise<string[]>;
  explain(text: string, options: ExplainOptions): Promise<Explanation>;
}

/** Sentences on their way to a translator: all that wait to be translated go together, those to be explained one by one. */
export class SentenceQueue implements SentenceTranslator {
  readonly #plain: Queue<string>;
  readonly #withMarkup: Queue<Explanation>;

  constructor(translator: HtmlTranslator, { signal, beam, glossary }: TranslateOptions) {
    const options = { signal, beam, glossary };
    this.#plain = new Queue(1, Infinity, (texts) => translator.translate(texts, options));
    this.#withMarkup = new Queue(translator.lanes, 1, (texts) =>
      Promise.all(texts.map((text) => translator.explain(text, { ...options, level: "piece" }))),
    );
  }

  translate(text: string): Promise<string> {
    return this.#plain.ask(text);
  }

  explain(text: string): Promise<Explanation> {
    return this.#withMarkup.ask(text);
  }

  /** Forgets what waits. */
  close(): void {
    this.#plain.close();
    this.#withMarkup.close();
  }
}

interface Question<T> {
  text: string;
  resolve: (answer: T) => void;
  reject: (reason: unknown) => void;
}

class Queue<T> {
  readonly #lanes: number;
  readonly #atOnce: number;
  readonly #answer: (texts: string[]) => Promise<T[]>;
  #waiting: Question<T>[] = [];
  #busy = 0;

  constructor(lanes: number, atOnce: number, answer: (texts: string[]) => Promise<T[]>) {
    this.#lanes = lanes;
    this.#atOnce = atOnce;
    this.#answer = answer;
  }

  ask(text: string): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text, resolve, reject });
      if (this.#busy < this.#lanes) void this.#run();
    });
  }

  close(): void {
    this.#waiting = [];
  }

  async #run(): Promise<void> {
    ++this.#busy;
    for (;;) {
      await yieldToEventLoop(); // whoever asked or was answered may have more to ask
      const asked = this.#waiting.splice(0, this.#atOnce);
      if (asked.length === 0) break;
      try {
        const answers = await this.#answer(asked.map(({ text }) => text));
        asked.forEach(({ resolve }, i) => resolve(answers[i] as T));
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    --this.#busy;
  }
}
