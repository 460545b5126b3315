import { words as said } from "../words/words.ts";
import { adopt } from "./adopt.ts";
import type { HeadsState } from "./heads-board.ts";

/**
 * `<all-heads>`: every head of a network that has several, once somebody wants to see them; until then their board is not loaded. Emits
 * `open`, and `switch` as the board does.
 */
export class AllHeads extends HTMLElement {
  #state: HeadsState | undefined;
  #loaded: Promise<void> | undefined;

  connectedCallback(): void {
    this.innerHTML = `<details><summary><h3>${said.index.allHeads.title}</h3></summary><heads-board></heads-board></details>`;
    this.#details.addEventListener("toggle", () => this.dispatchEvent(new CustomEvent("open")));
  }

  get #details(): HTMLDetailsElement {
    return this.querySelector("details")!;
  }

  get open(): boolean {
    return this.#details.open;
  }

  set open(open: boolean) {
    this.#details.open = open;
  }

  set state(state: HeadsState) {
    this.#state = state;
    if (state.answer) void this.#show();
  }

  async #show(): Promise<void> {
    try {
      await (this.#loaded ??= load());
    } catch {
      this.#loaded = undefined; // the next time it may come
      return;
    }
    if (this.#state) this.querySelector("heads-board")!.state = this.#state;
  }
}

async function load(): Promise<void> {
  const [{ default: css }] = await Promise.all([import("../style/all-heads.css?inline"), import("./heads-board.ts")]);
  adopt(css);
}

declare global {
  interface HTMLElementTagNameMap {
    "all-heads": AllHeads;
  }
  interface HTMLElementEventMap {
    /** Heads are looked at, or not any more. */
    open: CustomEvent<null>;
  }
}

customElements.define("all-heads", AllHeads);
