// What bindings/cpp exports: plain values and handles, nothing else. Every call answers with a
// Result, because no C++ exception crosses the boundary.

export type Result<T> =
  | { value: T; error?: undefined }
  | { value?: undefined; error: { code: string; message: string } };

/** An object that lives in the WASM memory until `delete()`. */
export interface Handle {
  delete(): void;
}

/** One sentence as the model saw it. Ranges are pairs (start, end) of JavaScript string offsets. */
export interface SentenceTrace {
  translation: string;
  sourceRanges: Uint32Array;
  targetRanges: Uint32Array;
  /** [targets + 1, sources + 1], the last row and column being the end of the sentence. */
  attention: Float32Array | null;
  /** targets + 1 probabilities, the last one that of ending the sentence here. */
  confidence: Float32Array;
  /** Sum of the log-probabilities of all predicted pieces, and how many they are. */
  logProbability: number;
  predictions: number;
}

export interface TranslatorCore extends Handle {
  translate(sentence: string, beam: number): Result<string>;
  explain(sentence: string, beam: number, words: boolean): Result<SentenceTrace>;
  align(source: string, target: string, words: boolean): Result<SentenceTrace>;
  sourceLanguage(): Result<string>;
  targetLanguage(): Result<string>;
  /** Where each piece begins, in JavaScript string offsets. */
  pieceStarts(text: string): Result<Uint32Array>;
}

/** Any layer. What goes in and comes out is by name; bindings/cpp/layers knows the names of each. */
export interface LayerCore extends Handle {
  forward(inputs: unknown): Result<unknown>;
}

export interface NamedTensor {
  name: string;
  tensor: { data: Float32Array; shape: number[] };
}

export interface CoreModule {
  createTranslator(model: Uint8Array): Result<TranslatorCore>;
  createLayer(kind: string, options: unknown, weights: unknown): Result<LayerCore>;
  readSafetensors(file: Uint8Array): Result<NamedTensor[]>;
  liveHandles(): number;
  heapBytes(): number;
}
