import { paceOf } from "../elements/alignment/pace.ts";
import type { Sentence } from "../engine/protocol.ts";
import { sharedStart } from "./difference.ts";

declare global {
  interface HTMLElementEventMap {
    /** The pointer is over a token of the active sentence, or has left it (null). */
    token: CustomEvent<{ index: number | null }>;
    /** A token of the active sentence was pressed. */
    press: CustomEvent<{ index: number }>;
    /** Another sentence was chosen. */
    sentence: CustomEvent<{ index: number }>;
  }
}

interface Shown {
  sentence: Sentence;
  before: Text;
  span: HTMLElement;
}

/** Less probable than all that might have been written instead. */
const kUnsure = 0.5;

/** `<translation-text>`: the translation, sentence by sentence; the active sentence's tokens can be pointed at and marked. */
export class TranslationText extends HTMLElement {
  #shown: Shown[] = [];
  #active = -1;
  #tokens: HTMLElement[] = [];
  readonly #after = document.createTextNode("");

  connectedCallback(): void {
    this.append(this.#after);
    this.addEventListener("pointerover", (event) => this.#tell(this.#tokens.indexOf(event.target as HTMLElement)));
    // A finger that is lifted leaves, too; what it touched stays marked.
    this.addEventListener("pointerleave", ({ pointerType }) => {
      if (pointerType === "mouse") this.#tell(-1);
    });
    this.addEventListener("click", (event) => {
      const index = this.#tokens.indexOf(event.target as HTMLElement);
      // Not who selects text.
      if (index >= 0 && getSelection()?.isCollapsed !== false) this.dispatchEvent(new CustomEvent("press", { detail: { index } }));
      const sentence = (event.target as HTMLElement).closest<HTMLElement>(".sentence:not(.active)");
      if (!sentence) return;
      const detail = { index: Number(sentence.dataset.index) };
      this.dispatchEvent(new CustomEvent("sentence", { detail, bubbles: true }));
    });
  }

  /** Touches only the sentences that changed: a long text arrives in many steps. */
  show(sentences: readonly Sentence[], active: number, after: string): void {
    for (const { before, span } of this.#shown.splice(sentences.length)) {
      before.remove();
      span.remove();
    }
    const was = this.#active;
    this.#active = active;
    sentences.forEach((sentence, index) => {
      const shown = this.#shown[index] ?? this.#add(sentence, index);
      const stays = shown.span.firstChild && shown.sentence === sentence && (index === was) === (index === active);
      if (!stays) this.#fill(shown, sentence, index === active);
    });
    this.#after.data = after;
  }

  /** Tints tokens by these strengths (0 to 1) and marks one as chosen. */
  mark(strengths: readonly number[], chosen: number | null): void {
    this.#tokens.forEach((token, index) => {
      token.style.setProperty("--strength", (strengths[index] ?? 0).toFixed(3));
      token.classList.toggle("chosen", index === chosen);
    });
  }

  /** Which tokens are not as they would be without the visitor's changes. */
  set changed(changed: readonly boolean[]) {
    this.#tokens.forEach((token, index) => token.classList.toggle("changed", changed[index] ?? false));
  }

  #add(sentence: Sentence, index: number): Shown {
    const shown = { sentence, before: document.createTextNode(""), span: document.createElement("span") };
    shown.span.dataset.index = String(index);
    this.#after.before(shown.before, shown.span);
    this.#shown.push(shown);
    return shown;
  }

  #fill(shown: Shown, sentence: Sentence, active: boolean): void {
    const before = shown.span.firstChild ? shown.sentence : undefined;
    shown.sentence = sentence;
    shown.before.data = sentence.before;
    shown.span.className = active ? "sentence active" : "sentence";
    if (active) {
      this.#tokens = [];
      shown.span.replaceChildren(...this.#tokenSpans(sentence, before ? sharedStart(before, sentence) : 0));
    } else {
      shown.span.textContent = sentence.translation;
    }
  }

  /** Those from `from` on are new: they appear one after the other. */
  #tokenSpans({ translation, targetTokens, confidence }: Sentence, from: number): (Node | string)[] {
    const pace = paceOf(targetTokens.length - from);
    const nodes: (Node | string)[] = [];
    let at = 0;
    for (const [index, { start, end }] of targetTokens.entries()) {
      const span = document.createElement("span");
      span.className = "token";
      span.classList.toggle("unsure", confidence[index]! < kUnsure);
      span.classList.toggle("new", index >= from);
      span.style.animationDelay = `${Math.round((index - from) * pace)}ms`;
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
