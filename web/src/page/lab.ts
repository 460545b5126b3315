import type { Place } from "../elements/alignment-grid/alignment-grid.ts";
import type { EngineListener } from "../engine/engine.ts";
import { type ModelId, type Network, networkFor, networkOf, type TargetLanguage } from "../engine/models.ts";
import type { Changes, Failure, Level, Sentence } from "../engine/protocol.ts";
import { addressed, keepInAddress } from "./address.ts";
import "./attention-figure.ts";
import type { AttentionFigure } from "./attention-figure.ts";
import { ChangeDesk } from "./change-desk.ts";
import type { Wondering } from "./change-session.ts";
import { kNoChanges } from "./changes.ts";
import { doubtAbout } from "./doubt.ts";
import { examples, firstExample, offerExamples } from "./examples.ts";
import { fitsHash, fromHash, toHash, type Shown } from "./hash.ts";
import "./source-text.ts";
import type { SourceText } from "./source-text.ts";
import { showLanguage } from "./language-choice.ts";
import { StateNote } from "./state-note.ts";
import { keepInTab, keptInTab } from "./tab-store.ts";
import { Timers } from "./timers.ts";
import "./translation-text.ts";
import type { TranslationText } from "./translation-text.ts";
import { words as said } from "../words/words.ts";
import { loadingText, problemOf } from "./problems.ts";

/** One that is too long for an address. */
const kLongText = "long text";

/** What the page asks of an engine. */
export interface Translating extends Wondering {
  request(text: string, model: ModelId, level: Level): void;
  cancel(): void;
}

// Long enough that a fast typist's keys fall into one request, short enough to feel immediate.
const kDebounce = 60;
const kBusyAfter = 300;
// A screen reader hears the translation when the typing has come to rest.
const kAnnounceAfter = 1200;
const kAnswerAfter = 500;
const kLongestAnnouncement = 500;

/** The page: what is typed and chosen goes to the engine, what it answers is shown. */
export class Lab {
  readonly #engine: Translating;
  readonly #source = document.querySelector<SourceText>("source-text")!;
  readonly #translation = document.querySelector<TranslationText>("translation-text")!;
  readonly #figure = document.querySelector<AttentionFigure>("attention-figure")!;
  readonly #lost = document.querySelector<HTMLElement>("#lost")!;
  readonly #announcer = document.querySelector<HTMLElement>("#announcer")!;
  readonly #note = new StateNote(
    { loading: document.querySelector("#loading")!, problem: document.querySelector("#problem")! }, () => this.#loadAgain(),
    { loading: loadingText, problem: problemOf, cancel: { text: said.common.cancel, press: () => this.#stop() } });
  #shown: Shown = { text: keptInTab(kLongText) ?? firstExample, model: "transformer", level: "word", ...fromHash(addressed()) };
  readonly #desk: ChangeDesk;
  #sentences: Sentence[] = [];
  #after = "";
  #active = 0;
  /** The sentence that a link shows, until it comes. */
  #awaited: number | undefined;
  #first = true;
  /** The visitor did not want to wait for this model: it comes when it is asked for, not with the next key. */
  #unwanted: ModelId | undefined;
  readonly #timers = new Timers();

  constructor(start: (listener: EngineListener) => Translating) {
    this.#engine = start({
      loading: (model, fraction) => this.#loading(model, fraction),
      sentences: (from, sentences) => this.#receive(from, sentences),
      done: (count, after) => this.#done(count, after),
      failed: (failure) => this.#failed(failure),
    });
    this.#desk = new ChangeDesk({ figure: this.#figure, translation: this.#translation }, this.#engine, () => this.#show(),
      (text) => this.#timers.later("announce", kAnswerAfter, () => (this.#announcer.textContent = text)));
    this.#load();
    this.#wireInputs();
    offerExamples(document.querySelector<HTMLElement>("#examples")!, (text) => this.#change({ text }));
    this.#wireMarks();
    this.#showChoices();
    this.#source.value = this.#shown.text;
    this.#translate();
  }

  #wireInputs(): void {
    this.#source.addEventListener("input", () => {
      this.#shown.text = this.#source.value;
      this.#showChoices();
      this.#timers.later("translate", kDebounce, () => this.#translate());
    });
    document.addEventListener("selectionchange", () => {
      if (this.#source.hasFocus) this.#activate(this.#sentenceAt(this.#source.caret));
    });
    document.querySelector("#model")!.addEventListener("change", (event) => {
      this.#change({ model: (event.target as HTMLInputElement).value as Network });
    });
    document.querySelector("#to")!.addEventListener("change", (event) => {
      this.#change({ to: (event.target as HTMLSelectElement).value as TargetLanguage });
    });
    document.querySelector("#level")!.addEventListener("change", (event) => {
      this.#change({ level: (event.target as HTMLInputElement).value as Level });
    });
    // For the page that tells how it is computed.
    addEventListener("pagehide", () => {
      const own = this.#sentences[this.#active];
      if (own) keepInTab("sentence", this.#shown.text.slice(own.start, own.end));
      keepInTab("network", this.#shown.model);
    });
    addEventListener("hashchange", () => {
      this.#change({ changes: undefined, at: 0, ...fromHash(location.hash) });
      this.#load();
    });
  }

  #wireMarks(): void {
    this.#figure.addEventListener("pair", ({ detail }) => this.#markWords(detail));
    this.#figure.addEventListener("view", ({ detail }) => {
      this.#shown.view = detail;
      this.#showChoices();
      this.#show();
    });
    this.#figure.link = () => ({ href: new URL(toHash(this.#shown), location.href).href, isWhole: fitsHash(this.#shown) });
    this.#figure.addEventListener("turn", ({ detail }) => this.#activate(this.#active + detail));
    this.#translation.addEventListener("sentence", ({ detail }) => this.#activate(detail.index));
    this.#translation.addEventListener("token", ({ detail }) => {
      const place = { row: detail.index, column: null };
      this.#figure.mark(place);
      this.#markWords(place);
    });
  }

  #change(change: Partial<Shown>): void {
    if (change.model || change.to) this.#unwanted = undefined;
    Object.assign(this.#shown, change);
    this.#shown.model = networkFor(this.#shown.to, this.#shown.model);
    if (this.#source.value !== this.#shown.text) this.#source.value = this.#shown.text;
    this.#showChoices();
    this.#translate();
  }

  /** A link shows the sentence at its place, which its changes are for. */
  #load(): void {
    this.#awaited = this.#shown.at ?? (this.#shown.changes && 0);
    this.#desk.session.load(this.#shown.changes ?? kNoChanges);
  }

  #showChoices(): void {
    const { text, to, model, level, view } = this.#shown;
    this.#figure.view = view;
    this.#translation.lang = to;
    showLanguage(to);
    document.querySelector<HTMLInputElement>(`#model [value=${model}]`)!.checked = true;
    document.querySelector<HTMLInputElement>(`#level [value=${level}]`)!.checked = true;
    document.querySelector("#about-model")!.textContent = said.index.aboutModel[model];
    document.querySelectorAll("#examples button").forEach((button, index) => {
      button.ariaPressed = String(examples[index] === text);
    });
    this.#address();
  }

  #address(): void {
    const write = () => {
      keepInTab(kLongText, fitsHash(this.#shown) ? null : this.#shown.text);
      return toHash(this.#shown);
    };
    keepInAddress(write, () => !this.#first);
  }

  #keep(changes: Changes): void {
    const isOther = changes !== this.#shown.changes || this.#active !== (this.#shown.at ?? 0);
    Object.assign(this.#shown, { changes, at: this.#active });
    if (isOther) this.#address();
  }

  get #model(): ModelId {
    return `${this.#shown.to}-${this.#shown.model}`;
  }

  #translate(): void {
    this.#timers.cancel("translate");
    const { text, level } = this.#shown;
    if (this.#model === this.#unwanted) return;
    this.#engine.request(text, this.#model, level);
    this.#timers.later("busy", kBusyAfter, () => (this.#translation.ariaBusy = "true"));
  }

  #loading(model: ModelId, fraction: number): void {
    if (model === this.#model && model !== this.#unwanted) this.#note.loading(networkOf(model), fraction);
  }

  #stop(): void {
    this.#unwanted = this.#model;
    this.#engine.cancel();
    this.#failed({ code: "cancelled", message: "" });
    document.querySelector<HTMLElement>("#problem button")?.focus(); // where the pressed button was, there is none now
  }

  #loadAgain(): void {
    this.#unwanted = undefined;
    this.#translate();
  }

  // Sentences that follow the new ones are the old text's; they stay until the answer is complete, so that a long text
  // does not collapse and grow again with every key.
  #receive(from: number, sentences: Sentence[]): void {
    this.#note.clear();
    this.#settle();
    this.#sentences.splice(from, sentences.length, ...sentences);
    if (this.#first && sentences.length > 0) {
      this.#first = false;
      performance.mark("first-translation");
    }
    if (this.#source.hasFocus) this.#active = this.#sentenceAt(this.#source.caret);
    this.#show();
  }

  #done(count: number, after: string): void {
    this.#sentences.length = count;
    this.#after = after;
    if (this.#awaited !== undefined && this.#awaited >= count) this.#awaited = undefined;
    this.#show();
    this.#timers.later("announce", kAnnounceAfter, () => {
      const text = this.#sentences.map(({ translation }) => translation).join(" ");
      this.#announcer.textContent = text.length > kLongestAnnouncement ? said.index.translated(count) : text;
    });
  }

  #failed(failure: Failure): void {
    this.#settle();
    this.#sentences = [];
    this.#after = "";
    this.#show();
    this.#note.failed(failure);
  }

  #settle(): void {
    this.#timers.cancel("busy");
    this.#translation.ariaBusy = "false";
  }

  #show(): void {
    const count = this.#sentences.length;
    if (this.#awaited !== undefined && this.#awaited < count) {
      this.#active = this.#awaited;
      this.#awaited = undefined;
    }
    this.#active = Math.max(0, Math.min(this.#active, count - 1));
    const { text, level, view } = this.#shown;
    const own = this.#sentences[this.#active];
    const isReady = own && this.#awaited === undefined;
    const sentence = !isReady ? own : this.#desk.begin({ sentence: own, text: text.slice(own.start, own.end), index: this.#active, model: this.#model, level });
    if (isReady) this.#keep(this.#desk.session.changes);
    this.#translation.show(sentence ? this.#sentences.with(this.#active, sentence) : this.#sentences, this.#active, this.#after);
    const doubt = sentence && own ? doubtAbout(sentence, text.slice(own.start, own.end)) : "";
    this.#lost.hidden = doubt === "";
    this.#lost.textContent = doubt;
    this.#figure.show(sentence, level, { index: this.#active, count });
    this.#desk.show(sentence, view.picture);
    this.#source.marks = [];
  }

  #activate(index: number): void {
    if (index === this.#active || !this.#sentences[index]) return;
    this.#active = index;
    this.#show();
  }

  #sentenceAt(offset: number): number {
    const index = this.#sentences.findLastIndex(({ start }) => start <= offset);
    return Math.max(0, index);
  }

  /** Marks in both texts what is marked in the grid: a pair, or one word and what belongs to it by weight. */
  #markWords({ row, column }: Place): void {
    const sentence = this.#desk.session.sentence;
    if (!sentence?.attention) return;
    const { sourceTokens, targetTokens, attention, start } = sentence;
    const weight = (r: number, c: number) => attention[r * sourceTokens.length + c] ?? 0;
    const isRow = row !== null && column === null;
    const isColumn = row === null && column !== null;
    this.#translation.mark(targetTokens.map((_, r) => (isColumn ? weight(r, column) : 0)), row);
    this.#source.marks = row === null && column === null ? [] : sourceTokens.map((token, c) => ({
      start: start + token.start,
      end: start + token.end,
      strength: isRow ? weight(row, c) : 0,
      chosen: c === column,
    }));
  }
}
