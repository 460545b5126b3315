import css from "./alignment.css?inline";
import type { Board, Drawing } from "./board.ts";
import {
  checkGold, flatten, isSomewhere, kNowhere, type AlignmentData, type Edited, type GoldLinks, type PairDetail, type Place, type WeighDetail,
} from "./data.ts";
import { Legend } from "./legend.ts";
import { paint, toCsv, toJson, toSvg, type Measure, type Picture } from "./picture.ts";
import { ramp, type Scheme } from "./ramp.ts";
import { type Describe, type SayPair, type Sayings, sayingsFor, type SaySum, type SayWord } from "./sayings.ts";
import { Tip } from "./tip.ts";
import { optionsFrom, viewOf, type View, type ViewOptions } from "./view.ts";

declare global {
  interface HTMLElementEventMap {
    pair: CustomEvent<PairDetail>;
    pick: CustomEvent<Place>;
    weigh: CustomEvent<WeighDetail>;
  }
}

const kOptions: readonly (keyof ViewOptions)[] = ["threshold", "links", "order", "sums"];

/**
 * What `<alignment-grid>` and `<alignment-threads>` have in common, which is all but the drawing: arrays go in (`data`, `gold`),
 * options are attributes, events come out (`pair`). README.md beside this file has the whole list.
 */
export abstract class AlignmentElement extends HTMLElement {
  static observedAttributes = ["lang", "source-label", "target-label", "source-lang", "target-lang", "editable", ...kOptions];

  #data: AlignmentData = { source: [], target: [], attention: [] };
  #weights: Float32Array = new Float32Array();
  #gold: GoldLinks | null = null;
  #edited: Edited | null = null;
  #highlight = kNowhere;
  // Places of the data, whatever the order in which they are shown.
  #hovered = kNowhere;
  #focused = kNowhere;
  #told: Place = kNowhere;
  #view: View | undefined;
  #scheduled = false;
  #unrolling: number | undefined;
  #scheme: Scheme | undefined;
  readonly #drawing: Drawing;
  readonly #board: Board;
  readonly #probe: HTMLElement;
  readonly #legend = new Legend();
  readonly #tip = new Tip();
  readonly #resize = new ResizeObserver(() => this.#schedule());

  // Where these are not set, the element says them itself, in French where the language around it is French, else in English.
  /** Title and plain words for the tooltip of a pair. */
  describe: Describe | undefined;
  /** What screen readers hear of a pair, */
  sayPair: SayPair | undefined;
  /** of a word with the words it belongs to, */
  sayWord: SayWord | undefined;
  /** and of a sum. */
  saySum: SaySum | undefined;

  constructor(drawing: Drawing) {
    super();
    this.#drawing = drawing;
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [css, drawing.css].map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return sheet;
    });
    root.innerHTML = `
      <span class="probe"></span>
      <div class="scroller"><div class="board"></div></div>`;
    root.append(this.#tip.element, this.#legend.element);
    this.#probe = root.querySelector(".probe")!;
    this.#board = drawing.board(root.querySelector(".board")!, {
      hover: (place) => this.#point(this.#shown.toData(place), this.#focused),
      focus: (place) => this.#point(this.#hovered, this.#shown.toData(place)),
      pick: (place) => this.#emit("pick", this.#shown.toData(place)),
      weigh: (change) => this.#emit("weigh", { ...change, ...this.#shown.toData(change) }),
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
    this.#change();
  }

  get data(): AlignmentData {
    return this.#data;
  }

  /** @throws {RangeError} if `attention` does not have target x source weights. */
  set data(data: AlignmentData) {
    this.#weights = flatten(data, this.localName);
    this.#data = data;
    this.#hovered = this.#told = kNowhere;
    this.#change();
  }

  /** Links made by hand, drawn as outlines; null for none. Places that the data does not have are left out. */
  get gold(): GoldLinks | null {
    return this.#gold;
  }

  /** @throws {TypeError} if a link is not a pair of whole numbers from 0 on. */
  set gold(gold: GoldLinks | null) {
    if (gold) checkGold(gold, this.localName);
    this.#gold = gold;
    this.#change();
  }

  /** What was changed by hand: rows that look where they were told, columns that nothing looks at; null for nothing. */
  get edited(): Edited | null {
    return this.#edited;
  }

  set edited(edited: Edited | null) {
    this.#edited = edited;
    this.#change();
  }

  /** How it is shown: the attributes `threshold`, `links`, `order`, `sums`. What is not given stays. */
  get options(): ViewOptions {
    return optionsFrom((name) => this.getAttribute(name));
  }

  set options(options: Partial<ViewOptions>) {
    for (const name of kOptions) {
      const value = options[name];
      if (value === undefined) continue;
      if (value === false) this.removeAttribute(name);
      else if (this.getAttribute(name) !== String(value)) this.setAttribute(name, value === true ? "" : String(value));
    }
  }

  /** What the page wants marked, besides what the pointer and the keyboard mark. Emits no event. */
  get highlight(): Place {
    return this.#highlight;
  }

  set highlight(place: Place) {
    this.#highlight = place;
    this.#showPlace();
  }

  /**
   * With the next drawing, lets the grid's rows from this one on appear one after the other, as their words were written. All are there at
   * once for who wants no motion, and for screen readers and the keyboard in any case.
   */
  unroll(from: number): void {
    this.#unrolling = from;
    this.#schedule();
  }

  /** The picture as an SVG of its own, in the colours it has now. */
  toSvg(): string {
    return toSvg(this.#picture());
  }

  /** The same as a PNG, with `scale` pixels for each of the SVG. */
  async toPng(scale = 2): Promise<Blob> {
    const canvas = document.createElement("canvas");
    paint(this.#picture(), canvas, scale);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
    if (!blob) throw new RangeError(`${this.localName}: ${canvas.width} x ${canvas.height} pixels are too many, take a smaller scale`);
    return blob;
  }

  /** The data as a table: the source's words in the first line, a target word and its weights in each other. */
  toCsv(): string {
    return toCsv({ ...this.#data, weights: this.#weights });
  }

  /** What `data` takes, as JSON. */
  toJson(): string {
    return toJson({ ...this.#data, weights: this.#weights });
  }

  get #shown(): View {
    return (this.#view ??= viewOf({ ...this.#data, weights: this.#weights }, this.options, this.#gold, this.#edited));
  }

  get #say(): Sayings {
    const { describe, sayPair, sayWord, saySum } = this;
    const own = Object.entries({ describe, sayPair, sayWord, saySum }).filter(([, say]) => say);
    return { ...sayingsFor(this), ...Object.fromEntries(own) };
  }

  #picture(): Picture {
    const context = document.createElement("canvas").getContext("2d")!;
    const measure: Measure = (text, font) => {
      context.font = font;
      return context.measureText(text).width;
    };
    return this.#drawing.picture(this.#shown, this.#currentScheme(), getComputedStyle(this).fontFamily, measure, this.#say, this.#names);
  }

  get #names(): string[] {
    const name = (label: string, arrow: string) => (this.getAttribute(label) ? [`${this.getAttribute(label)} ${arrow}`] : []);
    return [...name("source-label", "\u2192"), ...name("target-label", "\u2193")];
  }

  #currentScheme(): Scheme {
    return getComputedStyle(this.#probe).color === "rgb(0, 0, 0)" ? "dark" : "light";
  }

  #change(): void {
    this.#view = undefined;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      // While it is hidden it has no width; the observer tells when it gets one.
      if (this.isConnected && this.clientWidth > 0) this.#render();
    });
  }

  #render(): void {
    const scheme = this.#currentScheme();
    const colours = ramp(scheme);
    if (scheme !== this.#scheme) this.#legend.paint(colours);
    this.#scheme = scheme;
    const say = this.#say;
    this.#legend.speak(say);
    this.#legend.render(this.#shown);
    this.#board.render(this.#shown, {
      colours,
      sourceLabel: this.getAttribute("source-label") ?? "",
      targetLabel: this.getAttribute("target-label") ?? "",
      names: this.#names,
      langs: { source: this.getAttribute("source-lang") ?? "", target: this.getAttribute("target-lang") ?? "" },
      room: { width: this.clientWidth, height: 0.72 * window.innerHeight },
      say,
      editable: this.hasAttribute("editable"),
    });
    if (this.#unrolling !== undefined && !matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.#board.unroll?.(this.options.order === "original" ? this.#unrolling : 0);
    }
    this.#unrolling = undefined;
    // What has the focus has another weight now, or is gone, which not every browser tells.
    this.#point(this.#hovered, this.#shown.toData(this.#board.focused));
  }

  #point(hovered: Place, focused: Place): void {
    this.#hovered = hovered;
    this.#focused = focused;
    const { row, column } = isSomewhere(hovered) ? hovered : focused;
    if (row !== this.#told.row || column !== this.#told.column) {
      this.#told = { row, column };
      const detail: PairDetail = { row, column, weight: this.#weightAt({ row, column }) };
      this.#emit("pair", detail);
    }
    this.#showPlace();
  }

  #emit(name: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  #showPlace(): void {
    const own = isSomewhere(this.#hovered) ? this.#hovered : this.#focused;
    const place = isSomewhere(own) ? own : this.#highlight;
    this.#board.mark(this.#shown.toView(place));
    this.#legend.point(this.#weightAt(place));
    // What the page itself marks is shown without a tooltip: the visitor's eyes are elsewhere.
    this.#showTip(own);
  }

  #showTip(place: Place): void {
    const weight = this.#weightAt(place);
    const shown = this.#shown.toView(place);
    const rect = this.#board.rectOf(shown);
    if (weight === null || rect === null) return this.#tip.hide();
    const marks = this.#shown.marks(shown.row!, shown.column!);
    const words = this.#say.describe(this.#data.source[place.column!]!, this.#data.target[place.row!]!, weight, marks);
    this.#tip.show(words, rect, this.getBoundingClientRect(), this.#board.top);
  }

  #weightAt({ row, column }: Place): number | null {
    if (row === null || column === null) return null;
    return this.#weights[row * this.#data.source.length + column] ?? null;
  }
}
