import { kSteps, rampStep } from "./ramp.ts";
import type { Sayings } from "./sayings.ts";
import type { View } from "./view.ts";

const kTicks = [0, 0.25, 0.5, 0.75, 1];

/** The line under a picture that says what colours and outlines mean. */
export class Legend {
  readonly element = document.createElement("div");
  readonly #scale: HTMLCanvasElement;
  readonly #needle: HTMLElement;
  readonly #below: HTMLElement;
  readonly #ticks: HTMLElement[];

  constructor() {
    this.element.className = "legend";
    this.element.setAttribute("part", "legend");
    this.element.innerHTML = `
      <div class="item soft">
        <span><slot name="legend"></slot></span>
        <div class="scale" aria-hidden="true">
          <canvas width="${kSteps}" height="1"></canvas>
          <div class="below"></div>
          <div class="needle" hidden></div>
          <div class="ticks"></div>
        </div>
      </div>
      <div class="item hard"><i class="swatch linked"></i><span><slot name="legend-hard"></slot></span></div>
      <div class="item sure"><i class="swatch outline"></i><span><slot name="legend-sure"></slot></span></div>
      <div class="item possible"><i class="swatch outline dashed"></i><span><slot name="legend-possible"></slot></span></div>`;
    this.#scale = this.element.querySelector("canvas")!;
    this.#needle = this.element.querySelector(".needle")!;
    this.#below = this.element.querySelector(".below")!;
    this.#ticks = kTicks.map(() => document.createElement("span"));
    this.element.querySelector(".ticks")!.append(...this.#ticks);
  }

  /** In the language of the page; what it puts into the slots stands instead. */
  speak({ legend: { weight, hard, sure, possible }, full }: Sayings): void {
    const names = { legend: weight, "legend-hard": hard, "legend-sure": sure, "legend-possible": possible };
    for (const [name, text] of Object.entries(names)) this.element.querySelector(`slot[name=${name}]`)!.textContent = text;
    // Without the zeros at the end: "0.5".
    this.#ticks.forEach((tick, index) => (tick.textContent = full(kTicks[index]!).replace(/\D?0+$/, "")));
  }

  render({ options, gold }: View): void {
    const show = (name: string, shown: boolean) => (this.element.querySelector<HTMLElement>(`.item.${name}`)!.hidden = !shown);
    show("soft", options.links === "soft");
    show("hard", options.links === "hard");
    show("sure", gold.some(({ kind }) => kind === "sure"));
    show("possible", gold.some(({ kind }) => kind === "possible"));
    this.#below.style.width = `${100 * options.threshold}%`;
  }

  paint(colours: Uint8ClampedArray): void {
    const context = this.#scale.getContext("2d")!;
    const image = context.createImageData(kSteps, 1);
    for (let step = 0; step < kSteps; ++step) {
      const from = 3 * rampStep(step / (kSteps - 1));
      image.data.set([colours[from]!, colours[from + 1]!, colours[from + 2]!, 255], 4 * step);
    }
    context.putImageData(image, 0, 0);
  }

  /** Points at a weight on the scale, or at none. */
  point(weight: number | null): void {
    this.#needle.hidden = weight === null;
    if (weight !== null) this.#needle.style.setProperty("--at", String(Math.min(1, Math.max(0, weight))));
  }
}
