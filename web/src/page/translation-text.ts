import type { Sentence } from "../engine/protocol.ts";

declare global {
  interface HTMLElementEventMap {
    /** The pointer is over a token of the active sentence, or has left it (null). */
    token: CustomEvent<{ index: number | null }>;
    /** Another sentence was chosen. */
    sentence: CustomEvent<{ index: number }>;
  }
}

/** `<translation-text>`: the translation, sentence by sentence; the active sentence's tokens can be pointed at and marked. */
export class TranslationText extends HTMLElement {
  #tokens: HTMLElement[] = [];

  connectedCallback(): void {
    this.addEventListener("pointerover", (event) => this.#tell(this.#tokens.indexOf(event.target as HTMLElement)));
    this.addEventListener("pointerleave", () => this.#tell(-1));
    this.addEventListener("click", (event) => {
      const sentence = (event.target as HTMLElement).closest<HTMLElement>(".sentence:not(.active)");
      if (!sentence) return;
      const detail = { index: Number(sentence.dataset.index) };
      this.dispatchEvent(new CustomEvent("sentence", { detail, bubbles: true }));
    });
  }

  show(sentences: readonly Sentence[], active: number, after: string): void {
    const nodes: (Node | string)[] = [];
    this.#tokens = [];
    sentences.forEach((sentence, index) => {
      const span = document.createElement("span");
      span.className = index === active ? "sentence active" : "sentence";
      span.dataset.index = String(index);
      if (index === active) span.append(...this.#tokenSpans(sentence));
      else span.textContent = sentence.translation;
      nodes.push(sentence.before, span);
    });
    this.replaceChildren(...nodes, after);
  }

  /** Tints tokens by these strengths (0 to 1) and marks one as chosen. */
  mark(strengths: readonly number[], chosen: number | null): void {
    this.#tokens.forEach((token, index) => {
      token.style.setProperty("--strength", (strengths[index] ?? 0).toFixed(3));
      token.classList.toggle("chosen", index === chosen);
    });
  }

  #tokenSpans({ translation, targetTokens }: Sentence): (Node | string)[] {
    const nodes: (Node | string)[] = [];
    let at = 0;
    for (const { start, end } of targetTokens) {
      const span = document.createElement("span");
      span.className = "token";
      span.textContent = translation.slice(start, end);
      this.#tokens.push(span);
      nodes.push(translation.slice(at, start), span);
      at = end;
    }
    return [...nodes, translation.slice(at)];
  }

  #tell(index: number): void {
    this.dispatchEvent(new CustomEvent("token", { detail: { index: index < 0 ? null : index }, bubbles: true }));
  }
}

customElements.define("translation-text", TranslationText);
