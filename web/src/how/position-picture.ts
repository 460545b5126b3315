import type { PositionKind, Positions } from "../engine/how-protocol.ts";
import { paragraph } from "../page/in-words.ts";
import { onScheme, paintSigned, paintWeights } from "./heat-map.ts";
import { likeness } from "./numbers.ts";
import { words } from "../words/words.ts";

const kSvg = "http://www.w3.org/2000/svg";
/** Head 2 looks ahead, head 3 back. */
const kHeads = [1, 2];

/** One kind of positions: its heat map, and under it how like the chosen position the others are. */
export class PositionPicture {
  readonly element = document.createElement("figure");
  readonly #kind: PositionKind;
  readonly #data: Positions;
  readonly #count: number;
  readonly #canvases: HTMLCanvasElement[] = [];
  readonly #lines: SVGPolylineElement[] = [];
  readonly #curve = document.createElementNS(kSvg, "svg");
  readonly #readout = Object.assign(document.createElement("p"), { className: "readout" });
  readonly #needles: HTMLElement[] = [];

  /** @param choose a position was pressed in the picture. */
  constructor(kind: PositionKind, data: Positions, count: number, choose: (position: number) => void) {
    this.#kind = kind;
    this.#data = data;
    this.#count = kind === "relative" ? data.relative.shape[2]! : count;
    const { name, about } = words.how.kinds[kind];
    this.element.className = `positions ${kind}`;
    const caption = document.createElement("figcaption");
    caption.append(Object.assign(document.createElement("h3"), { textContent: name }), paragraph(about));
    this.element.append(caption);
    const pictures = Object.assign(document.createElement("div"), { className: "pictures" });
    for (const head of kind === "relative" ? kHeads : [undefined]) pictures.append(this.#picture(head, choose));
    const zero = document.createElementNS(kSvg, "line");
    zero.setAttribute("x2", String(this.#count));
    zero.setAttribute("vector-effect", "non-scaling-stroke");
    this.#curve.append(zero);
    for (const _ of this.#canvases) this.#lines.push(this.#line());
    this.#curve.setAttribute("viewBox", `0 -1.1 ${this.#count} ${kind === "relative" ? 1.2 : 2.2}`);
    this.#curve.setAttribute("preserveAspectRatio", "none");
    this.#curve.setAttribute("aria-hidden", "true"); // the readout says it
    this.element.append(pictures, this.#curve, this.#readout);
    onScheme(() => this.#paint());
    this.#paint();
  }

  choose(position: number): void {
    const at = Math.min(position, this.#count - 1);
    for (const needle of this.#needles) needle.style.setProperty("--at", String(at / this.#count));
    if (this.#kind === "relative") {
      this.#readout.textContent = kHeads.map((head, index) => {
        const row = this.#weights(head).subarray(at * this.#count, (at + 1) * this.#count);
        this.#draw(index, Array.from(row));
        const most = row.indexOf(Math.max(...row));
        return words.how.positions.relativeRow(at, head, row[most]!, most);
      }).join(" ");
      return;
    }
    const list = this.#data.lists[this.#kind];
    const step = this.#step;
    const known = at * step < list.shape[0]!;
    for (const needle of this.#needles) needle.hidden = !known;
    const alike = known ? likeness(list, at * step) : [];
    this.#draw(0, alike);
    const near = alike[(at + 1) * step] ?? alike[(at - 1) * step] ?? 0;
    const far = alike[(at + 8) * step] ?? alike[(at - 8) * step] ?? 0;
    this.#readout.textContent = known ? words.how.positions.alike(at, near, far) : words.how.positions.beyond(at);
  }

  /** How many rows there are for each position. */
  get #step(): number {
    return this.#kind === "continuous" ? this.#data.finer : 1;
  }

  #picture(head: number | undefined, choose: (position: number) => void): HTMLElement {
    const { name } = words.how.kinds[this.#kind];
    const frame = Object.assign(document.createElement("div"), { className: "picture" });
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.ariaLabel = head === undefined
      ? words.how.positions.picture(name, this.#count, this.#data.lists.sinusoidal.shape[1]!) : words.how.positions.relativePicture(head);
    const needle = Object.assign(document.createElement("span"), { className: "needle" });
    needle.style.setProperty("--width", String(1 / this.#count));
    frame.append(canvas, needle);
    const place = document.createElement("div");
    place.append(frame);
    if (head !== undefined) place.append(paragraph(words.how.positions.relativeCaption(head)));
    const pick = (event: PointerEvent) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const part = head === undefined ? (event.clientX - left) / width : (event.clientY - top) / height;
      choose(Math.max(0, Math.min(this.#count - 1, Math.floor(part * this.#count))));
    };
    canvas.addEventListener("pointerdown", pick);
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons > 0) pick(event);
    });
    this.#canvases.push(canvas);
    this.#needles.push(needle);
    return place;
  }

  #line(): SVGPolylineElement {
    const line = document.createElementNS(kSvg, "polyline");
    line.setAttribute("vector-effect", "non-scaling-stroke");
    this.#curve.append(line);
    return line;
  }

  #draw(index: number, values: readonly number[]): void {
    const step = this.#step;
    this.#lines[index]!.setAttribute("points", values.map((value, i) => `${(i / step + 0.5).toFixed(2)},${(-value).toFixed(4)}`).join(" "));
  }

  #weights(head: number): Float32Array {
    const size = this.#count * this.#count;
    return this.#data.relative.data.subarray(head * size, (head + 1) * size);
  }

  #paint(): void {
    if (this.#kind === "relative") {
      this.#canvases.forEach((canvas, index) => paintWeights(canvas, this.#count, this.#weights(kHeads[index]!)));
      return;
    }
    const { data, shape } = this.#data.lists[this.#kind];
    const [rows, width] = [shape[0]!, shape[1]!];
    const most = data.reduce((largest, x) => Math.max(largest, Math.abs(x)), 1e-6);
    const columns = this.#count * this.#step;
    paintSigned(this.#canvases[0]!, columns, width, (position, number) =>
      position < rows ? data[position * width + number]! / most : undefined);
  }
}
