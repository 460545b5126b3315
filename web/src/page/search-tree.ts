import type { SearchNode } from "softalign";
import { percent } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import { adopt } from "./adopt.ts";
import type { Way } from "./ways.ts";

export interface SearchState {
  /** What the search followed; null while that is not known: what is shown stays then, and cannot be chosen. */
  nodes: readonly SearchNode[] | null;
  /** The translation that is shown. */
  shown: string;
  language: string;
}

/**
 * `<search-tree>`: what else the network could have written. The translations it found, and the search for them as a tree that is read
 * from left to right. Emits `open`, and `write` with the beginning of the way that is chosen. Its look is in style/ways.css.
 */
export class SearchTree extends HTMLElement {
  #nodes: readonly SearchNode[] | null = null;
  #newest: SearchState = { nodes: null, shown: "", language: "" };
  #shown = "";
  #language = "";
  #isOld = true;
  #all = false;
  /** Of each button. */
  readonly #begins = new WeakMap<Element, string>();
  /** Comes when it is first needed. */
  #ways: typeof import("./ways.ts") | undefined;

  connectedCallback(): void {
    const words = said.index.search;
    this.innerHTML = `
      <details>
        <summary><h3>${words.title}</h3></summary>
        <p>${words.about}</p>
        <h4>${words.found}</h4>
        <p class="note">${words.aboutFound}</p>
        <ol class="found"></ol>
        <h4 id="search-ways">${words.ways}</h4>
        <p class="note">${words.aboutWays}</p>
        <label class="check"><input type="checkbox"> ${words.all}</label>
        <div class="scroll" role="group" aria-labelledby="search-ways" tabindex="0"></div>
      </details>`;
    this.querySelector("details")!.addEventListener("toggle", () => this.dispatchEvent(new CustomEvent("open")));
    this.querySelector("input")!.addEventListener("change", ({ target }) => {
      this.#all = (target as HTMLInputElement).checked;
      if (this.#ways) this.#draw();
    });
    this.addEventListener("click", ({ target }) => {
      const begin = this.#begins.get((target as Element).closest("button") ?? this);
      if (begin !== undefined && !this.#isOld) this.dispatchEvent(new CustomEvent("write", { detail: begin }));
    });
  }

  get open(): boolean {
    return this.querySelector("details")!.open;
  }

  set state(state: SearchState) {
    const { nodes, shown, language } = state;
    this.#isOld = nodes === null;
    if (nodes && !this.#ways) {
      void Promise.all([import("./ways.ts"), import("../style/ways.css?inline")]).then(([ways, { default: css }]) => {
        if (!this.#ways) adopt(css);
        this.#ways = ways;
        this.state = this.#newest;
      });
    }
    this.#newest = state;
    if (!this.#ways) return;
    if (!nodes || (nodes === this.#nodes && shown === this.#shown)) return;
    const isOther = nodes !== this.#nodes;
    this.#nodes = nodes;
    this.#shown = shown;
    this.#language = language;
    if (isOther) this.#draw();
    this.#mark();
  }

  #draw(): void {
    const { waysOf, translationsOf } = this.#ways!;
    const ways = waysOf(this.#nodes ?? []);
    const found = this.querySelector<HTMLElement>(".found")!;
    found.lang = this.#language;
    found.replaceChildren(...translationsOf(ways).map((way) => {
      const item = document.createElement("li");
      item.append(this.#button(way.begin, way.begin, Math.exp(way.score!)));
      return item;
    }));
    this.querySelector(".scroll")!.replaceChildren(this.#list(ways));
    this.#mark();
  }

  #list(ways: readonly Way[]): HTMLElement {
    const list = document.createElement("ul");
    list.lang = this.#language;
    list.append(...(this.#all ? ways : this.#ways!.successful(ways)).map((way) => {
      const item = document.createElement("li");
      const button = this.#button(way.begin, pieceOf(way), way.probability);
      item.classList.toggle("lost", way.score === null);
      if (way.score === null) button.title = said.index.search.lost;
      item.append(button);
      const then = this.#list(way.then);
      if (then.childElementCount > 0) item.append(then);
      return item;
    }));
    return list;
  }

  #button(begin: string, text: string, probability: number): HTMLButtonElement {
    const button = Object.assign(document.createElement("button"), { type: "button" });
    const share = Object.assign(document.createElement("small"), { textContent: percent(probability) });
    share.lang = document.documentElement.lang;
    button.append(text, " ", share);
    this.#begins.set(button, begin);
    return button;
  }

  /** What the translation that is shown begins with. */
  #mark(): void {
    const startsWith = (button: Element) => this.#shown.startsWith(this.#begins.get(button)!.trimEnd());
    for (const button of this.querySelectorAll(".found button")) button.ariaCurrent = this.#begins.get(button) === this.#shown ? "true" : null;
    for (const list of this.querySelectorAll(".scroll ul")) {
      const isOn = list.closest("li")?.classList.contains("on") ?? true;
      // A word may begin in several pieces: those that were given up are not meant then.
      const [taken] = isOn ? [...list.children].filter((item) => startsWith(item.firstElementChild!)) : [];
      for (const item of list.children) item.classList.toggle("on", item === taken);
    }
  }
}

/** Of a word that began before it, as dictionaries write endings. */
function pieceOf({ text, begin, score }: Way): string {
  const before = begin.trimEnd().slice(0, -text.trimEnd().length);
  const isWithin = /^\p{L}/u.test(text) && /\p{L}$/u.test(before);
  return `${isWithin ? "\u2010" : ""}${text.trim() || "\u2423"}${score === null ? "\u2009\u2026" : ""}`;
}

declare global {
  interface HTMLElementTagNameMap {
    "search-tree": SearchTree;
  }
}

customElements.define("search-tree", SearchTree);
