import type { AlignmentElement } from "../elements/alignment/alignment-element.ts";
import { words } from "../words/words.ts";

type Format = "png" | "svg" | "csv" | "json";

const kFormats: Record<Format, (shown: AlignmentElement) => Blob | Promise<Blob>> = {
  png: (shown) => shown.toPng(),
  svg: (shown) => new Blob([shown.toSvg()], { type: "image/svg+xml" }),
  csv: (shown) => new Blob([shown.toCsv()], { type: "text/csv" }),
  json: (shown) => new Blob([shown.toJson()], { type: "application/json" }),
};

/** A link to what is shown; not whole where the text is too long for one. */
export interface Link {
  href: string;
  isWhole: boolean;
}

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
    const said = words.common.takeAway;
    const buttons = (Object.keys(kFormats) as Format[]).map((format) =>
      `<button class="plain-button" type="button" data-as="${format}" title="${said[format]}">${format.toUpperCase()}</button>`);
    const copies = typeof ClipboardItem === "function" && navigator.clipboard !== undefined;
    this.innerHTML = `
      <span>${said.save}</span> ${buttons.join(" ")}
      ${copies ? `<button class="plain-button" type="button" data-as="copy" title="${said.aboutCopy}">${said.copy}</button>` : ""}
      <button class="plain-button" type="button" data-as="link" title="${said.aboutLink}" hidden>${said.link}</button>
      <span role="status"></span>`;
    this.addEventListener("click", (event) => {
      const as = (event.target as HTMLElement).dataset.as as Format | "copy" | "link" | undefined;
      if (as && this.shown) void this.#take(this.shown, as);
    });
  }

  async #take(shown: AlignmentElement, as: Format | "copy" | "link"): Promise<void> {
    const said = words.common.takeAway;
    try {
      if (as === "copy") {
        // A promise, since Safari wants the item made in the click itself.
        await navigator.clipboard.write([new ClipboardItem({ "image/png": shown.toPng() })]);
        this.#tell(said.copied);
      } else if (as === "link") {
        const { href, isWhole } = this.#link!();
        await navigator.clipboard.writeText(href);
        this.#tell(isWhole ? said.linked : said.linkedInPart);
      } else {
        save(await kFormats[as](shown), `${this.getAttribute("name") ?? "grid"}.${as}`);
        this.#tell(said.saved);
      }
    } catch {
      this.#tell(as === "copy" ? said.refusedCopy : as === "link" ? said.refusedLink : said.failed);
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
