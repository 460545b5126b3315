import { kLengths, type LayerKind, layerKinds, type Measured } from "../engine/how-protocol.ts";
import { decimal } from "../words/language.ts";
import { words as said } from "../words/words.ts";

const kSvg = "http://www.w3.org/2000/svg";
const kHeight = 320;
const kMargin = { left: 52, right: 112, top: 20, bottom: 44 };
const kLabelGap = 18;
const kTickGap = 38;

/** Time by length, both in powers, so that what grows by a power is a straight line. Each line has its name at its end. */
export class CostPlot {
  readonly element = document.createElementNS(kSvg, "svg");

  constructor() {
    this.element.classList.add("plot");
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", said.how.costs.plot);
  }

  /** @param n the chosen length, which is marked. */
  draw(points: readonly Measured[], n: number, width: number): void {
    this.element.setAttribute("viewBox", `0 0 ${width} ${kHeight}`);
    this.element.style.height = `${kHeight}px`;
    const times = points.map(({ time }) => time);
    // Whole powers of ten around what there is; before there is anything, what there is likely to be.
    const low = Math.floor(Math.log10(Math.min(...times, 0.1)));
    const high = Math.max(low + 2, Math.ceil(Math.log10(Math.max(...times, 10))));
    const right = width - kMargin.right;
    const bottom = kHeight - kMargin.bottom;
    const across = Math.log2(kLengths.at(-1)! / kLengths[0]);
    const x = (length: number) => kMargin.left + ((right - kMargin.left) * Math.log2(length / kLengths[0])) / across;
    const y = (time: number) => bottom - ((bottom - kMargin.top) * (Math.log10(time) - low)) / (high - low);

    const parts: SVGElement[] = [];
    for (let power = low; power <= high; ++power) {
      const at = y(10 ** power);
      parts.push(line("rule", kMargin.left, at, right, at), text(decimal(10 ** power, Math.max(0, -power)), kMargin.left - 8, at + 4, "end"));
    }
    // On a phone every other one has room.
    const every = (x(kLengths[1]) - x(kLengths[0])) < kTickGap ? 2 : 1;
    for (const length of kLengths.filter((_, i) => i % every === 0)) parts.push(text(String(length), x(length), bottom + 18, "middle"));
    parts.push(
      text(said.how.costs.axisTime, 0, 11, "start"), text(said.how.costs.axisLength, (kMargin.left + right) / 2, kHeight - 6, "middle"),
      line("chosen", x(n), kMargin.top, x(n), bottom));
    const ends: { kind: LayerKind; x: number; y: number }[] = [];
    for (const kind of layerKinds) {
      const own = points.filter((point) => point.kind === kind).sort((a, b) => a.n - b.n).map((point) => [x(point.n), y(point.time)] as const);
      if (own.length === 0) continue;
      parts.push(make("polyline", { class: `line ${kind}`, points: own.map((at) => at.map((v) => v.toFixed(1)).join(",")).join(" ") }));
      for (const [cx, cy] of own) parts.push(make("circle", { class: `dot ${kind}`, cx: cx.toFixed(1), cy: cy.toFixed(1), r: "3.5" }));
      ends.push({ kind, x: own.at(-1)![0], y: own.at(-1)![1] });
    }
    // Names of lines that end near each other are moved apart.
    ends.sort((a, b) => a.y - b.y).forEach((end, i) => {
      if (i > 0) end.y = Math.max(end.y, ends[i - 1]!.y + kLabelGap);
      parts.push(text(said.how.layers[end.kind].short, end.x + 9, end.y + 4, "start", `name ${end.kind}`));
    });
    this.element.replaceChildren(...parts);
  }
}

function make(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function line(name: string, x1: number, y1: number, x2: number, y2: number): SVGElement {
  return make("line", { class: name, x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1) });
}

function text(content: string, x: number, y: number, anchor: string, name = ""): SVGElement {
  const element = make("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": anchor, ...(name && { class: name }) });
  element.textContent = content;
  return element;
}
