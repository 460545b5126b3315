import type { AlignmentGrid, Place } from "../elements/alignment-grid/alignment-grid.ts";
import type { ReaderListener } from "../engine/engine.ts";
import type { Reading } from "softalign";
import { StateNote } from "./state-note.ts";
import { heading, paragraph, ranking } from "./in-words.ts";
import "./take-away.ts";
import { percent } from "./words.ts";

/** The one thing it asks of an engine. */
export interface Reads {
  reader: ReaderListener | undefined;
  read(text: string): void;
}

const kExample = "The FBI is chasing a criminal on the run .";
const kBeginning = "(beginning)";
const kDebounce = 60;

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
    this.innerHTML = `
      <form>
        <label class="unseen" for="read">A sentence to read</label>
        <input id="read" lang="en" spellcheck="false" autocomplete="off" maxlength="400">
        <button class="plain-button" type="submit">Read it</button>
      </form>
      <div class="state"><div class="loading"></div><div class="trouble"></div></div>
      <div class="figure" hidden>
        <div>
          <alignment-grid source-label="Looked back at" target-label="Reading">
            <span slot="legend">How much it looked back: 0 not at all, 1 only there</span>
          </alignment-grid>
          <take-away name="reading"></take-away>
        </div>
        <aside class="reading" aria-label="What the reading grid shows"></aside>
      </div>`;
    this.#input = this.querySelector("input")!;
    this.#input.value = kExample;
    this.#grid = this.querySelector("alignment-grid")!;
    this.querySelector("take-away")!.shown = this.#grid;
    this.#aside = this.querySelector("aside")!;
    this.#note = new StateNote(
      { loading: this.querySelector(".loading")!, problem: this.querySelector(".trouble")! }, () => this.#read());
    this.#grid.describe = (source, target, weight) => ({
      title: `${target} back to ${source}: ${weight.toFixed(2)}`,
      text: `On reading “${target}”, ${percent(weight)} of the attention went back to “${source}”.`,
    });
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
    this.#engine?.read(this.#input.value);
  }

  #show(reading: Reading): void {
    this.#note.clear();
    this.#reading = reading;
    const words = reading.tokens.map(({ text }) => text);
    this.querySelector<HTMLElement>(".figure")!.hidden = words.length === 0;
    this.#grid.data = {
      source: [kBeginning, ...words],
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
    const place = row ?? (column === null ? null : column - 1);
    const word = place === null ? undefined : tokens[place];
    if (row !== null && word) {
      const looked = this.#weights(row).slice(0, row + 1);
      this.#aside.replaceChildren(
        heading("On reading ", word.text, ", the network looked back at"),
        ranking(looked.map((weight, i) => ({ text: i === 0 ? kBeginning : tokens[i - 1]!.text, weight }))),
        paragraph(`It was ${(surprise?.[row] ?? 0).toFixed(1)} bits surprised by this word: 0 is no surprise, and each bit halves its guess.`));
    } else if (word && place !== null) {
      this.#aside.replaceChildren(
        heading("", word.text, " was looked back at on reading"),
        ranking(tokens.map(({ text }, later) => ({ text, weight: this.#weights(later)[place + 1] ?? 0 }))));
    } else {
      this.#aside.replaceChildren(
        heading("How to read the grid", "", ""),
        paragraph(
          "Each row is a word as it is read. Its squares show how much the network looked back at each word before it. What " +
          "comes later it has not read yet: that half of the grid stays empty."),
        paragraph("Often it looks at the word just before. Watch for the rows that reach further back."));
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "reading-lab": ReadingLab;
  }
}

customElements.define("reading-lab", ReadingLab);
