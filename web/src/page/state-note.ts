import type { Loadable } from "../engine/models.ts";
import type { Failure } from "../engine/protocol.ts";
import { type Problem, words } from "../words/words.ts";
import { loadingText, problemOf } from "./problems.ts";

/** What it says, where it is not about translators and the reader. */
export interface NoteWords<M extends string> {
  loading: (model: M, fraction: number) => string;
  problem: (failure: Failure) => Problem;
  /** A way out while something loads. */
  cancel?: { text: string; press: () => void };
}

/** What stands at the translation while there is something to wait for, or instead of it when something went wrong. */
export class StateNote<M extends string = Loadable> {
  readonly #loading: HTMLElement;
  readonly #problem: HTMLElement;
  readonly #retry: () => void;
  readonly #words: NoteWords<M>;

  constructor(
    places: { loading: HTMLElement; problem: HTMLElement }, retry: () => void,
    words: NoteWords<M> = { loading: loadingText as NoteWords<M>["loading"], problem: problemOf },
  ) {
    this.#loading = places.loading;
    this.#problem = places.problem;
    this.#retry = retry;
    this.#words = words;
  }

  clear(): void {
    this.#loading.replaceChildren();
    this.#problem.replaceChildren();
  }

  loading(model: M, fraction: number): void {
    this.#problem.replaceChildren();
    if (!this.#loading.firstChild) {
      const text = Object.assign(document.createElement("span"), { id: `loading-${model}` });
      const bar = Object.assign(document.createElement("progress"), { max: 1 });
      bar.setAttribute("aria-labelledby", text.id);
      this.#loading.append(text, bar);
      const { cancel } = this.#words;
      if (cancel) {
        const button = Object.assign(document.createElement("button"), {
          type: "button", className: "plain-button", textContent: cancel.text,
        });
        button.addEventListener("click", () => {
          this.clear();
          cancel.press();
        });
        this.#loading.append(button);
      }
    }
    this.#loading.querySelector("span")!.textContent = this.#words.loading(model, fraction);
    this.#loading.querySelector("progress")!.value = fraction;
  }

  failed(failure: Failure): void {
    this.clear();
    const { title, text, retry } = this.#words.problem(failure);
    const note = Object.assign(document.createElement("div"), { className: "problem" });
    note.setAttribute("role", "alert");
    note.append(
      Object.assign(document.createElement("strong"), { textContent: title }),
      Object.assign(document.createElement("p"), { textContent: text }));
    if (retry) {
      const button = Object.assign(document.createElement("button"), {
        type: "button", className: "plain-button", textContent: retry,
      });
      button.addEventListener("click", () => {
        this.clear();
        this.#retry();
      });
      note.append(button);
    }
    if (failure.message) note.append(detailsOf(`${failure.message} (${failure.code})`));
    this.#problem.append(note);
  }
}

/** What the program itself says of a failure, for those who want to know: in English, whatever the page's language. */
export function detailsOf(message: string): HTMLElement {
  const details = document.createElement("details");
  details.append(
    Object.assign(document.createElement("summary"), { textContent: words.common.details }),
    Object.assign(document.createElement("span"), { lang: "en", textContent: message }));
  return details;
}
