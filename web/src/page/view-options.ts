import { decimal } from "../words/language.ts";
import { words } from "../words/words.ts";
import { type SideNames, sideNames } from "./side-names.ts";
import { kFirstView, type ViewState } from "./view-state.ts";

const about = (value: string, names: SideNames): string => {
  const all: Record<string, (names: SideNames) => string> = words.common.view.about;
  return all[value]?.(names) ?? "";
};

const choices = (name: string, legend: string, values: Record<string, string>) => `
  <fieldset class="switch" data-name="${name}">
    <legend>${legend}</legend>
    ${Object.entries(values).map(([value, text]) =>
      `<label><input type="radio" name="view-${name}" value="${value}"><span>${text}</span></label>`).join("")}
  </fieldset>`;

/** `<view-options>`: the choice of the picture, and behind "View" how it is drawn. Emits `view` with each change. */
export class ViewOptionsPanel extends HTMLElement {
  #view: ViewState = kFirstView;
  #names = sideNames();

  connectedCallback(): void {
    const said = words.common.view;
    this.innerHTML = `
      ${choices("picture", said.picture, { grid: said.grid, threads: said.threads })}
      <details>
        <summary class="plain-button">${said.title}</summary>
        <div class="choices">
          <label class="threshold">
            <span>${said.threshold}</span> <input type="range" min="0" max="1" step="0.01"> <output></output>
          </label>
          ${choices("links", said.links, { soft: said.soft, hard: said.hard })}
          ${choices("order", said.order, { original: said.original, source: "", target: "" })}
          <label class="check"><input type="checkbox" data-name="sums"> ${said.sums}</label>
          <label class="check gold"><input type="checkbox" data-name="gold"> ${said.gold}</label>
          <p class="about" role="status"></p>
        </div>
      </details>`;
    this.addEventListener("input", (event) => this.#change(event.target as HTMLInputElement));
    // Escape closes what was opened, wherever in it the focus is.
    this.querySelector("details")!.addEventListener("keydown", (event) => {
      const details = event.currentTarget as HTMLDetailsElement;
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary")!.focus();
    });
    this.#show();
  }

  set view(view: ViewState) {
    this.#view = view;
    this.#show();
  }

  /** English and French at first. */
  set names(names: SideNames) {
    this.#names = names;
    this.#show();
  }

  /** Whether there are links made by hand for what is shown. */
  set hasGold(has: boolean) {
    this.querySelector<HTMLElement>(".gold")!.hidden = !has;
  }

  #change(input: HTMLInputElement): void {
    const name = input.dataset.name ?? input.closest("fieldset")?.dataset.name ?? "threshold";
    const value = input.type === "checkbox" ? input.checked : input.type === "range" ? Number(input.value) : input.value;
    this.view = { ...this.#view, [name]: value };
    this.dispatchEvent(new CustomEvent("view", { detail: this.#view, bubbles: true }));
  }

  #show(): void {
    const { threshold, links, order, sums, gold, picture } = this.#view;
    const input = (selector: string) => this.querySelector<HTMLInputElement>(selector)!;
    for (const [name, value] of Object.entries({ picture, links, order })) {
      input(`[data-name=${name}] [value=${value}]`).checked = true;
    }
    for (const side of ["source", "target"] as const) {
      input(`[data-name=order] [value=${side}]`).nextElementSibling!.textContent = words.common.view.sorted(this.#names[side]);
    }
    input("[data-name=sums]").checked = sums;
    input("[data-name=gold]").checked = gold;
    input("[type=range]").value = String(threshold);
    this.querySelector("output")!.textContent = decimal(threshold, 2);
    const told = [links, order].map((value) => about(value, this.#names)).filter((text) => text !== "").join(" ");
    const place = this.querySelector(".about")!;
    if (place.textContent !== told) place.textContent = told;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "view-options": ViewOptionsPanel;
  }
  interface HTMLElementEventMap {
    view: CustomEvent<ViewState>;
  }
}

customElements.define("view-options", ViewOptionsPanel);
