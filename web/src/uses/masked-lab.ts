import type { Guess } from "softalign";
import { splitWords } from "../../../bindings/js/words.ts";
import type { Filling } from "../engine/uses-protocol.ts";
import { heading, paragraph } from "../page/in-words.ts";
import "./head-grid.ts";
import type { HeadGrid } from "./head-grid.ts";
import { UseLab } from "./use-lab.ts";
import { WordRow } from "./word-row.ts";
import { percent } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import { aboutOriginal, hiddenText } from "./words.ts";

/** `<masked-lab>`: press a word to hide it, and see what the network would put there and which words tell it so. */
export class MaskedLab extends UseLab<"masked"> {
  readonly use = "masked";
  #words: { text: string; start: number; end: number }[] = [];
  #masked = 0;
  /** What the latest question was about; the visitor may have typed on since. */
  #asked = { words: this.#words, masked: 0 };
  #shown: Guess[] = [];
  #picked = false;
  readonly #hint = paragraph(said.uses.pickAWord);
  readonly #guesses = Object.assign(document.createElement("div"), { className: "guesses" });
  #grid!: HeadGrid;
  readonly #row = new WordRow(said.uses.pickAWord, { point: () => {}, press: (index) => this.#mask(index) });

  protected build(): void {
    this.#grid = document.createElement("head-grid");
    this.#grid.setAttribute("name", "masked");
    this.result.append(this.#hint, this.#row.element, this.#guesses, this.#grid);
    this.#guesses.addEventListener("click", (event) => {
      const index = (event.target as HTMLElement).closest<HTMLElement>("button")?.dataset.guess;
      if (index !== undefined) this.#fill(this.#shown[Number(index)]!);
    });
  }

  protected override edited(): void {
    this.#words = splitWords(this.input.value);
    if (this.#picked) this.#masked = Math.min(this.#masked, this.#words.length - 1);
    // Before the visitor has chosen: the longest word, which most often says most.
    else this.#masked = this.#words.reduce((best, { text }, i) => (text.length > this.#words[best]!.text.length ? i : best), 0);
  }

  protected question(text: string) {
    if (this.#words.length === 0) return undefined;
    this.#asked = { words: this.#words, masked: this.#masked };
    return { text, words: this.#words.map(({ start, end }) => ({ start, end })), masked: this.#masked };
  }

  #mask(index: number): void {
    this.#picked = true;
    this.#masked = index;
    this.ask();
  }

  protected show({ guesses, original, left, look, place }: Filling): string {
    const { words, masked } = this.#asked;
    const focused = this.#shown.findIndex((_, index) => this.#button(index) === document.activeElement);
    this.#shown = guesses;
    this.#row.show(words.map(({ text }, i) => {
      const lost = Math.max(0, 1 - (left[i] ?? 1));
      return i === masked
        ? { text: hiddenText, below: text, more: said.uses.moreOfHidden, pressed: true }
        : { text, below: lost >= 0.01 ? `−${percent(lost)}` : "", strength: lost, more: said.uses.moreOfRest, pressed: false };
    }));
    const first = guesses[0]!;
    this.#guesses.replaceChildren(
      heading(said.uses.guessesTitle, "", ""), this.#list(guesses), paragraph(`${aboutOriginal(words[masked]!.text, original)} ${said.uses.pressAGuess}`),
      heading(said.uses.restsTitle, "", ""), paragraph(said.uses.aboutRests(first.text)));
    this.#grid.show(look.tokens.map(({ text }, index) => (index === place ? hiddenText : text)), look.attention);
    this.#grid.mark(place);
    // Who chose a guess with the keyboard goes on from there.
    if (focused >= 0) this.#button(focused)?.focus();
    return said.uses.guesses(guesses.slice(0, 3).map(({ text, probability }) => `${text}, ${percent(probability)}`).join("; "));
  }

  #button(index: number): HTMLButtonElement | null {
    return this.#guesses.querySelector(`[data-guess="${index}"]`);
  }

  #list(guesses: Guess[]): HTMLElement {
    const list = Object.assign(document.createElement("ol"), { className: "fillers" });
    guesses.forEach(({ text, probability, beginsWord }, index) => {
      const button = Object.assign(document.createElement("button"), { type: "button" });
      button.dataset.guess = String(index);
      const meter = Object.assign(document.createElement("meter"), { value: probability, max: 1, ariaHidden: "true" });
      button.append(
        Object.assign(document.createElement("span"), { textContent: beginsWord ? text : `·${text}` }), " ", meter,
        Object.assign(document.createElement("span"), { textContent: percent(probability), className: "number" }), " ",
        Object.assign(document.createElement("span"), { textContent: said.uses.moreOfGuess, className: "unseen" }));
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    });
    return list;
  }

  /** Puts a guess where the hidden word stood; the place stays hidden, so that others can be tried. */
  #fill({ text }: Guess): void {
    const { start, end } = this.#asked.words[this.#asked.masked]!;
    this.#picked = true;
    this.put(this.input.value.slice(0, start) + text + this.input.value.slice(end));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "masked-lab": MaskedLab;
  }
}

customElements.define("masked-lab", MaskedLab);
