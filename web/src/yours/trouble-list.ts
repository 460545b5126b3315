import { detailsOf } from "../page/state-note.ts";
import type { Trouble } from "./words.ts";

/** What is wrong with files, each in a note of its own that screen readers hear at once. */
export class TroubleList {
  readonly #place: HTMLElement;

  constructor(place: HTMLElement) {
    this.#place = place;
  }

  clear(): void {
    this.#place.replaceChildren();
  }

  add({ title, text, details }: Trouble): void {
    const note = Object.assign(document.createElement("div"), { className: "problem" });
    note.setAttribute("role", "alert");
    note.append(
      Object.assign(document.createElement("strong"), { textContent: title }), Object.assign(document.createElement("p"), { textContent: text }));
    if (details) note.append(detailsOf(details));
    // What is said again is not said twice.
    const before = [...this.#place.children].find((each) => each.querySelector("strong")?.textContent === title);
    if (before) before.replaceWith(note);
    else this.#place.append(note);
  }
}
