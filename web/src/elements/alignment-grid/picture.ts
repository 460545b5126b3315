import { layoutGrid } from "./layout.ts";
import { isDeep, numberOf, ramp, rampStep, type Scheme } from "./ramp.ts";

// The grid as a picture of its own, for a page or a slide. It is a list of shapes, which become an SVG or are painted on a
// canvas. Pure, but for the canvas that is given. Lengths are pixels.

export interface Weights {
  source: readonly string[];
  target: readonly string[];
  /** [target, source], row by row. */
  weights: Float32Array;
}

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
  fill: string;
}

export interface Label {
  text: string;
  x: number;
  /** The middle of the line. */
  y: number;
  size: number;
  fill: string;
  anchor: "start" | "middle" | "end";
  /** Degrees, clockwise, around (x, y). */
  turn: number;
}

export interface Picture {
  width: number;
  height: number;
  font: string;
  rectangles: readonly Rectangle[];
  labels: readonly Label[];
}

const kPaper: Record<Scheme, { ground: string; ink: string; over: string }> = {
  light: { ground: "#ffffff", ink: "#1a2142", over: "#ffffff" },
  dark: { ground: "#141b2b", ink: "#e8ecf8", over: "#141b2b" },
};
const kFontSize = 16;
const kMargin = 12;
/** So wide that no label has to be cut and cells are as large as they get. */
const kRoom = { width: 1e5, height: 1e5 };

/**
 * @param measure the width of a text in a font like "16px serif".
 */
export function drawPicture(
  { source, target, weights }: Weights, scheme: Scheme, family: string, measure: (text: string, font: string) => number,
): Picture {
  const { ground, ink } = kPaper[scheme];
  const colours = ramp(scheme);
  const font = `${kFontSize}px ${family}`;
  const columns = source.map((word) => measure(word, font));
  const rows = target.map((word) => measure(word, font));
  const { cell, turn, headHeight, overhang } = layoutGrid({ columns, rows, fontSize: kFontSize }, kRoom);
  // Labels are not cut here, whatever the layout allows on a page.
  const tallest = turn === 0 ? headHeight : Math.max(headHeight, (Math.max(0, ...columns) + kFontSize) * Math.SQRT1_2 + 8);
  const left = kMargin + Math.ceil(Math.max(0, ...rows)) + 10;
  const top = kMargin + Math.ceil(tallest);
  const slant = Math.max(overhang, ...columns.map((width, c) => (c + 0.75 - columns.length) * cell + width * Math.SQRT1_2));
  const width = left + cell * source.length + Math.ceil(turn === 0 ? 0 : Math.max(0, slant)) + kMargin;
  const height = top + cell * target.length + kMargin;

  const rectangles: Rectangle[] = [{ x: 0, y: 0, width, height, fill: ground }];
  const labels: Label[] = [];
  const label = (text: string, x: number, y: number, anchor: Label["anchor"], more: Partial<Label> = {}) =>
    labels.push({ text, x, y, size: kFontSize, fill: ink, anchor, turn: 0, ...more });
  source.forEach((word, c) => {
    const middle = left + (c + 0.5) * cell;
    if (turn === 0) label(word, middle, top - 14, "middle");
    else label(word, middle, top - 8, "start", { turn: -45 });
  });
  target.forEach((word, r) => {
    const y = top + r * cell;
    label(word, left - 10, y + cell / 2, "end");
    source.forEach((_, c) => {
      const weight = weights[r * source.length + c]!;
      const step = 3 * rampStep(weight);
      rectangles.push({ x: left + c * cell + 1, y: y + 1, width: cell - 2, height: cell - 2, fill: hex(colours.subarray(step, step + 3)) });
      const fill = isDeep(weight) ? kPaper[scheme].over : ink;
      if (numberOf(weight)) label(numberOf(weight), left + (c + 0.5) * cell, y + cell / 2, "middle", { size: 13, fill });
    });
  });
  return { width, height, font: family, rectangles, labels };
}

export function toSvg({ width, height, font, rectangles, labels }: Picture): string {
  const lines = rectangles.map(({ x, y, width, height, fill }) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`);
  for (const { text, x, y, size, fill, anchor, turn } of labels) {
    const [at, down] = [round(x), round(y)];
    const rotate = turn === 0 ? "" : ` transform="rotate(${turn} ${at} ${down})"`;
    lines.push(
      `<text x="${at}" y="${down}" font-size="${size}" fill="${fill}" text-anchor="${anchor}" dominant-baseline="central"${rotate}>` +
      `${escaped(text)}</text>`);
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${escaped(font)}">\n${lines.join("\n")}\n</svg>\n`;
}

/** Paints on a canvas that it sizes, `scale` of its pixels for one of the picture's. */
export function paint({ width, height, font, rectangles, labels }: Picture, canvas: HTMLCanvasElement, scale: number): void {
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  for (const { x, y, width, height, fill } of rectangles) {
    context.fillStyle = fill;
    context.fillRect(x, y, width, height);
  }
  context.textBaseline = "middle";
  for (const { text, x, y, size, fill, anchor, turn } of labels) {
    context.save();
    context.translate(x, y);
    context.rotate((turn * Math.PI) / 180);
    context.font = `${size}px ${font}`;
    context.fillStyle = fill;
    context.textAlign = anchor === "middle" ? "center" : anchor;
    context.fillText(text, 0, 0);
    context.restore();
  }
}

/** RFC 4180: the source's words in the first line, a target word and its weights in each other. */
export function toCsv({ source, target, weights }: Weights): string {
  const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const rows = target.map((word, r) => {
    const row = weights.subarray(r * source.length, (r + 1) * source.length);
    return [field(word), ...Array.from(row, (weight) => String(decimal(weight)))];
  });
  return [["", ...source.map(field)], ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

/** `{ source, target, attention }`, which `data` of the element takes. */
export function toJson({ source, target, weights }: Weights): string {
  const attention = target.map((_, r) => Array.from(weights.subarray(r * source.length, (r + 1) * source.length), decimal));
  return `${JSON.stringify({ source, target, attention })}\n`;
}

/** Of a single-precision weight, the digits that count. */
function decimal(weight: number): number {
  return Number(weight.toPrecision(6));
}

function round(length: number): number {
  return Math.round(100 * length) / 100;
}

function hex(rgb: Uint8ClampedArray): string {
  return `#${Array.from(rgb, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What XML cannot hold at all, control characters, is left out. */
function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "").replace(/[&<>"]/g, (c) => entities[c]!);
}
