/// <reference lib="esnext.disposable" preserve="true" />
export { SoftalignError, type SoftalignErrorCode } from "./errors.js";
export {
  Translator,
  type AlignOptions,
  type Availability,
  type ExplainOptions,
  type LanguagePair,
  type Level,
  type TranslateOptions,
  type TranslatorOptions,
} from "./translator.js";
export type { Explanation, Token } from "./explanation.js";
export type { CreateMonitor, DownloadProgressEvent } from "./download.js";
export * from "./layers/index.js";
export { engineStatus, type EngineStatus } from "./engine.js";
