import type { SentenceRequest } from "./core.js";
import { inCapitals, inSmallLetters, isInCapitals } from "./letter-case.js";
import type { TranslatorMethods, TranslatorModel } from "./pivot.js";

type Readers = Pick<TranslatorMethods, "translate" | "explain" | "align">;

/**
 * A model that can read capitals. To models of subwords "THE CAT" is a row of rare letters: such a sentence is read in small letters, and
 * its translation written in capitals.
 */
export class CapitalsReader implements TranslatorModel {
  readonly #model: TranslatorModel;
  readonly #from: string;
  readonly #to: string;
  readonly ended: AbortSignal;

  constructor(model: TranslatorModel, from: string, to: string) {
    this.#model = model;
    this.#from = from;
    this.#to = to;
    this.ended = model.ended;
  }

  readonly #methods: Readers = {
    translate: async (signal, sentences, ...rest) => {
      const requests = sentences.map((sentence) => this.#request(sentence));
      const translations = await this.#model.call(signal, "translate", requests, ...rest);
      return translations.map((translation, i) => (requests[i]!.text === sentences[i]!.text ? translation : inCapitals(translation)));
    },

    explain: async (signal, sentence, ...rest) => {
      const request = this.#request(sentence);
      const traces = await this.#model.call(signal, "explain", request, ...rest);
      if (request.text === sentence.text) return traces;
      return traces.map(({ translation, tree, ...trace }) => ({
        ...trace,
        translation: inCapitals(translation),
        tree: tree && { ...tree, texts: tree.texts.map(inCapitals) },
      }));
    },

    align: (signal, source, target, ...rest) =>
      this.#model.call(signal, "align", this.#small(source), this.#small(target, this.#to), ...rest),
  };

  call: TranslatorModel["call"] = (signal, method, ...args) => {
    const ours = this.#methods[method as keyof Readers] as ((...args: unknown[]) => Promise<never>) | undefined;
    return ours ? ours(signal, ...args) : this.#model.call(signal, method, ...args);
  };

  free(reason: unknown): void {
    this.#model.free(reason);
  }

  #small(text: string, language = this.#from): string {
    return isInCapitals(text) ? inSmallLetters(text, language) : text;
  }

  /** As the model reads it, and what the translation has to begin with: if that has small letters, all is taken as it stands. */
  #request(sentence: SentenceRequest): SentenceRequest {
    if (!isInCapitals(sentence.text) || /\p{Ll}/u.test(sentence.beginning)) return sentence;
    return { ...sentence, text: inSmallLetters(sentence.text, this.#from), beginning: inSmallLetters(sentence.beginning, this.#to) };
  }
}
