import { oklchToRgb, ramp, rampStep, type Scheme } from "../elements/alignment/ramp.ts";

/** The scheme in which an element is drawn. */
export function schemeNow(): Scheme {
  const { theme } = document.documentElement.dataset;
  return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches) ? "dark" : "light";
}

/** Calls back whenever the scheme may have changed. */
export function onScheme(body: () => void): void {
  new MutationObserver(body).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", body);
}

const kEnds = { light: { zero: 0.97, far: 0.42 }, dark: { zero: 0.26, far: 0.9 } };

/** A colour for -1 to 1: orange, paper, violet. Equal steps of lightness to both sides; the two hues differ to colour-blind eyes. */
export function diverging(value: number, scheme: Scheme): [number, number, number] {
  const { zero, far } = kEnds[scheme];
  const strength = Math.min(1, Math.abs(value));
  return oklchToRgb({
    lightness: zero + strength * (far - zero), chroma: 0.125 * Math.sqrt(strength), hue: value < 0 ? 62 : 275,
  });
}

/** Paints [rows, columns] numbers, a pixel each; the browser scales it up. What is not there stays clear. */
export function paintSigned(canvas: HTMLCanvasElement, columns: number, rows: number, at: (column: number, row: number) => number | undefined): void {
  const scheme = schemeNow();
  paint(canvas, columns, rows, (column, row) => {
    const value = at(column, row);
    return value === undefined ? undefined : diverging(value, scheme);
  });
}

/** The same for weights, in the colours of the alignment grid. */
export function paintWeights(canvas: HTMLCanvasElement, n: number, weights: Float32Array): void {
  const colours = ramp(schemeNow());
  paint(canvas, n, n, (column, row) => colours.subarray(3 * rampStep(weights[row * n + column]!)));
}

function paint(canvas: HTMLCanvasElement, columns: number, rows: number, colour: (column: number, row: number) => ArrayLike<number> | undefined): void {
  canvas.width = columns;
  canvas.height = rows;
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(columns, rows);
  for (let row = 0; row < rows; ++row) {
    for (let column = 0; column < columns; ++column) {
      const rgb = colour(column, row);
      if (rgb) image.data.set([rgb[0]!, rgb[1]!, rgb[2]!, 255], 4 * (row * columns + column));
    }
  }
  context.putImageData(image, 0, 0);
}
