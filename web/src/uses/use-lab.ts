import type { Answers, Asks, Use } from "../engine/uses-protocol.ts";
import type { UseListener } from "../engine/uses.ts";
import { StateNote } from "../page/state-note.ts";
import { keepInTab, keptInTab } from "../page/tab-store.ts";
import { words as said } from "../words/words.ts";
import { examples, loadingText, problemOf } from "./words.ts";

/** What a lab asks of an engine. */
export interface Asking {
  listen<U extends Use>(use: U, listener: UseListener<U>): void;
  ask<U extends Use>(use: U, ask: Asks[U]): void;
  cancel(use: Use): void;
}

const kDebounce = 80;
// A screen reader hears the answer when the typing has come to rest.
const kAnnounceAfter = 1200;

/**
 * What the three labs share: a sentence, a button that brings the model, what is to be waited for or went wrong, and a place
 * for the answer. Once there is an answer, the next comes while one types.
 */
export abstract class UseLab<U extends Use> extends HTMLElement {
  abstract readonly use: U;
  protected input!: HTMLInputElement;
  protected result!: HTMLElement;
  #engine: Asking | undefined;
  #answered = false;
  #note!: StateNote<Use>;
  #status!: HTMLElement;
  #timer = 0;
  #announcing = 0;

  /** What to ask for a text; undefined if there is nothing to ask yet. */
  protected abstract question(text: string): Asks[U] | undefined;
  /** Shows an answer to the latest question. @returns what to tell a screen reader. */
  protected abstract show(answer: Answers[U]): string;
  /** Fills `result` once. */
  protected abstract build(): void;
  /** The text has changed. */
  protected edited(): void {}

  connectedCallback(): void {
    if (this.input) return;
    const words = said.uses.labs[this.use];
    const [first, ...others] = examples[this.use];
    const id = `text-${this.use}`;
    this.innerHTML = `
      <form>
        <label class="unseen" for="${id}"></label>
        <input id="${id}" lang="en" spellcheck="false" autocomplete="off" maxlength="300">
        <button class="plain-button" type="submit"></button>
      </form>
      <p class="tries"></p>
      <div class="state"><div class="loading"></div><p class="note"></p><div class="trouble"></div></div>
      <div class="result" hidden></div>
      <p class="unseen" role="status"></p>`;
    this.querySelector("label")!.textContent = words.field;
    this.querySelector("form button")!.textContent = words.button;
    this.input = this.querySelector("input")!;
    this.input.value = keptInTab(id) ?? first!;
    this.result = this.querySelector(".result")!;
    this.#status = this.querySelector("[role=status]")!; // now: the answer's parts have theirs, too
    this.#offerExamples(said.uses.tries, others);
    this.#note = new StateNote<Use>(
      { loading: this.querySelector(".loading")!, problem: this.querySelector(".trouble")! }, () => this.ask(),
      { loading: loadingText, problem: problemOf, cancel: { text: said.common.cancel, press: () => this.#cancel() } });
    this.querySelector("form")!.addEventListener("submit", (event) => {
      event.preventDefault();
      this.edited();
      this.ask();
    });
    this.input.addEventListener("input", () => {
      this.edited();
      if (!this.#answered) return;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.ask(), kDebounce);
    });
    this.build();
  }

  set engine(engine: Asking) {
    this.#engine = engine;
    engine.listen(this.use, {
      loading: (fraction) => this.#note.loading(this.use, fraction),
      failed: (failure) => {
        this.result.hidden = true;
        this.#note.failed(failure);
      },
      answered: (answer) => this.#receive(answer as Answers[U]),
    });
  }

  protected ask(): void {
    this.querySelector(".note")!.textContent = "";
    keepInTab(this.input.id, this.input.value);
    const question = this.question(this.input.value);
    if (question) this.#engine?.ask(this.use, question);
    else this.#empty();
  }

  /** Puts another sentence into the field, as if it had been typed and sent. */
  protected put(text: string): void {
    this.input.value = text;
    this.edited();
    this.ask();
  }

  #receive(answer: Answers[U]): void {
    this.#note.clear();
    this.#answered = true;
    this.result.hidden = false;
    const told = this.show(answer);
    clearTimeout(this.#announcing);
    this.#announcing = window.setTimeout(() => (this.#status.textContent = told), kAnnounceAfter);
  }

  /** Of no words there is nothing to say, nor of those that stood there. */
  #empty(): void {
    this.#engine?.cancel(this.use);
    this.#note.clear();
    this.result.hidden = true;
    clearTimeout(this.#announcing);
  }

  #cancel(): void {
    this.#engine?.cancel(this.use);
    this.querySelector(".note")!.textContent = said.uses.cancelled;
    this.querySelector<HTMLElement>("form button")!.focus();
  }

  #offerExamples(title: string, examples: readonly string[]): void {
    const place = this.querySelector(".tries")!;
    place.append(`${title} `);
    for (const text of examples) {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "try", textContent: text });
      button.addEventListener("click", () => this.put(text));
      place.append(button, " ");
    }
  }
}
