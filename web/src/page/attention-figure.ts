import type { AlignmentElement } from "../elements/alignment/alignment-element.ts";
import type { Edited, Place } from "../elements/alignment/data.ts";
import type { TargetLanguage } from "../engine/models.ts";
import type { Level, Sentence } from "../engine/protocol.ts";
import "./all-heads.ts";
import "./change-bar.ts";
import "./change-panel.ts";
import { sharedStart } from "./difference.ts";
import { goldOf } from "./gold.ts";
import "./no-attention.ts";
import "./search-tree.ts";
import { compared, heading, headingOf, paragraph, ranking, term } from "./in-words.ts";
import "./take-away.ts";
import type { Link } from "./take-away.ts";
import { labels } from "./token-labels.ts";
import { sideNames } from "./side-names.ts";
import "./view-options.ts";
import { kFirstView, type ViewState } from "./view-state.ts";
import { capital } from "../words/language.ts";
import { words } from "../words/words.ts";

/**
 * `<attention-figure>`: one sentence as a grid or as threads with, beside it, what the marked place means in words. For a model
 * without attention it says why there is nothing to draw, and compares.
 */
export class AttentionFigure extends HTMLElement {
  #sentence: Sentence | undefined;
  #index = 0;
  #level: Level = "word";
  #view: ViewState = kFirstView;
  #pictures!: Record<ViewState["picture"], AlignmentElement>;

  connectedCallback(): void {
    this.classList.add("waiting");
    const { figure } = words.index;
    const { forgetful } = figure;
    const legends = `
      <span slot="legend">${figure.legend}</span>
      <span slot="legend-hard">${figure.hard}</span>
      <span slot="legend-sure">${figure.sure}</span>
      <span slot="legend-possible">${figure.possible}</span>`;
    this.innerHTML = `
      <p class="turning" hidden>
        <button class="plain-button" type="button" data-turn="-1">${figure.previous}</button>
        <span></span>
        <button class="plain-button" type="button" data-turn="1">${figure.next}</button>
      </p>
      <div class="figure" hidden>
        <div>
          <div class="controls"><view-options></view-options><change-bar></change-bar></div>
          <alignment-grid>${legends}</alignment-grid>
          <alignment-threads hidden>${legends}</alignment-threads>
          <take-away name="alignment"></take-away>
        </div>
        <div class="beside">
          <change-panel hidden></change-panel>
          <aside class="reading" aria-label="${words.common.pair.aside}"></aside>
        </div>
      </div>
      <div class="forgetful" hidden>
        <h3>${forgetful.title}</h3>
        <p>${forgetful.why}</p>
        <p>${forgetful.watch}</p>
        <dl class="versions"></dl>
      </div>
      <search-tree></search-tree>
      <all-heads hidden></all-heads>
      <no-attention></no-attention>`;
    this.#pictures = { grid: this.querySelector("alignment-grid")!, threads: this.querySelector("alignment-threads")! };
    for (const picture of Object.values(this.#pictures)) {
      picture.describe = (source, target, weight, { gold }) => {
        const { title, text } = words.common.pair.describe(source, target, weight);
        return { title, text: text + (gold === null ? "" : figure.gold[gold]) };
      };
      picture.addEventListener("pair", ({ detail }) => this.#read(detail));
    }
    this.view = this.#view;
    this.querySelector(".turning")!.addEventListener("click", (event) => {
      const turn = (event.target as HTMLElement).dataset.turn;
      if (turn) this.dispatchEvent(new CustomEvent("turn", { detail: Number(turn) }));
    });
  }

  show(sentence: Sentence | undefined, level: Level, position: { index: number; count: number }): void {
    this.classList.toggle("waiting", !sentence);
    this.#showTurning(position);
    // A long text arrives in many steps; most of them do not touch the sentence at hand.
    if (sentence === this.#sentence && level === this.#level) return;
    // The words that are new are drawn as they were written; another sentence of the text is just there.
    const from = position.index !== this.#index ? Infinity : this.#sentence && sentence ? sharedStart(this.#sentence, sentence) : 0;
    this.#sentence = sentence;
    this.#level = level;
    this.#index = position.index;
    const attention = sentence?.attention ?? null;
    this.#find(".figure").hidden = attention === null;
    this.#find(".forgetful").hidden = !sentence || attention !== null;
    if (!sentence) return;
    if (attention === null) {
      this.#compare(sentence);
      return;
    }
    const data = {
      source: labels(sentence.sourceTokens, level),
      target: labels(sentence.targetTokens, level),
      attention,
    };
    this.#name(sentence.language);
    for (const picture of Object.values(this.#pictures)) {
      picture.data = data;
      picture.unroll(from);
    }
    this.#showGold();
    this.#read({ row: null, column: null });
  }

  /** How it is drawn. The controls in it emit `view` when the visitor changes that. */
  set view(view: ViewState) {
    const isOther = view.picture !== this.#view.picture;
    this.#view = view;
    this.querySelector("view-options")!.view = view;
    for (const [name, picture] of Object.entries(this.#pictures)) {
      picture.options = view;
      picture.hidden = name !== view.picture;
    }
    this.querySelector("take-away")!.shown = this.#pictures[view.picture];
    this.#showGold();
    if (isOther) this.#read({ row: null, column: null });
  }

  /** What was changed by hand, and whether the visitor may change more. */
  set changes({ edited, editable }: { edited: Edited | null; editable: boolean }) {
    for (const picture of Object.values(this.#pictures)) {
      picture.edited = edited;
      picture.toggleAttribute("editable", editable);
    }
  }

  /** Shows other weights for a moment, until the sentence comes that has them. */
  preview(row: number, weights: readonly number[]): void {
    const sentence = this.#sentence;
    if (!sentence?.attention || weights.length !== sentence.sourceTokens.length) return;
    const attention = sentence.attention.slice();
    attention.set(weights, row * weights.length);
    this.#sentence = { ...sentence, attention };
    for (const picture of Object.values(this.#pictures)) picture.data = { ...picture.data, attention };
  }

  /** Makes a link to what is shown. */
  set link(link: () => Link) {
    this.querySelector("take-away")!.link = link;
  }

  /** Marks a place of the picture from outside, and reads it out beside it. */
  mark(place: Place): void {
    for (const picture of Object.values(this.#pictures)) picture.highlight = place;
    this.#read(place);
  }

  #find(selector: string): HTMLElement {
    return this.querySelector<HTMLElement>(selector)!;
  }

  #name(language: TargetLanguage): void {
    const names = sideNames(language);
    this.querySelector("view-options")!.names = names;
    for (const picture of Object.values(this.#pictures)) {
      picture.setAttribute("source-label", capital(names.source));
      picture.setAttribute("target-label", capital(names.target));
      picture.setAttribute("source-lang", "en");
      picture.setAttribute("target-lang", language);
    }
  }

  #showGold(): void {
    const gold = this.#sentence && this.#level === "word" ? goldOf(this.#sentence) : null;
    this.querySelector("view-options")!.hasGold = gold !== null;
    for (const picture of Object.values(this.#pictures)) picture.gold = this.#view.gold ? gold : null;
  }

  #showTurning({ index, count }: { index: number; count: number }): void {
    const turning = this.#find(".turning");
    turning.hidden = count < 2;
    turning.querySelector("span")!.textContent = words.index.figure.sentence(index + 1, count);
    turning.querySelector<HTMLButtonElement>("[data-turn='-1']")!.disabled = index <= 0;
    turning.querySelector<HTMLButtonElement>("[data-turn='1']")!.disabled = index >= count - 1;
  }

  #read({ row, column }: Place): void {
    const sentence = this.#sentence;
    if (!sentence?.attention) return;
    const { sourceTokens, targetTokens, attention, confidence } = sentence;
    const weight = (r: number, c: number) => attention[r * sourceTokens.length + c] ?? 0;
    const reading = this.#find(".reading");
    if (row !== null && targetTokens[row]) {
      const weights = sourceTokens.map(({ text }, c) => ({ text, weight: weight(row, c) }));
      const rest = Math.max(0, 1 - weights.reduce((sum, each) => sum + each.weight, 0));
      reading.replaceChildren(
        headingOf(words.common.pair.row, targetTokens[row].text, sentence.language),
        ranking(weights, "en"),
        paragraph(rest < 0.005 ? "" : words.common.pair.rest(rest)),
        paragraph(words.index.figure.confidence[this.#level](confidence[row] ?? 0)));
    } else if (column !== null && sourceTokens[column]) {
      const weights = targetTokens.map(({ text }, r) => ({ text, weight: weight(r, column) }));
      reading.replaceChildren(headingOf(words.common.pair.column, sourceTokens[column].text, "en"), ranking(weights, sentence.language));
    } else {
      reading.replaceChildren(...this.#guide());
    }
  }

  #guide(): HTMLElement[] {
    const { picture } = this.#view;
    const { guides, pieces, unsure } = words.index.figure;
    const { titles, pointing } = words.common.pair;
    return [
      heading(titles[picture], "", ""), paragraph(guides[picture](this.#level)), paragraph(pointing[picture]), paragraph(pieces[this.#level]), paragraph(unsure[this.#level]),
    ];
  }

  #compare({ translation, withAttention, language }: Sentence): void {
    const versions = this.#find(".forgetful .versions");
    if (withAttention === null) {
      versions.replaceChildren();
      return;
    }
    versions.replaceChildren(
      term(words.index.figure.forgetful.plain), compared(translation, withAttention, language),
      term(words.index.figure.forgetful.additive), compared(withAttention, translation, language));
  }
}

declare global {
  interface HTMLElementEventMap {
    /** To the sentence before (-1) or after (1). */
    turn: CustomEvent<number>;
  }
}

customElements.define("attention-figure", AttentionFigure);
