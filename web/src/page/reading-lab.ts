import type { AlignmentGrid, Place } from "../elements/alignment-grid/alignment-grid.ts";
import type { ReaderListener } from "../engine/engine.ts";
import type { Reading } from "softalign";
import { loadingText, problemOf } from "./problems.ts";
import { StateNote } from "./state-note.ts";
import { keepInTab, keptInTab } from "./tab-store.ts";
import { words as said } from "../words/words.ts";
import { heading, headingOf, paragraph, ranking } from "./in-words.ts";
import "./take-away.ts";

/** The one thing it asks of an engine. */
export interface Reads {
  reader: ReaderListener | undefined;
  read(text: string): void;
  cancelRead(): void;
}

const kExample = "The FBI is chasing a criminal on the run .";
const kDebounce = 60;
/** The name under which its sentence is kept. */
const kKept = "text-reader";

/**
 * `<reading-lab>`: a sentence typed, and how much the network looked back at each earlier word when it read each word. Its
 * model comes with the first press of the button; from then on it reads while one types.
 */
export class ReadingLab extends HTMLElement {
  #engine: Reads | undefined;
  #reading: Reading | undefined;
  #timer = 0;
  #input!: HTMLInputElement;
  #grid!: AlignmentGrid;
  #aside!: HTMLElement;
  #note!: StateNote;

  connectedCallback(): void {
    const { field, button, looked, reading, legend, aside, description } = said.index.reader;
    this.innerHTML = `
      <form>
        <label class="unseen" for="read">${field}</label>
        <input id="read" lang="en" spellcheck="false" autocomplete="off" maxlength="400">
        <button class="plain-button" type="submit">${button}</button>
      </form>
      <div class="state"><div class="loading"></div><p class="note" role="status"></p><div class="trouble"></div></div>
      <div class="figure" hidden>
        <div>
          <alignment-grid source-label="${looked}" target-label="${reading}">
            <span slot="legend">${legend}</span>
          </alignment-grid>
          <take-away name="reading"></take-away>
        </div>
        <aside class="reading" aria-label="${aside}"></aside>
      </div>`;
    this.#input = this.querySelector("input")!;
    this.#input.value = keptInTab(kKept) ?? kExample;
    this.#grid = this.querySelector("alignment-grid")!;
    this.querySelector("take-away")!.shown = this.#grid;
    this.#aside = this.querySelector("aside")!;
    this.#note = new StateNote(
      { loading: this.querySelector(".loading")!, problem: this.querySelector(".trouble")! }, () => this.#read(),
      { loading: loadingText, problem: problemOf, cancel: { text: said.common.cancel, press: () => this.#cancel() } });
    this.#grid.describe = description;
    this.#grid.addEventListener("pair", ({ detail }) => this.#tell(detail));
    this.querySelector("form")!.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#read();
    });
    this.#input.addEventListener("input", () => {
      if (!this.#reading) return;
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => this.#read(), kDebounce);
    });
  }

  set engine(engine: Reads) {
    this.#engine = engine;
    engine.reader = {
      loading: (fraction) => this.#note.loading("reader", fraction),
      failed: (failure) => this.#note.failed(failure),
      read: (reading) => this.#show(reading),
    };
  }

  #read(): void {
    this.querySelector(".note")!.textContent = "";
    keepInTab(kKept, this.#input.value);
    this.#engine?.read(this.#input.value);
  }

  #cancel(): void {
    this.#engine?.cancelRead();
    this.querySelector(".note")!.textContent = said.index.reader.cancelled;
    this.querySelector<HTMLElement>("form button")!.focus();
  }

  #show(reading: Reading): void {
    this.#note.clear();
    this.#reading = reading;
    const words = reading.tokens.map(({ text }) => text);
    this.querySelector<HTMLElement>(".figure")!.hidden = words.length === 0;
    this.#grid.data = {
      source: [said.index.reader.beginning, ...words],
      target: words,
      attention: words.map((_, row) => this.#weights(row)),
    };
    this.#tell({ row: null, column: null });
  }

  /** What a word looked back at: the beginning of the text, then each word. */
  #weights(row: number): number[] {
    const { tokens, attention, beginning } = this.#reading!;
    const [from, to] = [row * tokens.length, (row + 1) * tokens.length];
    return [beginning?.[row] ?? 0, ...(attention?.subarray(from, to) ?? [])];
  }

  #tell({ row, column }: Place): void {
    const { tokens = [], surprise } = this.#reading ?? {};
    const { beginning, guide, watch, surprised, ...around } = said.index.reader;
    const place = row ?? (column === null ? null : column - 1);
    const word = place === null ? undefined : tokens[place];
    if (row !== null && word) {
      const looked = this.#weights(row).slice(0, row + 1);
      this.#aside.replaceChildren(
        headingOf(around.row, word.text),
        ranking(looked.map((weight, i) => ({ text: i === 0 ? beginning : tokens[i - 1]!.text, weight }))),
        paragraph(surprised(surprise?.[row] ?? 0)));
    } else if (word && place !== null) {
      this.#aside.replaceChildren(
        headingOf(around.column, word.text),
        ranking(tokens.map(({ text }, later) => ({ text, weight: this.#weights(later)[place + 1] ?? 0 }))));
    } else {
      this.#aside.replaceChildren(heading(said.common.pair.titles.grid, "", ""), paragraph(guide), paragraph(watch));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "reading-lab": ReadingLab;
  }
}

customElements.define("reading-lab", ReadingLab);
