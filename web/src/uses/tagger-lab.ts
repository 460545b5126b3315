import type { Answers } from "../engine/uses-protocol.ts";
import { heading, paragraph, ranking } from "../page/in-words.ts";
import "./head-grid.ts";
import type { HeadGrid } from "./head-grid.ts";
import { UseLab } from "./use-lab.ts";
import { WordRow } from "./word-row.ts";
import { words as said } from "../words/words.ts";
import { nameOfLabel, sure, tagMeaning } from "./words.ts";

/** `<tagger-lab>`: a sentence with the part of speech under each word, and the attention that found it. */
export class TaggerLab extends UseLab<"tagger"> {
  readonly use = "tagger";
  #tagging: Answers["tagger"] | undefined;
  #grid!: HeadGrid;
  readonly #aside = Object.assign(document.createElement("div"), { className: "beneath" });
  readonly #row = new WordRow(said.uses.labs.tagger.field, { point: (index) => this.#point(index) });

  protected build(): void {
    this.#grid = document.createElement("head-grid");
    this.#grid.setAttribute("name", "tagger");
    this.result.append(this.#row.element, this.#aside, this.#grid);
    this.#grid.addEventListener("pair", ({ detail }) => this.#row.mark(detail.row));
  }

  protected question(text: string) {
    return { text };
  }

  protected show(tagging: Answers["tagger"]): string {
    this.#tagging = tagging;
    const { words, attention } = tagging;
    this.#row.show(words.map(({ text, label, probability }) =>
      ({ text, below: nameOfLabel(label), more: sure(probability) })));
    this.#grid.hidden = words.length === 0;
    if (words.length > 0) this.#grid.show(words.map(({ text }) => text), attention);
    this.#tell(0);
    return words.map(({ text, label }) => `${text}: ${nameOfLabel(label)}`).join(", ");
  }

  #point(index: number | null): void {
    this.#row.mark(index);
    this.#grid.mark(index);
    if (index !== null) this.#tell(index);
  }

  #tell(index: number): void {
    const { words, labels, probabilities } = this.#tagging!;
    const word = words[index];
    if (!word) {
      this.#aside.replaceChildren();
      return;
    }
    const from = index * labels.length;
    this.#aside.replaceChildren(
      heading(said.uses.aboutTag.before, word.text, said.uses.aboutTag.after),
      ranking(labels.map((label, i) => ({ text: nameOfLabel(label), weight: probabilities[from + i]! }))),
      paragraph(tagMeaning(word.label)));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "tagger-lab": TaggerLab;
  }
}

customElements.define("tagger-lab", TaggerLab);
