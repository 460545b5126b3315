import type { AlignmentGrid } from "../elements/alignment-grid/alignment-grid.ts";

type Format = "png" | "svg" | "csv" | "json";

const kFormats: Record<Format, { title: string; make: (grid: AlignmentGrid) => Blob | Promise<Blob> }> = {
  png: { title: "A picture made of pixels, for slides", make: (grid) => grid.toPng() },
  svg: { title: "A drawing that stays sharp in any size", make: (grid) => new Blob([grid.toSvg()], { type: "image/svg+xml" }) },
  csv: { title: "The weights as a table, for a spreadsheet", make: (grid) => new Blob([grid.toCsv()], { type: "text/csv" }) },
  json: {
    title: "Words and weights, for a program or another grid",
    make: (grid) => new Blob([grid.toJson()], { type: "application/json" }),
  },
};

/** `<take-away name="alignment">`: buttons that copy or save what a grid shows. Nothing leaves the browser. */
export class TakeAway extends HTMLElement {
  /** Set by whoever has both. */
  grid: AlignmentGrid | undefined;

  connectedCallback(): void {
    const buttons = (Object.keys(kFormats) as Format[]).map((format) =>
      `<button class="plain-button" type="button" data-as="${format}" title="${kFormats[format].title}">${format.toUpperCase()}</button>`);
    // Where there is a clipboard for pictures: pages with HTTPS.
    const copies = typeof ClipboardItem === "function" && navigator.clipboard !== undefined;
    this.innerHTML = `
      <span>Save as</span> ${buttons.join(" ")}
      ${copies ? '<button class="plain-button" type="button" data-as="copy" title="For pasting into a document">Copy picture</button>' : ""}
      <span role="status"></span>`;
    this.addEventListener("click", (event) => {
      const as = (event.target as HTMLElement).dataset.as;
      if (as && this.grid) void this.#take(this.grid, as as Format | "copy");
    });
  }

  async #take(grid: AlignmentGrid, as: Format | "copy"): Promise<void> {
    try {
      if (as === "copy") {
        // A promise, since Safari wants the item made in the click itself.
        await navigator.clipboard.write([new ClipboardItem({ "image/png": grid.toPng() })]);
        this.#tell("Copied.");
      } else {
        save(await kFormats[as].make(grid), `${this.getAttribute("name") ?? "grid"}.${as}`);
        this.#tell("Saved.");
      }
    } catch {
      this.#tell(as === "copy" ? "The browser did not allow it. Save the picture instead." : "That did not work. Try another format.");
    }
  }

  #tell(text: string): void {
    this.querySelector("[role=status]")!.textContent = text;
  }
}

function save(file: Blob, name: string): void {
  const href = URL.createObjectURL(file);
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // not before the browser has read it
}

declare global {
  interface HTMLElementTagNameMap {
    "take-away": TakeAway;
  }
}

customElements.define("take-away", TakeAway);
