import { kSteps, rampStep } from "./ramp.ts";
import type { View } from "./view.ts";

/** The line under a picture that says what colours and outlines mean. */
export class Legend {
  readonly element = document.createElement("div");
  readonly #scale: HTMLCanvasElement;
  readonly #needle: HTMLElement;
  readonly #below: HTMLElement;

  constructor() {
    this.element.className = "legend";
    this.element.setAttribute("part", "legend");
    this.element.innerHTML = `
      <div class="item soft">
        <span><slot name="legend">Weight</slot></span>
        <div class="scale" aria-hidden="true">
          <canvas width="${kSteps}" height="1"></canvas>
          <div class="below"></div>
          <div class="needle" hidden></div>
          <div class="ticks"><span>0</span><span>0.25</span><span>0.5</span><span>0.75</span><span>1</span></div>
        </div>
      </div>
      <div class="item hard"><i class="swatch linked"></i><span><slot name="legend-hard">Each target word’s largest weight</slot></span></div>
      <div class="item sure"><i class="swatch outline"></i><span><slot name="legend-sure">Sure link</slot></span></div>
      <div class="item possible"><i class="swatch outline dashed"></i><span><slot name="legend-possible">Possible link</slot></span></div>`;
    this.#scale = this.element.querySelector("canvas")!;
    this.#needle = this.element.querySelector(".needle")!;
    this.#below = this.element.querySelector(".below")!;
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
