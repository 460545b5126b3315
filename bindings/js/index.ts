/// <reference lib="esnext.disposable" preserve="true" />
export { SoftalignError, type SoftalignErrorCode } from "./errors.js";
export { Translator } from "./translator.js";
export type {
  AlignOptions,
  ExplainOptions,
  LanguagePair,
  NBest,
  NBestOptions,
  SearchNode,
  TranslateOptions,
  TranslatorOptions,
} from "./translator-options.js";
export type { Level } from "./arguments.js";
export { strongestLinks, type Explanation, type HeadWeights } from "./explanation.js";
export type { Repetition } from "./repetition.js";
export type { AttentionHead, EditedRow, Edits } from "./edits.js";
export type { Glossary } from "./glossary.js";
export type { Token } from "./tokens.js";
export {
  Classifier,
  LanguageModel,
  MaskedLanguageModel,
  TextModel,
  Tagger,
  type Classification,
  type Guess,
  type MaskedLook,
  type LoadOptions,
  type Reading,
  type ReadOptions,
  type TaggedWord,
  type Tagging,
} from "./text-models.js";
export type { Availability, FileReference, MarianFiles, ModelReference, TranslatorModelReference } from "./models.js";
export type { CreateMonitor, DownloadProgressEvent } from "./create-monitor.js";
export * from "./layers/index.js";
export { engineStatus, type EngineStatus } from "./engine.js";
