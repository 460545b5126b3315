import type { SentenceRequest, SentenceTrace } from "./core.js";
import type { TranslatorMethods, TranslatorModel } from "./pivot.js";
import { type Change, exchange, moved, StandIns } from "./stand-ins.js";

type Readers = Pick<TranslatorMethods, "translate" | "explain" | "align">;

/**
 * A model that keeps placeholders and addresses as they are. It reads names in their place, and they take the place of the names
 * in the translation.
 */
export class KeepingReader implements TranslatorModel {
  readonly #model: TranslatorModel;
  readonly #takesTerms: boolean;
  readonly ended: AbortSignal;

  /** @param takesTerms whether the model can be told to say a word. Where it does not, a name may be lost, and what it stood for with it. */
  constructor(model: TranslatorModel, takesTerms: boolean) {
    this.#model = model;
    this.#takesTerms = takesTerms;
    this.ended = model.ended;
  }

  readonly #methods: Readers = {
    translate: async (signal, sentences, ...rest) => {
      const read = sentences.map((sentence) => this.#read(sentence));
      const translations = await this.#model.call(signal, "translate", read.map(({ request }) => request), ...rest);
      return translations.map((translation, i) => exchange(translation, read[i]!.standIns.outOf(translation)).text);
    },

    explain: async (signal, sentence, ...rest) => {
      const { standIns, request, back } = this.#read(sentence);
      const traces = await this.#model.call(signal, "explain", request, ...rest);
      return traces.map((trace) => restored(trace, back, standIns));
    },

    align: async (signal, source, target, ...rest) => {
      const standIns = new StandIns([source, target]);
      const [from, to] = [source, target].map((text) => exchange(text, standIns.into(text))) as [Exchanged, Exchanged];
      const trace = await this.#model.call(signal, "align", from.text, to.text, ...rest);
      return { ...trace, sourceRanges: moved(trace.sourceRanges, from.back), targetRanges: moved(trace.targetRanges, to.back), translation: target };
    },
  };

  call: TranslatorModel["call"] = (signal, method, ...args) => {
    const ours = this.#methods[method as keyof Readers] as ((...args: unknown[]) => Promise<never>) | undefined;
    return ours ? ours(signal, ...args) : this.#model.call(signal, method, ...args);
  };

  free(reason: unknown): void {
    this.#model.free(reason);
  }

  #read(sentence: SentenceRequest): { standIns: StandIns; request: SentenceRequest; back: Change[] } {
    const standIns = new StandIns([sentence.text], [sentence.beginning, ...sentence.terms.map(({ text }) => text)]);
    const changes = standIns.into(sentence.text);
    if (changes.length === 0) return { standIns, request: sentence, back: [] };
    const { text, back } = exchange(sentence.text, changes);
    const beginning = exchange(sentence.beginning, standIns.into(sentence.beginning)).text;
    // Who hides words from the network wants to see what comes of it.
    const isFree = sentence.edits !== undefined && (sentence.edits.mask.length > 0 || sentence.edits.uniform);
    const terms = standIns.terms(sentence, changes, this.#takesTerms && !isFree);
    return { standIns, request: { ...sentence, text, beginning, terms }, back };
  }
}

type Exchanged = ReturnType<typeof exchange>;

/** A trace of what was translated, of what it is instead. */
function restored(trace: SentenceTrace, source: readonly Change[], standIns: StandIns): SentenceTrace {
  const changes = standIns.outOf(trace.translation);
  return {
    ...trace,
    translation: exchange(trace.translation, changes).text,
    sourceRanges: moved(trace.sourceRanges, source),
    targetRanges: moved(trace.targetRanges, changes),
    tree: trace.tree && { ...trace.tree, texts: trace.tree.texts.map((text) => exchange(text, standIns.outOf(text)).text) },
  };
}
