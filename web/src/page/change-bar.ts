import { words as said } from "../words/words.ts";

export interface BarState {
  editing: boolean;
  canUndo: boolean;
  canReset: boolean;
  picture: "grid" | "threads";
  /** What went wrong with the changes, if anything. */
  trouble: string;
}

/** `<change-bar>`: whether the attention may be changed, and how; ways back. Emits `editing`, `undo`, `reset`. */
export class ChangeBar extends HTMLElement {
  connectedCallback(): void {
    this.innerHTML = `
      <button class="plain-button" type="button" data-do="editing" aria-pressed="false">${said.index.changing.toggle}</button>
      <button class="plain-button" type="button" data-do="undo" title="${said.index.changing.undoKeys}" hidden>${said.index.changing.undo}</button>
      <button class="plain-button" type="button" data-do="reset" title="${said.index.changing.aboutReset}" hidden>${said.index.changing.reset}</button>
      <p class="trouble"></p>
      <p class="how" role="status"></p>`;
    this.addEventListener("click", (event) => {
      const name = (event.target as HTMLElement).dataset.do;
      if (name) this.dispatchEvent(new CustomEvent(name));
    });
  }

  set state({ editing, canUndo, canReset, picture, trouble }: BarState) {
    const button = (name: string) => this.querySelector<HTMLButtonElement>(`[data-do=${name}]`)!;
    button("editing").ariaPressed = String(editing);
    button("undo").hidden = button("reset").hidden = !editing && !canUndo && !canReset;
    // Not `disabled`, which would take the focus away from who presses it again and again.
    button("undo").ariaDisabled = String(!canUndo);
    button("reset").ariaDisabled = String(!canReset);
    say(this.querySelector(".how")!, editing ? (picture === "grid" ? said.index.changing.how : said.index.changing.howThreads) : "");
    say(this.querySelector(".trouble")!, trouble);
  }
}

function say(place: HTMLElement, text: string): void {
  if (place.textContent !== text) place.textContent = text;
}

declare global {
  interface HTMLElementTagNameMap {
    "change-bar": ChangeBar;
  }
}

customElements.define("change-bar", ChangeBar);
