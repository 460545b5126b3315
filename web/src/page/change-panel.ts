import type { Place, WeighDetail } from "../elements/alignment/data.ts";
import type { Changes, Sentence } from "../engine/protocol.ts";
import { compareWords } from "./difference.ts";
import { compared, term } from "./in-words.ts";
import { keepFocus } from "./keep-focus.ts";
import { percent } from "../words/language.ts";
import { words as said } from "../words/words.ts";
import "./write-form.ts";

export interface PanelState {
  /** As it is now, and as the network has it by itself. */
  sentence: Sentence;
  own: Sentence;
  changes: Changes;
  /** What the visitor has pressed. */
  picked: Place;
  /** Words that the network might also write for the picked one. */
  offers: readonly string[];
}

/**
 * `<change-panel>`: what the visitor pressed, to be changed by a slider and buttons, and what became of the translation. Emits `weigh`
 * as the pictures do, `hide` with a column, `letgo` with a row.
 */
export class ChangePanel extends HTMLElement {
  #picked: Place = { row: null, column: null };

  connectedCallback(): void {
    this.innerHTML = `
      <section aria-label="${said.index.changing.toggle}">
        <h3 id="picked"></h3>
        <p class="weight"><input type="range" min="0" max="100" step="1" aria-labelledby="picked"> <output></output></p>
        <p class="ways">
          <button class="plain-button" type="button" data-do="hide"></button>
          <button class="plain-button" type="button" data-do="letgo"></button>
        </p>
        <write-form></write-form>
        <dl class="versions"></dl>
      </section>`;
    const range = this.#find<HTMLInputElement>("input");
    const weigh = (settled: boolean) => {
      const { row, column } = this.#picked;
      if (row === null || column === null) return;
      const detail: WeighDetail = { row, column, weight: Number(range.value) / 100, settled };
      this.dispatchEvent(new CustomEvent("weigh", { detail }));
    };
    range.addEventListener("input", () => weigh(false));
    range.addEventListener("change", () => weigh(true));
    this.addEventListener("click", (event) => {
      const name = (event.target as HTMLElement).closest<HTMLElement>("[data-do]")?.dataset.do;
      if (name) this.dispatchEvent(new CustomEvent(name, { detail: name === "hide" ? this.#picked.column : this.#picked.row }));
    });
  }

  set state(state: PanelState) {
    keepFocus(this, () => this.#show(state));
  }

  #show({ sentence, own, changes, picked, offers }: PanelState): void {
    const { sourceTokens, targetTokens, attention } = sentence;
    const source = picked.column === null ? undefined : sourceTokens[picked.column]?.text;
    const target = picked.row === null ? undefined : targetTokens[picked.row]?.text;
    this.#picked = { row: target === undefined ? null : picked.row, column: source === undefined ? null : picked.column };
    const { row, column } = this.#picked;
    const isHidden = column !== null && changes.hidden.includes(column);
    this.#title(source, target);

    const weight = this.#find(".weight");
    weight.hidden = row === null || column === null;
    if (row !== null && column !== null) {
      // What is wished for, though the answer may be on its way.
      const wished = changes.rows.find(({ target }) => target === row)?.weights;
      const share = wished ? wished[column]! / wished.reduce((sum, each) => sum + each, 0) : attention![row * sourceTokens.length + column] ?? 0;
      const range = this.#find<HTMLInputElement>("input");
      // Not under the visitor's hand.
      if (!range.matches(":active")) range.value = String(Math.round(100 * share));
      range.disabled = isHidden;
      const told = percent(Number(range.value) / 100);
      range.setAttribute("aria-valuetext", told);
      this.#find("output").textContent = told;
    }
    const hide = this.#find("[data-do=hide]");
    hide.hidden = column === null;
    hide.textContent = isHidden ? said.index.changing.show(source!) : said.index.changing.hide(source ?? "");
    const letGo = this.#find("[data-do=letgo]");
    letGo.hidden = row === null || !changes.rows.some((changed) => changed.target === row);
    letGo.textContent = said.index.changing.letGo(target ?? "");

    this.querySelector("write-form")!.state = { word: target ?? null, offers, begin: changes.begin, language: own.language };
    this.#find(".versions").replaceChildren(
      term(said.index.changing.with), compared(sentence.translation, own.translation, own.language),
      term(said.index.changing.without), compared(own.translation, sentence.translation, own.language));
  }

  #title(source: string | undefined, target: string | undefined): void {
    const strong = (text: string) => Object.assign(document.createElement("b"), { textContent: text });
    const [before, row, between, column] = said.index.changing.pair(source ?? "", target ?? "");
    this.#find("h3").replaceChildren(
      ...(source !== undefined && target !== undefined ? [before, strong(row), between, strong(column)]
        : source !== undefined || target !== undefined ? [strong(source ?? target!)] : [said.index.changing.nothingPicked]));
  }

  #find<T extends HTMLElement = HTMLElement>(selector: string): T {
    return this.querySelector<T>(selector)!;
  }
}

/** Of each token, whether it is in a word that the other translation does not have there. */
export function changedTokens({ translation, targetTokens }: Sentence, other: string): boolean[] {
  const changed: [number, number][] = [];
  let at = 0;
  const [lead] = translation.match(/^\s*/)!;
  at += lead.length;
  for (const { text, shared } of compareWords(translation, other)) {
    if (!shared) changed.push([at, at + text.length]);
    at += text.length;
  }
  return targetTokens.map(({ start, end }) => changed.some(([from, to]) => start < to && end > from));
}

/** Which tokens a visitor wrote: of those that the translation has to begin with the last, and what the other translation does not have there. */
export function writtenTokens(sentence: Sentence, begin: string, other: string): number[] {
  const end = begin.trimEnd().length;
  const held = sentence.targetTokens.flatMap(({ start }, index) => (start < end ? index : []));
  const changed = changedTokens(sentence, other);
  return held.filter((index, place) => changed[index] || place === held.length - 1);
}

declare global {
  interface HTMLElementTagNameMap {
    "change-panel": ChangePanel;
  }
}

customElements.define("change-panel", ChangePanel);
