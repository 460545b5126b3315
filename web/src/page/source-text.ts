export interface TextMark {
  start: number;
  end: number;
  /** How strongly to tint, 0 to 1. */
  strength: number;
  chosen: boolean;
}

/**
 * `<source-text>`: a text area that grows with its text and can mark words in it. Marks are drawn on a mirror of the text
 * behind the text area, which holds the same characters in the same places.
 */
export class SourceText extends HTMLElement {
  #marks: readonly TextMark[] = [];
  #drawn = "";
  #area!: HTMLTextAreaElement;
  #mirror!: HTMLElement;

  connectedCallback(): void {
    this.#area = this.querySelector("textarea")!;
    this.#mirror = this.querySelector(".mirror")!;
    // A mark belongs to the text it was made for.
    this.#area.addEventListener("input", () => (this.marks = []));
    this.#draw();
  }

  get value(): string {
    return this.#area.value;
  }

  set value(text: string) {
    this.#area.value = text;
    this.marks = [];
  }

  get caret(): number {
    return this.#area.selectionStart;
  }

  get hasFocus(): boolean {
    return document.activeElement === this.#area;
  }

  /** In order and without overlap. */
  set marks(marks: readonly TextMark[]) {
    if (marks.length === 0 && this.#marks.length === 0 && this.#area.value === this.#drawn) return;
    this.#marks = marks;
    this.#draw();
  }

  #draw(): void {
    const text = this.#area.value;
    this.#drawn = text;
    const nodes: (Node | string)[] = [];
    let at = 0;
    for (const { start, end, strength, chosen } of this.#marks) {
      const mark = document.createElement("mark");
      mark.textContent = text.slice(start, end);
      mark.style.setProperty("--strength", strength.toFixed(3));
      mark.classList.toggle("chosen", chosen);
      nodes.push(text.slice(at, start), mark);
      at = end;
    }
    // The last line of the text area counts even when it is empty.
    this.#mirror.replaceChildren(...nodes, `${text.slice(at)}\u200b`);
  }
}

customElements.define("source-text", SourceText);
