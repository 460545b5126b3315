import type { AlignListener } from "../engine/align.ts";
import type { Align, Alignment, AlignModel } from "../engine/align-protocol.ts";
import { networkFor, type TargetLanguage } from "../engine/models.ts";
import type { Failure, Level } from "../engine/protocol.ts";
import type { Place } from "../elements/alignment/data.ts";
import { addressed, keepInAddress } from "../page/address.ts";
import { showLanguage } from "../page/language-choice.ts";
import "../page/pair-figure.ts";
import "../page/source-text.ts";
import type { SourceText } from "../page/source-text.ts";
import { StateNote } from "../page/state-note.ts";
import { labels } from "../page/token-labels.ts";
import { loadingText } from "../page/problems.ts";
import { sideNames } from "../page/side-names.ts";
import { WordRow } from "../uses/word-row.ts";
import { fitsHash, fromHash, type Shown, toHash } from "./hash.ts";
import { capital } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import { bitsText, examples, kFirst, moreOfWord, noteOn, obstacle, problemOf, summaryOf, surpriseStep, tintOf, verdictOf } from "./words.ts";

/** What the page asks of an engine. */
export interface Aligning {
  align(request: Pick<Align, "source" | "target" | "to" | "model" | "level">): void;
  forget(): void;
  cancel(): void;
}

const kDebounce = 120;
// A screen reader hears the answer when the typing has come to rest.
const kAnnounceAfter = 1200;

/** The page: two texts and what is chosen go to the engine, what it answers is shown. */
export class AlignLab {
  readonly #engine: Aligning;
  readonly #texts = {
    source: document.querySelector<SourceText>("source-text.source")!, target: document.querySelector<SourceText>("source-text.target")!,
  };
  readonly #area = document.querySelector<HTMLTextAreaElement>("source-text.target textarea")!;
  readonly #figure = document.querySelector("pair-figure")!;
  readonly #surprise = document.querySelector<HTMLElement>("#surprise")!;
  readonly #verdict = document.querySelector<HTMLElement>("#verdict")!;
  readonly #hint = document.querySelector<HTMLElement>("#hint")!;
  readonly #announcer = document.querySelector<HTMLElement>("#announcer")!;
  readonly #row = new WordRow(said.align.rowName, { point: (index) => this.#point({ row: index, column: null }) });
  readonly #note = new StateNote<AlignModel>(
    { loading: document.querySelector("#loading")!, problem: document.querySelector("#problem")! }, () => this.#loadAgain(),
    { loading: loadingText, problem: problemOf, cancel: { text: said.common.cancel, press: () => this.#stop() } });
  #shown: Shown = { ...examples.fr[kFirst]!, model: "transformer", level: "word", ...fromHash(addressed()) };
  #alignment: Alignment | undefined;
  /** The visitor did not want to wait for this model: it comes when it is asked for, not with the next key. */
  #unwanted: AlignModel | undefined;
  readonly #timers = new Map<string, number>();

  constructor(start: (listener: AlignListener) => Aligning) {
    this.#engine = start({
      loading: (model, fraction) => {
        if (model === this.#shown.model) this.#note.loading(model, fraction);
      },
      aligned: (alignment) => this.#receive(alignment),
      failed: (failure) => this.#failed(failure),
    });
    document.querySelector("#words")!.append(this.#row.element);
    document.querySelector("#about-bits")!.textContent = said.align.aboutBits;
    this.#wire();
    this.#wireExamples();
    this.#change({});
  }

  #wire(): void {
    for (const side of ["source", "target"] as const) {
      this.#texts[side].addEventListener("input", () => {
        this.#shown[side] = this.#texts[side].value;
        this.#showChoices(true);
        this.#later("align", kDebounce, () => this.#align());
      });
    }
    document.querySelector("#model")!.addEventListener("change", (event) => {
      this.#change({ model: (event.target as HTMLInputElement).value as AlignModel });
    });
    document.querySelector("#to")!.addEventListener("change", (event) => {
      this.#translateTo((event.target as HTMLSelectElement).value as TargetLanguage);
    });
    document.querySelector("#level")!.addEventListener("change", (event) => {
      this.#change({ level: (event.target as HTMLInputElement).value as Level });
    });
    this.#figure.addEventListener("pair", ({ detail }) => this.#markWords(detail));
    this.#figure.addEventListener("view", ({ detail }) => {
      this.#shown.view = detail;
      this.#showChoices(true);
    });
    this.#figure.link = () => ({ href: new URL(toHash(this.#shown), location.href).href, isWhole: fitsHash(this.#shown) });
    addEventListener("hashchange", () => this.#change(fromHash(location.hash)));
  }

  #wireExamples(): void {
    document.querySelectorAll<HTMLButtonElement>("#examples button").forEach((button, index) => {
      button.addEventListener("click", () => this.#change(examples[this.#shown.to][index]!, true));
    });
  }

  /** An example's translation is one to that language then. */
  #translateTo(to: TargetLanguage): void {
    const { source, target } = this.#shown;
    const example = examples[this.#shown.to].findIndex((each) => each.source === source && each.target === target);
    this.#change({ to, ...examples[to][example] }, true);
  }

  #change(change: Partial<Shown>, byVisitor = change.model !== undefined || change.level !== undefined): void {
    if (change.model || change.to) this.#unwanted = undefined;
    Object.assign(this.#shown, change);
    this.#shown.model = networkFor(this.#shown.to, this.#shown.model);
    for (const side of ["source", "target"] as const) {
      if (this.#texts[side].value !== this.#shown[side]) this.#texts[side].value = this.#shown[side];
    }
    this.#showChoices(byVisitor);
    this.#align();
  }

  #name(to: TargetLanguage): void {
    const names = sideNames(to);
    this.#figure.names = names;
    this.#row.element.lang = this.#area.lang = to;
    this.#area.ariaLabel = capital(names.target);
    showLanguage(to);
  }

  #showChoices(keep: boolean): void {
    const { source, target, to, model, level, view } = this.#shown;
    this.#figure.view = view;
    if (this.#row.element.lang !== to) this.#name(to);
    document.querySelector<HTMLInputElement>(`#model [value=${model}]`)!.checked = true;
    document.querySelector<HTMLInputElement>(`#level [value=${level}]`)!.checked = true;
    document.querySelectorAll<HTMLButtonElement>("#examples button").forEach((button, index) => {
      const example = examples[to][index]!;
      button.title = `${example.source} / ${example.target}`;
      button.ariaPressed = String(example.source === source && example.target === target);
    });
    if (keep) keepInAddress(() => toHash(this.#shown));
  }

  #align(): void {
    clearTimeout(this.#timers.get("align"));
    const { source, target, to, model, level } = this.#shown;
    const hint = obstacle(source, target, to);
    this.#hint.textContent = hint ?? "";
    if (hint === undefined) {
      if (model === this.#unwanted) return;
      this.#engine.align({ source, target, to, model, level });
      return;
    }
    this.#engine.forget();
    this.#note.clear();
    this.#clear();
    this.#announce(hint);
  }

  #stop(): void {
    this.#unwanted = this.#shown.model;
    this.#engine.cancel();
    this.#failed({ code: "cancelled", message: "" });
    document.querySelector<HTMLElement>("#problem button")?.focus(); // where the pressed button was, there is none now
  }

  #loadAgain(): void {
    this.#unwanted = undefined;
    this.#align();
  }

  #clear(): void {
    this.#alignment = undefined;
    this.#surprise.hidden = true;
    this.#figure.show(undefined);
    this.#mark(null, null);
  }

  #failed(failure: Failure): void {
    this.#clear();
    this.#note.failed(failure);
  }

  #receive(alignment: Alignment): void {
    this.#note.clear();
    this.#alignment = alignment;
    const { sourceTokens, targetTokens, attention, bits } = alignment;
    const { level } = this.#shown;
    this.#surprise.hidden = false;
    const words = labels(targetTokens, level);
    this.#row.show(words.map((text, i) => (
      { text, below: bitsText(bits[i]!), strength: tintOf(bits[i]!), more: moreOfWord(bits[i]!) })));
    this.#row.element.querySelectorAll("button").forEach((word, i) => (word.dataset.surprise = String(surpriseStep(bits[i]!))));
    const { before, word, after } = verdictOf(alignment);
    const strong = Object.assign(document.createElement("b"), { textContent: word, lang: this.#shown.to });
    const summary = bits.length === 0 ? "" : summaryOf(bits, level);
    this.#verdict.replaceChildren(before, strong, after, document.createElement("br"), summary);
    const source = labels(sourceTokens, level);
    this.#figure.show(attention ? { source, target: words, attention, note: (row) => noteOn(bits[row]!) } : undefined);
    this.#mark(null, null);
    this.#announce(this.#verdict.innerText);
    performance.mark("aligned");
  }

  /** A word of the row under the texts is pointed at. */
  #point(place: Place): void {
    this.#figure.mark(place);
    this.#markWords(place);
  }

  /** Marks in both texts and in the row what is marked in the picture: a pair, or one word and what belongs to it by weight. */
  #markWords({ row, column }: Place): void {
    this.#row.mark(row);
    this.#mark(row, column);
  }

  #mark(row: number | null, column: number | null): void {
    const alignment = this.#alignment;
    if (!alignment || (row === null && column === null)) {
      this.#texts.source.marks = [];
      this.#texts.target.marks = [];
      return;
    }
    const { sourceTokens, targetTokens, attention } = alignment;
    const weight = (r: number, c: number) => attention?.[r * sourceTokens.length + c] ?? 0;
    this.#texts.source.marks = sourceTokens.map(({ start, end }, c) =>
      ({ start, end, strength: row !== null && column === null ? weight(row, c) : 0, chosen: c === column }));
    this.#texts.target.marks = targetTokens.map(({ start, end }, r) =>
      ({ start, end, strength: column !== null && row === null ? weight(r, column) : 0, chosen: r === row }));
  }

  #announce(text: string): void {
    this.#later("announce", kAnnounceAfter, () => (this.#announcer.textContent = text));
  }

  #later(name: string, milliseconds: number, body: () => void): void {
    clearTimeout(this.#timers.get(name));
    this.#timers.set(name, window.setTimeout(body, milliseconds));
  }
}
