import { ramp, rampStep } from "../alignment/ramp.ts";

/** A head, or the mean of several, as a small picture. */
export interface SmallHead {
  /** What `choose` says when it is chosen. */
  id: string;
  /** For screen readers: "Layer 1, head 2". */
  name: string;
  caption: string;
  /** [rows, columns], 0 to 1. */
  weights: Float32Array;
  rows: number;
  columns: number;
  /** Whether it is switched off. */
  off?: boolean;
}

export interface HeadRow {
  title: string;
  heads: readonly SmallHead[];
}

/**
 * `<head-picker name="tagger" label="Heads">`: all heads as small pictures, a row a layer, of which one is chosen. Arrays go in, `choose`
 * events with the id of a head come out. Its look is in style/heads.css.
 */
export class HeadPicker extends HTMLElement {
  #rows: readonly HeadRow[] = [];
  #fieldset!: HTMLFieldSetElement;
  readonly #dark = matchMedia("(prefers-color-scheme: dark)");
  readonly #theme = new MutationObserver(() => this.#paint());

  connectedCallback(): void {
    if (this.#fieldset) return;
    this.innerHTML = `<fieldset class="heads"><legend class="unseen"></legend></fieldset>`;
    this.#fieldset = this.querySelector("fieldset")!;
    this.querySelector("legend")!.textContent = this.getAttribute("label");
    this.#fieldset.addEventListener("change", (event) => {
      this.dispatchEvent(new CustomEvent("choose", { detail: (event.target as HTMLInputElement).value }));
    });
    // The pictures' colours are of the theme.
    this.#theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.#dark.addEventListener("change", () => this.#paint());
  }

  show(rows: readonly HeadRow[], chosen: string): void {
    const idsOf = (list: readonly HeadRow[]) => list.map(({ title, heads }) => [title, ...heads.map(({ id }) => id)].join()).join(";");
    const isOther = idsOf(rows) !== idsOf(this.#rows);
    this.#rows = rows;
    if (isOther) this.#offer();
    const inputs = this.#fieldset.querySelectorAll("input");
    rows.flatMap(({ heads }) => heads).forEach(({ id, name, caption, off = false }, index) => {
      const input = inputs[index]!;
      input.checked = id === chosen;
      input.ariaLabel = name;
      input.parentElement!.classList.toggle("off", off);
      input.parentElement!.querySelector("span")!.textContent = caption;
    });
    this.#paint();
  }

  #offer(): void {
    this.#fieldset.querySelectorAll(".layer").forEach((layer) => layer.remove());
    for (const { title, heads } of this.#rows) {
      const row = Object.assign(document.createElement("div"), { className: "layer" });
      row.append(Object.assign(document.createElement("span"), { textContent: title }));
      for (const { id } of heads) {
        const label = document.createElement("label");
        const input = Object.assign(document.createElement("input"), { type: "radio", name: `heads-${this.getAttribute("name")}`, value: id });
        const canvas = document.createElement("canvas");
        canvas.ariaHidden = "true";
        label.append(input, canvas, document.createElement("span"));
        row.append(label);
      }
      this.#fieldset.append(row);
    }
  }

  /** One pixel a weight, scaled up by the browser. */
  #paint(): void {
    const { theme } = document.documentElement.dataset;
    const colours = ramp(theme === "dark" || (theme !== "light" && this.#dark.matches) ? "dark" : "light");
    const canvases = this.#fieldset.querySelectorAll("canvas");
    this.#rows.flatMap(({ heads }) => heads).forEach(({ weights, rows, columns }, index) => {
      const canvas = canvases[index]!;
      if (weights.length === 0) return;
      [canvas.width, canvas.height] = [columns, rows];
      const context = canvas.getContext("2d")!;
      const image = context.createImageData(columns, rows);
      weights.forEach((weight, at) => {
        const from = 3 * rampStep(weight);
        image.data.set([colours[from]!, colours[from + 1]!, colours[from + 2]!, 255], 4 * at);
      });
      context.putImageData(image, 0, 0);
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "head-picker": HeadPicker;
  }
  interface HTMLElementEventMap {
    choose: CustomEvent<string>;
  }
}

customElements.define("head-picker", HeadPicker);
