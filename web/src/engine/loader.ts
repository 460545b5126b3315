import { Translator } from "softalign";
import { languageOf, type ModelId } from "./models.ts";

/**
 * The translators of this worker, each loaded once, at its first use. Loaded ones stay, so that switching back is instant.
 * A load that nobody waits for any more is given up, and one that failed is tried again the next time.
 */
export class Loader {
  readonly #ready = new Map<ModelId, Translator>();
  #pending: { model: ModelId; translator: Promise<Translator>; abort: AbortController } | undefined;
  readonly #onProgress: (model: ModelId, fraction: number) => void;

  constructor(onProgress: (model: ModelId, fraction: number) => void) {
    this.#onProgress = onProgress;
  }

  atHand(model: ModelId): Translator | undefined {
    return this.#ready.get(model);
  }

  async get(model: ModelId): Promise<Translator> {
    const ready = this.#ready.get(model);
    if (ready) return ready;
    if (this.#pending?.model !== model) {
      this.cancel();
      const abort = new AbortController();
      this.#pending = { model, abort, translator: this.#load(model, abort) };
    }
    return this.#pending!.translator;
  }

  /** Gives up what is being loaded, if anything is. */
  cancel(): void {
    this.#pending?.abort.abort();
    this.#pending = undefined;
  }

  /** Frees a translator that failed, so that the next use loads it anew. */
  drop(model: ModelId): void {
    this.#ready.get(model)?.destroy();
    this.#ready.delete(model);
  }

  async #load(model: ModelId, { signal }: AbortController): Promise<Translator> {
    try {
      const translator = await Translator.create({
        sourceLanguage: "en",
        targetLanguage: languageOf(model),
        model: `en-${model}`,
        signal,
        monitor: (monitor) =>
          monitor.addEventListener("downloadprogress", ({ loaded }) => this.#onProgress(model, loaded)),
      });
      this.#ready.set(model, translator);
      return translator;
    } finally {
      if (this.#pending?.abort.signal === signal) this.#pending = undefined;
    }
  }
}
