// Draws threads on a canvas.

import { kDash, kFaded } from "../alignment/picture.ts";
import { kSteps, rampStep } from "../alignment/ramp.ts";
import type { View } from "../alignment/view.ts";
import { curve, threadPath, type ThreadLayout } from "./layout.ts";
import { widthOf, type Thread } from "./threads.ts";

export interface Inks {
  ramp: readonly string[];
  ground: string;
  gold: string;
}

/** As many pixels as a canvas may have: a long sentence's is coarser instead. */
const kMostPixels = 6e6;

/** The ramp's colours as canvas and SVG take them. */
export function rampInks(colours: Uint8ClampedArray): string[] {
  return Array.from({ length: kSteps }, (_, step) => `rgb(${colours.subarray(3 * step, 3 * step + 3).join(" ")})`);
}

/** Clears a canvas, and makes it as large as the layout. */
export function clear(canvas: HTMLCanvasElement, { width, height }: ThreadLayout): CanvasRenderingContext2D {
  const scale = Math.min(window.devicePixelRatio || 1, Math.sqrt(kMostPixels / Math.max(1, width * height)));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  return context;
}

/** Links by hand first: they are outlines, within which the threads lie. */
export function weave(
  context: CanvasRenderingContext2D, layout: ThreadLayout, view: View, threads: readonly Thread[], gold: View["gold"], inks: Inks,
): void {
  const { links } = view.options;
  for (const { row, column, kind } of gold) {
    const width = widthOf(view.strengths[row * view.source.length + column]!, links);
    const path = new Path2D(threadPath(layout, row, column));
    context.setLineDash(kind === "possible" ? kDash : []);
    stroke(context, path, inks.gold, width + 6);
    context.setLineDash([]);
    stroke(context, path, inks.ground, width + 2.5);
  }
  // Those of one colour are next to each other, and one path.
  for (let from = 0; from < threads.length;) {
    const { strength, faded } = threads[from]!;
    const isSame = (thread: Thread) => rampStep(thread.strength) === rampStep(strength) && thread.faded === faded;
    context.beginPath();
    while (from < threads.length && isSame(threads[from]!)) {
      const [a, b, c, d, e, f, g, h] = curve(layout, threads[from]!.row, threads[from]!.column);
      context.moveTo(a, b);
      context.bezierCurveTo(c, d, e, f, g, h);
      ++from;
    }
    context.globalAlpha = faded ? kFaded : 1;
    context.strokeStyle = inks.ramp[rampStep(strength)]!;
    context.lineWidth = widthOf(strength, links);
    context.stroke();
  }
  context.globalAlpha = 1;
}

export function stroke(context: CanvasRenderingContext2D, path: Path2D, colour: string, width: number): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(path);
}
