import type { Level } from "../engine/protocol.ts";
import type { YoursEngine } from "../engine/yours.ts";
import { EngineFailure } from "../engine/yours.ts";
import type { Languages, Translated } from "../engine/yours-protocol.ts";
import "../page/pair-figure.ts";
import "../page/source-text.ts";
import type { SourceText } from "../page/source-text.ts";
import { labels } from "../page/token-labels.ts";
import type { SideNames } from "../page/side-names.ts";
import { capital, languageName } from "../words/language.ts";
import { words } from "../words/words.ts";
import { failureOf, type Trouble } from "./words.ts";

const kDebounce = 120;
const kLongest = 1000;
/** To have something to look at; other languages' readers write their own. */
const kFirstText = "I am cold, but I don't want to go home yet.";

/** Translates what is typed with the model in use, and draws what it looked at. */
export class UseView {
  readonly #section = document.querySelector<HTMLElement>("#use")!;
  readonly #source = this.#section.querySelector<SourceText>("source-text")!;
  readonly #area = this.#section.querySelector("textarea")!;
  readonly #output = this.#section.querySelector("output")!;
  readonly #note = this.#section.querySelector<HTMLElement>("#note")!;
  readonly #figure = this.#section.querySelector("pair-figure")!;
  readonly #engine: Pick<YoursEngine, "translate">;
  readonly #failed: (trouble: Trouble) => void;
  #name = "";
  #level: Level = "word";
  #asked = 0;
  #timer = 0;
  #wrote = false;

  constructor(engine: Pick<YoursEngine, "translate">, failed: (trouble: Trouble) => void) {
    this.#engine = engine;
    this.#failed = failed;
    this.#source.addEventListener("input", () => {
      this.#wrote = true;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => void this.#translate(), kDebounce);
    });
    this.#section.querySelector("#level")!.addEventListener("change", (event) => {
      this.#level = (event.target as HTMLInputElement).value as Level;
      void this.#translate();
    });
  }

  /** Another model has opened. */
  start(name: string, languages: Languages): void {
    this.#name = name;
    const names: SideNames = { source: languageName(languages.source), target: languageName(languages.target) };
    this.#section.hidden = false;
    this.#section.querySelector("h2")!.textContent = words.yours.use(name);
    this.#section.querySelector("label[for=text]")!.textContent = capital(names.source);
    this.#section.querySelector("#translation-title")!.textContent = capital(names.target);
    this.#area.lang = languages.source;
    this.#output.lang = languages.target;
    this.#figure.names = names;
    if (!this.#wrote) this.#source.value = /^en\b/.test(languages.source) ? kFirstText : "";
    void this.#translate();
  }

  /** The visitor's own text; undefined before there is one. */
  get written(): string | undefined {
    return this.#wrote ? this.#source.value : undefined;
  }

  set written(text: string) {
    this.#wrote = true;
    this.#source.value = text;
  }

  async #translate(): Promise<void> {
    clearTimeout(this.#timer);
    const asked = ++this.#asked;
    const text = this.#source.value;
    if (text.trim() === "" || text.length > kLongest) {
      this.#show(undefined, text.length > kLongest ? words.yours.tooLong(text.length, kLongest) : "");
      return;
    }
    try {
      const translated = await this.#engine.translate(text, this.#level);
      if (asked === this.#asked) this.#show(translated, translated.attention ? "" : words.yours.noAttention);
    } catch (error) {
      if (!(error instanceof EngineFailure)) throw error;
      // Destroyed: another model has opened meanwhile, and is asked next.
      if (asked !== this.#asked || error.failure.code === "destroyed") return;
      this.#show(undefined, "");
      this.#failed(failureOf(this.#name, error.failure));
    }
  }

  #show(translated: Translated | undefined, note: string): void {
    this.#note.textContent = note;
    this.#output.textContent = translated?.translation ?? "";
    const { sourceTokens = [], targetTokens = [], attention = null, level = this.#level } = translated ?? {};
    this.#figure.show(attention && targetTokens.length > 0
      ? { source: labels(sourceTokens, level), target: labels(targetTokens, level), attention } : undefined);
  }
}
