import type { AlignmentElement } from "../elements/alignment/alignment-element.ts";

type Format = "png" | "svg" | "csv" | "json";

const kFormats: Record<Format, { title: string; make: (shown: AlignmentElement) => Blob | Promise<Blob> }> = {
  png: { title: "A picture made of pixels, for slides", make: (shown) => shown.toPng() },
  svg: { title: "A drawing that stays sharp in any size", make: (shown) => new Blob([shown.toSvg()], { type: "image/svg+xml" }) },
  csv: { title: "The weights as a table, for a spreadsheet", make: (shown) => new Blob([shown.toCsv()], { type: "text/csv" }) },
  json: {
    title: "Words and weights, for a program or another grid",
    make: (shown) => new Blob([shown.toJson()], { type: "application/json" }),
  },
};

/** A link to what is shown; not whole where the text is too long for one. */
export interface Link {
  href: string;
  isWhole: boolean;
}

const kRefused = { copy: "Save the picture instead.", link: "The address of the page is the same link." };

/** `<take-away name="alignment">`: buttons that copy or save what a picture shows. Nothing leaves the browser. */
export class TakeAway extends HTMLElement {
  /** Set by whoever has both. */
  shown: AlignmentElement | undefined;
  #link: (() => Link) | undefined;

  /** Set where there is a link to copy. */
  set link(link: () => Link) {
    this.#link = link;
    // Only pages with HTTPS have a clipboard.
    if (navigator.clipboard) this.querySelector<HTMLElement>("[data-as=link]")!.hidden = false;
  }

  connectedCallback(): void {
    const buttons = (Object.keys(kFormats) as Format[]).map((format) =>
      `<button class="plain-button" type="button" data-as="${format}" title="${kFormats[format].title}">${format.toUpperCase()}</button>`);
    const copies = typeof ClipboardItem === "function" && navigator.clipboard !== undefined;
    this.innerHTML = `
      <span>Save as</span> ${buttons.join(" ")}
      ${copies ? '<button class="plain-button" type="button" data-as="copy" title="For pasting into a document">Copy picture</button>' : ""}
      <button class="plain-button" type="button" data-as="link" title="An address that brings back what you see" hidden>Copy link</button>
      <span role="status"></span>`;
    this.addEventListener("click", (event) => {
      const as = (event.target as HTMLElement).dataset.as as Format | "copy" | "link" | undefined;
      if (as && this.shown) void this.#take(this.shown, as);
    });
  }

  async #take(shown: AlignmentElement, as: Format | "copy" | "link"): Promise<void> {
    try {
      if (as === "copy") {
        // A promise, since Safari wants the item made in the click itself.
        await navigator.clipboard.write([new ClipboardItem({ "image/png": shown.toPng() })]);
        this.#tell("Copied.");
      } else if (as === "link") {
        const { href, isWhole } = this.#link!();
        await navigator.clipboard.writeText(href);
        this.#tell(isWhole ? "Link copied." : "Link copied, without the text: it is too long for a link.");
      } else {
        save(await kFormats[as].make(shown), `${this.getAttribute("name") ?? "grid"}.${as}`);
        this.#tell("Saved.");
      }
    } catch {
      const isCopy = as === "copy" || as === "link";
      this.#tell(isCopy ? `The browser did not allow it. ${kRefused[as]}` : "That did not work. Try another format.");
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
