import { words as said } from "../words/words.ts";
import { keepFocus } from "./keep-focus.ts";

export interface WriteState {
  /** The word that another may stand for; null where none is chosen. */
  word: string | null;
  offers: readonly string[];
  /** What the translation was made to begin with. */
  begin: string;
  language: string;
}

/** `<write-form>`: another word for one of the translation, typed or of those offered. Emits `write` with the word, `free`. */
export class WriteForm extends HTMLElement {
  #word: string | null = null;
  #offered: readonly string[] = [];

  connectedCallback(): void {
    this.innerHTML = `
      <form>
        <label for="written"></label>
        <input id="written" type="text" maxlength="60" autocomplete="off" autocapitalize="off" spellcheck="false">
        <button class="plain-button" type="submit">${said.index.changing.writeIt}</button>
      </form>
      <p class="offers" hidden>${said.index.changing.offers} <span></span></p>
      <p class="begins" hidden><span></span> <button class="plain-button" type="button" data-do="free">${said.index.changing.free}</button></p>`;
    const input = this.querySelector("input")!;
    this.querySelector("form")!.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#write(input.value);
    });
    this.addEventListener("click", (event) => {
      const { word, do: name } = (event.target as HTMLElement).dataset;
      if (word) this.#write(word);
      if (name === "free") this.dispatchEvent(new CustomEvent("free"));
    });
  }

  set state(state: WriteState) {
    keepFocus(this, () => this.#show(state));
  }

  #show({ word, offers, begin, language }: WriteState): void {
    const find = (selector: string) => this.querySelector<HTMLElement>(selector)!;
    find("input").lang = find(".offers span").lang = language;
    // What was typed was for that word.
    if (word !== this.#word) this.querySelector("input")!.value = "";
    this.#word = word;
    find("form").hidden = word === null;
    find("label").textContent = said.index.changing.write(word ?? "");
    const others = word === null ? [] : offers.filter((offer) => offer !== word);
    find(".offers").hidden = others.length === 0;
    // The same words stay, and with them the focus.
    if (others.join("\n") !== this.#offered.join("\n")) find(".offers span").replaceChildren(...others.map((offer) => {
      const button = Object.assign(document.createElement("button"), { type: "button", className: "plain-button", textContent: offer });
      button.dataset.word = offer;
      return button;
    }));
    this.#offered = others;
    find(".begins").hidden = begin === "";
    find(".begins span").textContent = said.index.changing.begins(begin.trim());
  }

  #write(text: string): void {
    const word = text.trim().replace(/\s+/g, " ");
    if (word !== "") this.dispatchEvent(new CustomEvent("write", { detail: word }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "write-form": WriteForm;
  }
  interface HTMLElementEventMap {
    /** Another word for the chosen one. */
    write: CustomEvent<string>;
    /** Lets the translation begin by itself. */
    free: CustomEvent<null>;
  }
}

customElements.define("write-form", WriteForm);
