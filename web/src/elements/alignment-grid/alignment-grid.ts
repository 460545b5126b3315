import { GridBoard } from "./board.ts";
import css from "./alignment-grid.css?inline";
import { drawPicture, paint, type Picture, toCsv, toJson, toSvg, type Weights } from "./picture.ts";
import { kSteps, ramp, rampStep, type Scheme } from "./ramp.ts";

export interface AlignmentData {
  /** Words or pieces across. */
  source: readonly string[];
  /** Words or pieces down. */
  target: readonly string[];
  /** [target, source] weights from 0 to 1: flat and row-major, or one array a row. */
  attention: Float32Array | readonly number[] | readonly (readonly number[])[];
}

/** A cell, or a whole row or column where the other is null. */
export interface Place {
  row: number | null;
  column: number | null;
}

export interface PairDetail extends Place {
  weight: number | null;
}

/** Words for the tooltip: a short title, and what it means. */
export interface Description {
  title: string;
  text: string;
}

declare global {
  interface HTMLElementTagNameMap {
    "alignment-grid": AlignmentGrid;
  }
  interface HTMLElementEventMap {
    pair: CustomEvent<PairDetail>;
  }
}

const kNowhere: Place = { row: null, column: null };
const kEmpty: AlignmentData = { source: [], target: [], attention: [] };

/**
 * `<alignment-grid>`: attention as a picture, the source across, the target down. See README.md beside this file.
 *
 * Arrays go in (`data`), events come out (`pair`); it knows nothing of models or WebAssembly.
 */
export class AlignmentGrid extends HTMLElement {
  static observedAttributes = ["source-label", "target-label"];

  #data = kEmpty;
  #weights: Float32Array = new Float32Array();
  #highlight = kNowhere;
  #hovered = kNowhere;
  #focused = kNowhere;
  #told: Place = kNowhere;
  #scheduled = false;
  #scheme: Scheme | undefined;
  readonly #board: GridBoard;
  readonly #probe: HTMLElement;
  readonly #scale: HTMLCanvasElement;
  readonly #needle: HTMLElement;
  readonly #tip: HTMLElement;
  readonly #resize = new ResizeObserver(() => this.#schedule());

  /** Title and plain words for the tooltip of a cell; replace it to speak another language. */
  describe: (source: string, target: string, weight: number) => Description = (source, target, weight) => ({
    title: `${source} to ${target}: ${weight.toFixed(2)}`,
    text: `${percent(weight)} of the attention for “${target}” went to “${source}”.`,
  });

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets = [sheet];
    root.innerHTML = `
      <span class="probe"></span>
      <div class="scroller"><div class="board"></div></div>
      <div class="tip" hidden><b></b><span></span></div>
      <div class="legend" part="legend">
        <span class="legend-label"><slot name="legend">Weight</slot></span>
        <div class="scale" aria-hidden="true">
          <canvas width="${kSteps}" height="1"></canvas>
          <div class="needle" hidden></div>
          <div class="ticks"><span>0</span><span>0.25</span><span>0.5</span><span>0.75</span><span>1</span></div>
        </div>
      </div>`;
    this.#probe = root.querySelector(".probe")!;
    this.#scale = root.querySelector(".scale canvas")!;
    this.#needle = root.querySelector(".needle")!;
    this.#tip = root.querySelector(".tip")!;
    this.#board = new GridBoard(root.querySelector(".board")!, {
      hover: (place) => this.#point(place, this.#focused),
      focus: (place) => this.#point(this.#hovered, place),
    });
    this.#probe.addEventListener("transitionend", () => this.#schedule());
    root.querySelector(".scroller")!.addEventListener("scroll", () => this.#showPlace(), { passive: true });
  }

  connectedCallback(): void {
    this.#resize.observe(this);
    this.#schedule();
  }

  disconnectedCallback(): void {
    this.#resize.disconnect();
  }

  attributeChangedCallback(): void {
    this.#schedule();
  }

  get data(): AlignmentData {
    return this.#data;
  }

  /** @throws {RangeError} if `attention` does not have target x source weights. */
  set data(data: AlignmentData) {
    this.#weights = flatten(data);
    this.#data = data;
    this.#hovered = this.#told = kNowhere;
    this.#schedule();
  }

  /** What the page wants marked, besides what the pointer and the keyboard mark. Emits no event. */
  get highlight(): Place {
    return this.#highlight;
  }

  set highlight(place: Place) {
    this.#highlight = place;
    this.#showPlace();
  }

  /** The grid as an SVG of its own, in the colours it has now. */
  toSvg(): string {
    return toSvg(this.#picture());
  }

  /** The same as a PNG, with `scale` pixels for each of the SVG. */
  async toPng(scale = 2): Promise<Blob> {
    const canvas = document.createElement("canvas");
    paint(this.#picture(), canvas, scale);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new RangeError(`alignment-grid: ${canvas.width} x ${canvas.height} pixels are too many, take a smaller scale`);
    return blob;
  }

  /** A table: the source's words in the first line, a target word and its weights in each other. */
  toCsv(): string {
    return toCsv(this.#shown);
  }

  /** What `data` takes, as JSON. */
  toJson(): string {
    return toJson(this.#shown);
  }

  get #shown(): Weights {
    return { source: this.#data.source, target: this.#data.target, weights: this.#weights };
  }

  #picture(): Picture {
    const context = document.createElement("canvas").getContext("2d")!;
    const measure = (text: string, font: string) => {
      context.font = font;
      return context.measureText(text).width;
    };
    return drawPicture(this.#shown, this.#currentScheme(), getComputedStyle(this).fontFamily, measure);
  }

  #currentScheme(): Scheme {
    return getComputedStyle(this.#probe).color === "rgb(0, 0, 0)" ? "dark" : "light";
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      if (this.isConnected) this.#render();
    });
  }

  #render(): void {
    const scheme = this.#currentScheme();
    const colours = ramp(scheme);
    if (scheme !== this.#scheme) {
      this.#scheme = scheme;
      paintScale(this.#scale, colours);
    }
    this.#board.render(
      this.#shown,
      {
        colours,
        corner: this.getAttribute("target-label") ?? "",
        name: `Attention: ${this.getAttribute("target-label") ?? "target"} down, ${this.getAttribute("source-label") ?? "source"} across`,
        room: { width: this.clientWidth, height: 0.72 * window.innerHeight },
      });
    // The focused cell has another weight now, or is gone, which not every browser tells.
    this.#point(this.#hovered, this.#board.focused);
  }

  #point(hovered: Place, focused: Place): void {
    this.#hovered = hovered;
    this.#focused = focused;
    const { row, column } = isSomewhere(hovered) ? hovered : focused;
    if (row !== this.#told.row || column !== this.#told.column) {
      this.#told = { row, column };
      const detail: PairDetail = { row, column, weight: this.#weightAt({ row, column }) };
      this.dispatchEvent(new CustomEvent("pair", { detail, bubbles: true, composed: true }));
    }
    this.#showPlace();
  }

  #showPlace(): void {
    const own = isSomewhere(this.#hovered) ? this.#hovered : this.#focused;
    const place = isSomewhere(own) ? own : this.#highlight;
    this.#board.mark(place);
    const weight = this.#weightAt(place);
    this.#needle.hidden = weight === null;
    if (weight !== null) this.#needle.style.setProperty("--at", String(weight));
    // What the page itself marks is shown without a tooltip: the visitor's eyes are elsewhere.
    this.#showTip(isSomewhere(own) ? own : kNowhere);
  }

  #showTip(place: Place): void {
    const weight = this.#weightAt(place);
    const rect = this.#board.cellRect(place);
    this.#tip.hidden = weight === null || rect === null;
    if (weight === null || rect === null) return;
    const description = this.describe(this.#data.source[place.column!]!, this.#data.target[place.row!]!, weight);
    this.#tip.querySelector("b")!.textContent = description.title;
    this.#tip.querySelector("span")!.textContent = description.text;
    const host = this.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.#tip;
    const gap = 10;
    const left = rect.right - host.left + gap + width <= host.width
      ? rect.right - host.left + gap : rect.left - host.left - gap - width;
    // Above and to the right: alignments tend to run down to the right, so least is covered there.
    const above = rect.top - gap - height;
    const top = above >= Math.max(0, this.#board.top) ? above - host.top : rect.bottom - host.top + gap;
    this.#tip.style.transform = `translate(${Math.round(Math.max(0, left))}px, ${Math.round(top)}px)`;
  }

  #weightAt({ row, column }: Place): number | null {
    if (row === null || column === null) return null;
    return this.#weights[row * this.#data.source.length + column] ?? null;
  }
}

function isSomewhere(place: Place): boolean {
  return place.row !== null || place.column !== null;
}

function percent(weight: number): string {
  return `${Math.round(100 * weight)} %`;
}

function paintScale(canvas: HTMLCanvasElement, colours: Uint8ClampedArray): void {
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(kSteps, 1);
  for (let step = 0; step < kSteps; ++step) {
    const from = 3 * rampStep(step / (kSteps - 1));
    image.data.set([colours[from]!, colours[from + 1]!, colours[from + 2]!, 255], 4 * step);
  }
  context.putImageData(image, 0, 0);
}

function flatten({ source, target, attention }: AlignmentData): Float32Array {
  const nested = Array.isArray(attention) && Array.isArray(attention[0]);
  const rows = attention as readonly (readonly number[])[];
  if (nested && rows.some((row) => row.length !== source.length)) {
    throw new RangeError(`alignment-grid: each row of attention needs ${source.length} weights, one a source word`);
  }
  const weights = nested ? Float32Array.from(rows.flat()) : Float32Array.from(attention as ArrayLike<number>);
  if (weights.length !== source.length * target.length) {
    throw new RangeError(
      `alignment-grid: attention has ${weights.length} weights, expected ${target.length} x ${source.length}`);
  }
  return weights;
}

customElements.define("alignment-grid", AlignmentGrid);
