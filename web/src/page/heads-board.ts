import type { AttentionHead } from "softalign";
import type { AlignmentGrid } from "../elements/alignment-grid/alignment-grid.ts";
import "../elements/head-picker/head-picker.ts";
import type { HeadRow } from "../elements/head-picker/head-picker.ts";
import type { TargetLanguage } from "../engine/models.ts";
import type { Changed, Level } from "../engine/protocol.ts";
import { nameOf } from "./changes.ts";
import { compared, term } from "./in-words.ts";
import { labels } from "./token-labels.ts";
import { capital, languageName } from "../words/language.ts";
import { words as said } from "../words/words.ts";

/** The head that was taught the alignment, of layer 2; models/en-fr-transformer/README.md and models/en-fr-student/README.md. */
const kAligning = "c1.0";
const kMean = "mean";

export interface HeadsState {
  answer: Changed | null;
  level: Level;
  off: readonly AttentionHead[];
  /** As the network translates the sentence by itself. */
  own: string;
  language: TargetLanguage;
  /** Whether the picture has the aligning head's rows one step later, when the word is read: models/en-fr-transformer/README.md. */
  shifted: boolean;
}

/** `<heads-board>`: every head of a network as a small picture, and the chosen one large. Emits `switch`. */
export class HeadsBoard extends HTMLElement {
  #answer: Changed | null = null;
  #level: Level = "word";
  #off: readonly AttentionHead[] = [];
  #language: TargetLanguage = "fr";
  #shifted = false;
  #kind: AttentionHead["kind"] = "cross";
  /** Of each kind. */
  readonly #chosen = { cross: kAligning, encoder: "e0.0", decoder: "d0.0" };

  connectedCallback(): void {
    const kinds = (["cross", "encoder", "decoder"] satisfies AttentionHead["kind"][]).map((kind) =>
      `<label><input type="radio" name="head-kind" value="${kind}"${kind === this.#kind ? " checked" : ""}><span></span></label>`);
    this.innerHTML = `
      <p>${said.index.allHeads.about}</p>
      <fieldset class="switch"><legend>${said.index.allHeads.kind}</legend>${kinds.join("")}</fieldset>
      <div class="figure">
        <div>
          <h4></h4>
          <p class="note"></p>
        </div>
        <div>
          <head-picker name="translator" label="${said.index.allHeads.heads}"></head-picker>
          <button class="plain-button" type="button"></button>
          <dl class="versions"></dl>
        </div>
      </div>`;
    this.querySelector("fieldset")!.addEventListener("change", (event) => {
      this.#kind = (event.target as HTMLInputElement).value as AttentionHead["kind"];
      this.#show();
    });
    this.querySelector("head-picker")!.addEventListener("choose", ({ detail }) => {
      this.#chosen[this.#kind] = detail;
      this.#show();
    });
    this.querySelector("button")!.addEventListener("click", () => {
      const heads = this.#ofChosen;
      this.dispatchEvent(new CustomEvent("switch", { detail: { heads, off: !heads.every((head) => this.#isOff(head)) }, bubbles: true }));
    });
  }

  /** Without an answer, what is shown stays. */
  set state({ answer, level, off, own, language, shifted }: HeadsState) {
    if (!answer || (answer === this.#answer && off === this.#off)) return;
    this.#answer = answer;
    this.#language = language;
    this.#shifted = shifted;
    this.#offerKinds(new Set(answer.heads?.map(({ kind }) => kind)));
    this.#level = level;
    this.#off = off;
    this.querySelector("dl")!.replaceChildren(...(off.length === 0 ? [] : [term(said.index.changing.with), compared(answer.translation, own, language)]));
    this.#show();
  }

  /** A decoder may have no attention to what it wrote. */
  #offerKinds(kinds: ReadonlySet<AttentionHead["kind"]>): void {
    if (!kinds.has(this.#kind)) this.#kind = "cross";
    const names = said.index.allHeads.kinds(languageName(this.#language));
    for (const input of this.querySelectorAll<HTMLInputElement>("[name=head-kind]")) {
      input.parentElement!.hidden = !kinds.has(input.value as AttentionHead["kind"]);
      input.checked = input.value === this.#kind;
      input.nextElementSibling!.textContent = names[input.value as AttentionHead["kind"]];
    }
  }

  /** Made when heads are first looked at. */
  get #grid(): AlignmentGrid {
    const made = this.querySelector("alignment-grid");
    if (made) return made;
    const grid = document.createElement("alignment-grid");
    grid.append(Object.assign(document.createElement("span"), { slot: "legend", textContent: said.index.allHeads.legend }));
    grid.describe = said.index.allHeads.description;
    // Its places are not those of the picture above.
    for (const name of ["pair", "pick", "weigh"]) grid.addEventListener(name, (event) => event.stopPropagation());
    this.querySelector("h4")!.after(grid);
    return grid;
  }

  #isOff(head: AttentionHead): boolean {
    return this.#off.some((other) => nameOf(other) === nameOf(head));
  }

  get #rows(): HeadRow[] {
    const all = (this.#answer?.heads ?? []).filter(({ kind }) => kind === this.#kind);
    const layers = [...new Set(all.map(({ layer }) => layer))];
    return layers.map((layer) => {
      const heads = all.filter((head) => head.layer === layer);
      const { rows, columns } = heads[0]!;
      const mean = new Float32Array(rows * columns);
      for (const { weights } of heads) weights.forEach((weight, i) => (mean[i]! += weight / heads.length));
      const single = heads.map((head) => {
        const isOff = this.#isOff(head);
        const isAligning = nameOf(head) === kAligning;
        const caption = isAligning ? said.index.allHeads.aligning(said.index.allHeads.head(head.head)) : said.index.allHeads.head(head.head);
        const name = [said.index.allHeads.nameOf(layer, head.head), isAligning ? said.index.allHeads.nameOfAligning : "", isOff ? said.index.allHeads.nameOfOff : ""];
        return {
          id: nameOf(head), name: name.filter((part) => part !== "").join(", "), caption: isOff ? said.index.allHeads.off(caption) : caption,
          weights: head.weights, rows, columns, off: isOff,
        };
      });
      const average = { id: `${this.#kind[0]}${layer}.${kMean}`, name: said.index.allHeads.nameOf(layer, null), caption: said.index.allHeads.mean, weights: mean, rows, columns };
      return { title: said.index.allHeads.layer(layer), heads: [...single, average] };
    });
  }

  /** The chosen head, or all of its layer where their mean is chosen. */
  get #ofChosen(): AttentionHead[] {
    const chosen = this.#chosen[this.#kind];
    return (this.#answer?.heads ?? []).filter(({ kind }) => kind === this.#kind)
      .map(({ kind, layer, head }) => ({ kind, layer, head }))
      .filter((head) => nameOf(head) === chosen || chosen === `${head.kind[0]}${head.layer}.${kMean}`);
  }

  #show(): void {
    if (!this.#answer?.heads) return;
    const { sourceTokens, targetTokens } = this.#answer;
    const chosen = this.#chosen[this.#kind];
    const rows = this.#rows;
    this.querySelector("head-picker")!.show(rows, chosen);
    const head = rows.flatMap(({ heads }) => heads).find(({ id }) => id === chosen);
    if (!head) return;
    this.querySelector("h4")!.textContent = head.name;
    const grid = this.#grid;
    const source = { words: labels(sourceTokens, this.#level), label: capital(languageName("en")) };
    const target = { words: labels(targetTokens, this.#level), label: capital(languageName(this.#language)) };
    const looked = this.#kind === "decoder" ? target : source;
    const looking = this.#kind === "encoder" ? source : target;
    grid.setAttribute("source-label", looked.label);
    grid.setAttribute("target-label", looking.label);
    grid.data = { source: looked.words, target: looking.words, attention: head.weights };
    this.querySelector(".note")!.textContent = this.#shifted && chosen === kAligning ? said.index.allHeads.later : "";
    const isMean = chosen.endsWith(kMean);
    const areOff = this.#ofChosen.every((each) => this.#isOff(each));
    const [layer, index] = [this.#ofChosen[0]!.layer, isMean ? null : this.#ofChosen[0]!.head];
    this.querySelector("button")!.textContent = (areOff ? said.index.allHeads.switchOn : said.index.allHeads.switchOff)(said.index.allHeads.nameOf(layer, index), isMean);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "heads-board": HeadsBoard;
  }
}

customElements.define("heads-board", HeadsBoard);
