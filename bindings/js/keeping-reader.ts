import { isInCapitals } from "./capitals.js";
import type { SentenceRequest, SentenceTrace } from "./core.js";
import { keptIn, withoutKept } from "./kept-text.js";
import type { TranslatorMethods, TranslatorModel } from "./pivot.js";

/** Words that models know and leave as they are, for what may be somebody or something, somewhere, or a number. */
const words = {
  name: ["Tom", "Mary", "John", "Bob", "Peter", "Laura"],
  place: ["Boston", "Chicago", "Madrid"],
  number: ["25", "37", "48", "16"],
};

function kindOf(kept: string): keyof typeof words {
  if (/^(?:\w+:\/\/|www\.)/.test(kept)) return "place";
  return /^%(?:\d\$)?[diu]$|^\W+(?:n|.*(?:count|num|total|amount|quantity).*)\W+$/i.test(kept) ? "number" : "name";
}

/** A stretch of a text and what takes its place. */
interface Change {
  start: number;
  end: number;
  to: string;
}

/** A text after changes, which are in order, and those that undo them. */
function exchange(text: string, changes: readonly Change[]): { text: string; back: Change[] } {
  const back: Change[] = [];
  let [result, done] = ["", 0];
  for (const { start, end, to } of changes) {
    result += text.slice(done, start);
    back.push({ start: result.length, end: result.length + to.length, to: text.slice(start, end) });
    result += to;
    done = end;
  }
  return { text: result + text.slice(done), back };
}

/** Where offsets of a text are after changes. In the middle of one they go to its end: of pieces of a word the first has it all. */
function moved(offsets: Uint32Array, changes: readonly Change[]): Uint32Array {
  return offsets.map((offset) => {
    let after = offset;
    for (const { start, end, to } of changes) {
      if (offset <= start) break;
      after += to.length - (Math.min(offset, end) - start);
    }
    return after;
  });
}

const bytesIn = (text: string) => new TextEncoder().encode(text).length;

/** Which word stands for what, in a sentence and its translation. */
class StandIns {
  readonly #wordFor = new Map<string, string>();
  readonly #keptFor = new Map<string, string>();

  /** Words that occur in the texts stand for nothing. If there are not enough, the model has to read the rest as it is. */
  constructor(...texts: readonly string[]) {
    const taken = texts.join("\n").toLowerCase();
    for (const { text } of texts.flatMap(keptIn)) {
      if (this.#wordFor.has(text)) continue;
      const word = words[kindOf(text)].find((each) => !taken.includes(each.toLowerCase()) && !this.#keptFor.has(each.toLowerCase()));
      if (!word) continue;
      this.#wordFor.set(text, word);
      this.#keptFor.set(word.toLowerCase(), text);
    }
  }

  /** How a text gets the words, in capitals if it is. */
  into(text: string): Change[] {
    const capitals = isInCapitals(withoutKept(text));
    return keptIn(text).flatMap(({ text: kept, start, end }) => {
      const word = this.#wordFor.get(kept);
      return word ? { start, end, to: capitals ? word.toUpperCase() : word } : [];
    });
  }

  /** How it loses them again. */
  outOf(text: string): Change[] {
    if (this.#keptFor.size === 0) return [];
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${[...this.#keptFor.keys()].join("|")})(?![\\p{L}\\p{N}])`, "giu");
    return Array.from(text.matchAll(pattern), ({ 0: word, index }) => {
      return { start: index, end: index + word.length, to: this.#keptFor.get(word.toLowerCase()) as string };
    });
  }

  /** The terms of a sentence after its changes, and each of the words as one. */
  terms({ text, terms }: SentenceRequest, changes: readonly Change[]): SentenceRequest["terms"] {
    // Terms count in bytes; the words have one for each letter.
    const inBytes = changes.map(({ start, end, to }) => ({ start: bytesIn(text.slice(0, start)), end: bytesIn(text.slice(0, end)), to }));
    const placed = (said: string, begin: number, end: number) => {
      const [first, last] = moved(Uint32Array.of(begin, end), inBytes);
      return { text: said, begin: first as number, end: last as number };
    };
    return [
      ...terms.filter((term) => !inBytes.some(({ start, end }) => term.begin < end && start < term.end)).map((term) => placed(term.text, term.begin, term.end)),
      ...inBytes.map(({ start, end }, i) => placed(this.#wordFor.get(text.slice(changes[i]!.start, changes[i]!.end)) as string, start, end)),
    ];
  }
}

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
      const standIns = new StandIns(source, target);
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
    const standIns = new StandIns(sentence.text);
    const changes = standIns.into(sentence.text);
    if (changes.length === 0) return { standIns, request: sentence, back: [] };
    const { text, back } = exchange(sentence.text, changes);
    const beginning = exchange(sentence.beginning, standIns.into(sentence.beginning)).text;
    const terms = this.#takesTerms ? standIns.terms(sentence, changes) : sentence.terms;
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
