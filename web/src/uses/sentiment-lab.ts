import type { Classification } from "softalign";
import { shortWeight } from "../page/in-words.ts";
import { paragraph } from "../page/in-words.ts";
import "./head-grid.ts";
import type { HeadGrid } from "./head-grid.ts";
import { UseLab } from "./use-lab.ts";
import { WordRow } from "./word-row.ts";
import { words as said } from "../words/words.ts";
import { verdict } from "./words.ts";

/** `<sentiment-lab>`: praise or criticism, and which words decided. */
export class SentimentLab extends UseLab<"sentiment"> {
  readonly use = "sentiment";
  #grid!: HeadGrid;
  readonly #verdict = Object.assign(document.createElement("p"), { className: "verdict" });
  readonly #row = new WordRow(said.uses.decided, { point: (index) => this.#point(index) });

  protected build(): void {
    this.#grid = document.createElement("head-grid");
    this.#grid.setAttribute("name", "sentiment");
    this.result.append(this.#verdict, this.#row.element, paragraph(said.uses.aboutDecision), this.#grid);
    this.#grid.addEventListener("pair", ({ detail }) => this.#row.mark(detail.row));
  }

  protected question(text: string) {
    return text.trim() === "" ? undefined : { text };
  }

  protected show({ label, probability, tokens, weights, attention }: Classification): string {
    const told = verdict(label, probability);
    const meter = Object.assign(document.createElement("meter"), { min: 0, max: 1, value: probability, ariaHidden: "true" });
    this.#verdict.dataset.label = label;
    this.#verdict.replaceChildren(Object.assign(document.createElement("b"), { textContent: told }), " ", meter);
    const most = Math.max(...weights, 1e-6);
    this.#row.show(tokens.map(({ text }, i) => ({
      text, below: shortWeight(weights[i]!), strength: weights[i]! / most, more: said.uses.moreOfDecision(weights[i]!),
    })));
    this.#grid.hidden = tokens.length === 0;
    if (tokens.length > 0) this.#grid.show(tokens.map(({ text }) => text), attention);
    const best = tokens[weights.indexOf(Math.max(...weights))];
    return best ? said.uses.decidedMost(told, best.text) : told;
  }

  #point(index: number | null): void {
    this.#row.mark(index);
    this.#grid.mark(index);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "sentiment-lab": SentimentLab;
  }
}

customElements.define("sentiment-lab", SentimentLab);
