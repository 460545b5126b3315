import type { PositionsListener } from "../engine/how.ts";
import type { PositionKind, Positions } from "../engine/how-protocol.ts";
import { paragraph } from "../page/in-words.ts";
import { StateNote } from "../page/state-note.ts";
import { PositionPicture } from "./position-picture.ts";
import { problemIn } from "../page/problems.ts";
import { words } from "../words/words.ts";

export interface ComputesPositions {
  positions: PositionsListener | undefined;
  computePositions(): void;
}

const kOrder: readonly PositionKind[] = ["sinusoidal", "learned", "recurrent", "continuous", "relative"];
const kFirst = 12;

/** `<position-pictures>`: positions of all kinds as heat maps, with one slider for all. */
export class PositionPictures extends HTMLElement {
  #pictures: PositionPicture[] = [];
  #engine: ComputesPositions | undefined;
  #note!: StateNote;
  #position = kFirst;

  connectedCallback(): void {
    if (this.#note) return;
    this.innerHTML = `
      <div class="loading"></div><div class="trouble"></div>
      <div class="choice" hidden>
        <label for="position"></label><input id="position" type="range" min="0"><output for="position"></output>
      </div>
      <p class="hint" hidden></p>
      <div class="gallery"></div>`;
    this.#note = new StateNote(
      { loading: this.querySelector(".loading")!, problem: this.querySelector(".trouble")! }, () => this.#engine?.computePositions(),
      { loading: () => words.how.positions.computing, problem: (failure) => problemIn(words.how.problems, failure) });
    this.querySelector("label")!.textContent = words.how.positions.slider;
    this.querySelector("input")!.addEventListener("input", () => this.#choose(Number(this.querySelector("input")!.value)));
  }

  set engine(engine: ComputesPositions) {
    this.#engine = engine;
    engine.positions = {
      computed: (positions) => this.#show(positions),
      failed: (failure) => this.#note.failed(failure),
    };
    engine.computePositions();
  }

  #show(positions: Positions): void {
    this.#note.clear();
    const count = positions.lists.sinusoidal.shape[0]!;
    this.#pictures = kOrder.map((kind) => new PositionPicture(kind, positions, count, (position) => this.#choose(position)));
    this.querySelector(".gallery")!.replaceChildren(...this.#pictures.map(({ element }) => element));
    this.querySelector(".hint")!.after(this.#legend());
    this.querySelector(".gallery")!.after(Object.assign(paragraph(words.how.positions.trained), { className: "trained" }));
    this.querySelector("input")!.max = String(count - 1);
    for (const part of this.querySelectorAll<HTMLElement>(".choice, .hint")) part.hidden = false;
    this.#choose(this.#position);
  }

  #legend(): HTMLElement {
    const legend = Object.assign(document.createElement("p"), { className: "signs" });
    const sign = (name: string, text: string) => {
      const part = document.createElement("span");
      part.append(Object.assign(document.createElement("i"), { className: name }), text);
      return part;
    };
    legend.append(words.how.positions.legend, sign("minus", words.how.positions.minus), sign("plus", words.how.positions.plus));
    return legend;
  }

  #choose(position: number): void {
    this.#position = position;
    const input = this.querySelector("input")!;
    input.value = String(position);
    input.ariaValueText = words.how.positions.ofPosition(position);
    this.querySelector("output")!.textContent = String(position);
    this.querySelector(".hint")!.textContent = words.how.positions.how(position);
    for (const picture of this.#pictures) picture.choose(position);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "position-pictures": PositionPictures;
  }
}

customElements.define("position-pictures", PositionPictures);
