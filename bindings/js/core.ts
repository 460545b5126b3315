import type { AttentionHead } from "./edits.js";

// What bindings/cpp exports: plain values and handles, nothing else. Every call answers with a
// Result, because no C++ exception crosses the boundary. (Internal: comments like these stay out of the declarations.)

export type Result<T> =
  | { value: T; error?: undefined }
  | { value?: undefined; error: { code: string; message: string } };

// An object that lives in the WASM memory until `delete()`.
export interface Handle {
  delete(): void;
}

// One sentence as the model saw it. Ranges are pairs (start, end) of JavaScript string offsets.
export interface SentenceTrace {
  translation: string;
  sourceRanges: Uint32Array;
  targetRanges: Uint32Array;
  // Of pieces, their numbers in the vocabulary, that of the end last; of words, none.
  sourceIds: Int32Array;
  targetIds: Int32Array;
  // [targets + 1, sources + 1], the last row and column being the end of the sentence.
  attention: Float32Array | null;
  // targets + 1 probabilities, the last one that of ending the sentence here.
  confidence: Float32Array;
  // Sum of the log-probabilities of all predicted pieces (sentence end included), and how many they are.
  logProbability: number;
  predictions: number;
  // If asked for: [targets + 1, sources + 1] of "cross", [sources + 1, sources + 1] of "encoder", [targets + 1, targets + 1] of "decoder".
  heads: (AttentionHead & { weights: Float32Array })[];
  // If asked for, of the best: the pieces that the search followed, each behind its parent; the sentence's end is "".
  tree: { texts: string[]; parents: Int32Array; logProbability: Float32Array } | null;
}

// {@link Edits} whose indices are counted from the beginning of a sentence: what is beyond it is not its.
export interface SentenceEdits {
  mask: number[];
  off: AttentionHead[];
  // In the order of their tokens.
  rows: { target: number; weights: Float32Array; head: AttentionHead | undefined }[];
  uniform: boolean;
  // Whether the end of the sentence is a token.
  special: boolean;
}

// A sentence to translate.
export interface SentenceRequest {
  text: string;
  // What the translation begins with, or "".
  beginning: string;
  // What occurs in it, and what that translates: bytes begin <= i < end of the text in UTF-8.
  terms: { text: string; begin: number; end: number }[];
  edits?: SentenceEdits | undefined;
}

// How to search for translations, and what to tell of them.
export interface SearchWishes {
  beam: number;
  // 0 is the engine's own limit.
  maxLengthFactor: number;
  // Translations, the best first.
  count: number;
  // Whether tokens are words.
  words: boolean;
  heads: boolean;
  tree: boolean;
}

export interface TranslatorCore extends Handle {
  // A `maxLengthFactor` of 0 is the engine's own limit.
  translate(sentences: SentenceRequest[], beam: number, maxLengthFactor: number): Result<string[]>;
  // The best translations of a sentence.
  explain(sentence: SentenceRequest, wishes: SearchWishes): Result<SentenceTrace[]>;
  align(source: string, target: string, words: boolean, heads: boolean): Result<SentenceTrace>;
  sourceLanguage(): Result<string>;
  targetLanguage(): Result<string>;
  // Where each piece begins, in JavaScript string offsets.
  pieceStarts(text: string): Result<Uint32Array>;
}

// A text as a language model read it.
export interface ReadingTrace {
  ranges: Uint32Array;
  // [tokens, tokens + 1], the first column being the beginning of the text.
  attention: Float32Array | null;
  logProbability: Float32Array;
  // Log-probability of the end of the text, and how many pieces came before it.
  end: number;
  pieces: number;
}

export interface LanguageModelCore extends Handle {
  read(text: string, words: boolean): Result<ReadingTrace>;
}

export interface CoreTensor {
  data: Float32Array;
  shape: number[];
}

export interface TaggerCore extends Handle {
  labels(): Result<string[]>;
  tag(words: string[]): Result<{ probability: Float32Array; attention: CoreTensor[] }>;
}

export interface ClassifierCore extends Handle {
  labels(): Result<string[]>;
  classify(
    text: string,
    words: boolean,
  ): Result<{ ranges: Uint32Array; probability: Float32Array; weights: Float32Array; attention: CoreTensor[] }>;
}

export interface MaskedLanguageModelCore extends Handle {
  look(parts: string[], words: boolean): Result<{ ranges: Uint32Array; attention: CoreTensor[] }>;
  // For each place between two parts, the likeliest pieces.
  fill(parts: string[], count: number): Result<{ text: string; beginsWord: boolean; probability: number }[][]>;
}

// Any layer. What goes in and comes out is by name; bindings/cpp/layers knows the names of each.
export interface LayerCore extends Handle {
  forward(inputs: unknown): Result<unknown>;
}

export interface NamedTensor {
  name: string;
  tensor: CoreTensor;
}

export interface CoreModule {
  createTranslator(model: Uint8Array): Result<TranslatorCore>;
  // Of an empty array for what the model does not have.
  createMarianTranslator(
    weights: Uint8Array,
    sourceVocabulary: Uint8Array,
    targetVocabulary: Uint8Array,
    shortlist: Uint8Array,
    sourceLanguage: string,
    targetLanguage: string,
  ): Result<TranslatorCore>;
  createLanguageModel(model: Uint8Array): Result<LanguageModelCore>;
  createTagger(model: Uint8Array): Result<TaggerCore>;
  createClassifier(model: Uint8Array): Result<ClassifierCore>;
  createMaskedLanguageModel(model: Uint8Array): Result<MaskedLanguageModelCore>;
  createLayer(kind: string, options: unknown, weights: unknown): Result<LayerCore>;
  readSafetensors(file: Uint8Array): Result<NamedTensor[]>;
  liveHandles(): number;
  // Says which function of the module's table multiplies bytes.
  multiplyBytesBy(index: number): void;
  heapBytes(): number;
}
