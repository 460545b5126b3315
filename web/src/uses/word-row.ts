// A sentence as a row of words with something under each: one stop for Tab, arrows go from word to word.

import { language } from "../words/language.ts";

export interface RowWord {
  text: string;
  /** What stands under it. */
  below: string;
  /** How strongly it is tinted, 0 to 1. */
  strength?: number;
  /** What a screen reader hears besides. */
  more: string;
  /** Of words that can be switched on, whether this one is. */
  pressed?: boolean;
}

export interface RowListener {
  /** A word is pointed at or focused; null when it is left. */
  point(index: number | null): void;
  press?(index: number): void;
}

export class WordRow {
  readonly element = document.createElement("ol");
  readonly #listener: RowListener;
  #active = 0;

  constructor(name: string, listener: RowListener) {
    this.element.className = "word-row";
    this.element.ariaLabel = name;
    this.element.setAttribute("lang", "en");
    this.#listener = listener;
    const at = (event: Event) => this.#buttons.indexOf((event.target as Element).closest("button")!);
    const point = (index: number) => listener.point(index < 0 ? null : index);
    this.element.addEventListener("pointerover", (event) => point(at(event)));
    this.element.addEventListener("pointerleave", () => listener.point(null));
    this.element.addEventListener("focusin", (event) => {
      this.#active = Math.max(0, at(event));
      this.#rove();
      point(at(event));
    });
    this.element.addEventListener("focusout", () => listener.point(null));
    this.element.addEventListener("click", (event) => {
      const index = at(event);
      if (index >= 0) this.#listener.press?.(index);
    });
    this.element.addEventListener("keydown", (event) => this.#key(event));
  }

  show(words: readonly RowWord[]): void {
    while (this.element.children.length > words.length) this.element.lastElementChild!.remove();
    while (this.element.children.length < words.length) {
      const item = document.createElement("li");
      const button = Object.assign(document.createElement("button"), { type: "button" });
      // What is said of a word is in the page's language.
      const below = Object.assign(document.createElement("small"), { lang: language });
      const more = Object.assign(document.createElement("span"), { className: "unseen", lang: language });
      // With spaces, for those who hear it as one text.
      button.append(document.createElement("span"), " ", below, " ", more);
      item.append(button);
      this.element.append(item);
    }
    this.#buttons.forEach((button, index) => {
      const { text, below, strength = 0, more, pressed } = words[index]!;
      button.querySelector("span")!.textContent = text;
      button.querySelector("small")!.textContent = below;
      button.querySelector(".unseen")!.textContent = more;
      button.ariaPressed = pressed === undefined ? null : String(pressed);
      button.style.setProperty("--strength", strength.toFixed(3));
    });
    this.#active = Math.min(this.#active, Math.max(0, words.length - 1));
    this.#rove();
  }

  /** Marks a word from outside. */
  mark(index: number | null): void {
    this.#buttons.forEach((button, at) => button.classList.toggle("chosen", at === index));
  }

  get #buttons(): HTMLButtonElement[] {
    return [...this.element.querySelectorAll("button")];
  }

  #rove(): void {
    this.#buttons.forEach((button, index) => (button.tabIndex = index === this.#active ? 0 : -1));
  }

  #key(event: KeyboardEvent): void {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const last = this.#buttons.length - 1;
    const to = { ArrowLeft: this.#active - 1, ArrowRight: this.#active + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.#buttons[Math.max(0, Math.min(last, to))]!.focus();
  }
}
