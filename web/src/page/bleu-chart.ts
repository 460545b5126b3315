// Quality by length of the sentence, as a drawing of two lines and as a table. Pure, but for making elements.

import { decimal } from "../words/language.ts";
import { words as said } from "../words/words.ts";

interface Measured {
  with: number;
  without: number;
}

/** BLEU by the lengths that the words name, as in models/en-fr-additive/README.md and models/en-fr-plain/README.md. */
export const kMeasured: readonly Measured[] = [
  { with: 36.9, without: 32.4 },
  { with: 38.7, without: 32.7 },
  { with: 33.2, without: 22.3 },
  { with: 20.1, without: 9.0 },
];

const kSize = { width: 360, height: 190 };
const kPlot = { left: 28, right: 262, top: 12, bottom: 160 };
const kMost = 40;

const x = (index: number) => kPlot.left + 16 + (index * (kPlot.right - kPlot.left - 32)) / (kMeasured.length - 1);
const y = (bleu: number) => kPlot.bottom - (bleu * (kPlot.bottom - kPlot.top)) / kMost;

/** The drawing. Lines differ in more than colour: one is dashed, and each has its name at its end. */
export function bleuDrawing(): string {
  const words = said.index.noAttention;
  const lines = [0, 10, 20, 30, 40].map((bleu) =>
    `<path class="rule" d="M${kPlot.left} ${y(bleu)}H${kPlot.right}"/><text class="tick" x="${kPlot.left - 6}" y="${y(bleu)}">${bleu}</text>`);
  const ticks = kMeasured.map((_, index) =>
    `<text class="tick below" x="${x(index)}" y="${kPlot.bottom + 18}">${words.shortLengths[index]}</text>`);
  const series = (["with", "without"] as const).map((name) => {
    const points = kMeasured.map((each, index) => [x(index), y(each[name])] as const);
    const dots = points.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3.5"/>`);
    const [endX, endY] = points.at(-1)!;
    return `<g class="${name}"><polyline points="${points.map(String).join(" ")}"/>${dots.join("")}
      <text x="${endX + 10}" y="${endY}">${words[name]}</text></g>`;
  });
  return `<svg viewBox="0 0 ${kSize.width} ${kSize.height}" role="img" aria-label="${words.chart}. ${words.alternative}">
    ${lines.join("")}${ticks.join("")}${series.join("")}</svg>`;
}

export function bleuTable(): string {
  const words = said.index.noAttention;
  const rows = kMeasured.map((each, index) =>
    `<tr><th scope="row">${words.lengths[index]}</th><td>${decimal(each.with, 1)}</td><td>${decimal(each.without, 1)}</td></tr>`);
  return `<table>
    <thead><tr><th scope="col">${words.words}</th><th scope="col">${words.with}</th><th scope="col">${words.without}</th></tr></thead>
    <tbody>${rows.join("")}</tbody></table>`;
}
