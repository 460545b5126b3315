import type { Sentence } from "../engine/protocol.ts";
import { bleuDrawing, bleuTable } from "./bleu-chart.ts";
import { words as said } from "../words/words.ts";

/**
 * `<no-attention>`: one switch for all of attention, and what attention is worth by the length of a sentence. Of a model without any
 * there is nothing to switch. Emits `uniform`.
 */
export class NoAttention extends HTMLElement {
  connectedCallback(): void {
    const words = said.index.noAttention;
    this.innerHTML = `
      <div>
        <h3>${words.title}</h3>
        <label class="check"><input type="checkbox" role="switch"> ${words.switch}</label>
        <p class="result"></p>
        <p class="about"></p>
      </div>
      <figure>
        <figcaption>${words.chart}</figcaption>
        ${bleuDrawing()}
        <details><summary>${words.numbers}</summary>${bleuTable()}<p>${words.measured}</p></details>
      </figure>`;
    const input = this.querySelector("input")!;
    input.addEventListener("change", () => this.dispatchEvent(new CustomEvent("uniform", { detail: input.checked })));
    this.#stay(input);
    this.state = { sentence: undefined, uniform: false };
  }

  set state({ sentence, uniform }: { sentence: Sentence | undefined; uniform: boolean }) {
    const hasAttention = sentence?.attention !== null;
    this.querySelector("input")!.disabled = !sentence;
    this.querySelector<HTMLElement>(".check")!.hidden = !hasAttention;
    this.querySelector("input")!.checked = uniform;
    this.querySelector(".about")!.textContent = hasAttention ? said.index.noAttention.about : said.index.noAttention.aboutPlain;
    const result = this.querySelector<HTMLElement>(".result")!;
    result.lang = sentence?.language ?? "";
    result.textContent = uniform && sentence ? sentence.translation : "";
  }

  /** The picture above grows and shrinks with the translation: the switch stays under the pointer that presses it. */
  #stay(input: HTMLElement): void {
    let top = 0;
    const see = () => (top = input.getBoundingClientRect().top);
    input.addEventListener("focus", see);
    addEventListener("scroll", see, { passive: true });
    new ResizeObserver(() => {
      if (document.activeElement === input) scrollBy({ top: input.getBoundingClientRect().top - top, behavior: "instant" });
    }).observe(document.body);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "no-attention": NoAttention;
  }
}

customElements.define("no-attention", NoAttention);
