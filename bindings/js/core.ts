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

export interface GruCore extends Handle {
  run(inputs: Float32Array, initial: Float32Array): Result<Float32Array>;
}

export interface AttentionResult {
  context: Float32Array;
  alignment: Float32Array;
}

export interface AttentionCore extends Handle {
  attend(query: Float32Array, keys: Float32Array, values: Float32Array): Result<AttentionResult>;
}

export interface CoreModule {
  createTranslator(model: Uint8Array): Result<TranslatorCore>;
  createGru(
    input: number,
    hidden: number,
    inputWeight: Float32Array,
    hiddenWeight: Float32Array,
    inputBias: Float32Array,
    hiddenBias: Float32Array,
  ): Result<GruCore>;
  createAdditiveAttention(
    query: number,
    key: number,
    width: number,
    queryWeight: Float32Array,
    keyWeight: Float32Array,
    bias: Float32Array,
    score: Float32Array,
  ): Result<AttentionCore>;
  createDotAttention(
    query: number,
    key: number,
    width: number,
    queryWeight: Float32Array,
    keyWeight: Float32Array,
  ): Result<AttentionCore>;
  liveHandles(): number;
  heapBytes(): number;
}
