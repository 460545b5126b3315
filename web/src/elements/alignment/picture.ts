// A picture of its own, for a page or a slide, of what an element shows. It is a list of shapes, which become an SVG or are
// painted on a canvas. Pure, but for the canvas that is given. Lengths are pixels.

import type { Scheme } from "./ramp.ts";

/** How much is left to see of what fades out. */
export const kFaded = 0.2;

/** The width of a text in a font like "16px serif". */
export type Measure = (text: string, font: string) => number;

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

/** A line, or an outline, without anything inside. */
export interface Stroke {
  /** As in SVG. */
  path: string;
  stroke: string;
  width: number;
  opacity?: number;
  dash?: readonly number[];
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

/** Rectangles lie lowest, labels uppermost. */
export interface Picture {
  width: number;
  height: number;
  font: string;
  rectangles: readonly Rectangle[];
  strokes: readonly Stroke[];
  labels: readonly Label[];
}

export const kPaper: Record<Scheme, { ground: string; ink: string; quiet: string; gold: string; mark: string }> = {
  light: { ground: "#ffffff", ink: "#1a2142", quiet: "#566078", gold: "#a86a00", mark: "#c4153a" },
  dark: { ground: "#141b2b", ink: "#e8ecf8", quiet: "#a4b0c0", gold: "#f0b429", mark: "#ff8066" },
};
export const kFontSize = 16;
export const kMargin = 12;
export const kDash = [5, 4];
/** Under a word that was written by hand. */
export const kDots = [2, 2];
/** Before a target word that looks where it was told. */
export const kChanged = "\u270e ";

/** `over` as it looks on `ground` where it has faded. */
export function faded(over: string, ground: string): string {
  const byte = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(byte(ground, at) + kFaded * (byte(over, at) - byte(ground, at))));
  return hex(Uint8ClampedArray.from(mixed));
}

export function toSvg({ width, height, font, rectangles, strokes, labels }: Picture): string {
  const lines = rectangles.map(({ x, y, width, height, fill }) =>
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}"/>`);
  for (const { path, stroke, width, opacity = 1, dash = [] } of strokes) {
    const more = `${opacity < 1 ? ` stroke-opacity="${opacity}"` : ""}${dash.length > 0 ? ` stroke-dasharray="${dash.join(" ")}"` : ""}`;
    lines.push(`<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${round(width)}"${more}/>`);
  }
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
export function paint({ width, height, font, rectangles, strokes, labels }: Picture, canvas: HTMLCanvasElement, scale: number): void {
  canvas.width = Math.ceil(width * scale);
  canvas.height = Math.ceil(height * scale);
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  for (const { x, y, width, height, fill } of rectangles) {
    context.fillStyle = fill;
    context.fillRect(x, y, width, height);
  }
  for (const { path, stroke, width, opacity = 1, dash = [] } of strokes) {
    context.globalAlpha = opacity;
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.setLineDash([...dash]);
    context.stroke(new Path2D(path));
  }
  context.globalAlpha = 1;
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

export function round(length: number): number {
  return Math.round(100 * length) / 100;
}

export function hex(rgb: Uint8ClampedArray): string {
  return `#${Array.from(rgb, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** What XML cannot hold at all, control characters, is left out. */
function escaped(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "").replace(/[&<>"]/g, (c) => entities[c]!);
}
