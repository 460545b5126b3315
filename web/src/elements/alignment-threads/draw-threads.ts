import { kChanged, kDash, kDots, kFaded, kFontSize, kMargin, kPaper, round, type Label, type Measure, type Picture, type Stroke } from "../alignment/picture.ts";
import { ramp, rampStep, type Scheme } from "../alignment/ramp.ts";
import { english, type Numbers } from "../alignment/sayings.ts";
import type { View } from "../alignment/view.ts";
import { layoutThreads, threadPath, type ThreadLayout } from "./layout.ts";
import { threadsOf, widthOf } from "./threads.ts";
import { rampInks } from "./weave.ts";

/** Longer lines stand as columns in a picture, too. */
const kRoom = { width: 1400 };

/** The threads as a picture. Sums stand where the page has its numbers. */
export function drawThreads(view: View, scheme: Scheme, family: string, measure: Measure, numbers: Numbers = english): Picture {
  const { ground, ink, quiet, gold, mark } = kPaper[scheme];
  const target = view.target.map((word, index) => (view.edited.rows.has(index) ? kChanged + word : word));
  const widths = (words: readonly string[]) => words.map((word) => measure(word, `${kFontSize}px ${family}`));
  const layout = shifted(layoutThreads({ source: widths(view.source), target: widths(target), fontSize: kFontSize }, kRoom));
  const { direction, from, to } = layout;
  const { links, sums } = view.options;
  const inks = rampInks(ramp(scheme));

  const outlines: Stroke[] = view.gold.flatMap(({ row, column, kind }) => {
    const width = widthOf(view.strengths[row * view.source.length + column]!, links);
    const path = threadPath(layout, row, column);
    return [
      { path, stroke: gold, width: width + 6, ...(kind === "possible" && { dash: kDash }) },
      { path, stroke: ground, width: width + 2.5 },
    ];
  });
  const threads: Stroke[] = threadsOf(view).map(({ row, column, strength, faded }) => ({
    path: threadPath(layout, row, column), stroke: inks[rampStep(strength)]!, width: widthOf(strength, links),
    ...(faded && { opacity: kFaded }),
  }));

  const labels: Label[] = [];
  const lines: Stroke[] = [];
  const line = (words: readonly string[], places: readonly number[], sumsOf: Float32Array, edge: number, away: -1 | 1) => {
    words.forEach((text, index) => {
      const across = direction === "across";
      const at = (distance: number) => across
        ? { x: places[index]!, y: edge + away * distance, anchor: "middle" as const }
        : { x: edge + away * distance, y: places[index]!, anchor: away < 0 ? ("end" as const) : ("start" as const) };
      labels.push({ text, size: kFontSize, fill: ink, turn: 0, ...at(across ? 13 : 8) });
      const width = measure(text, `${kFontSize}px ${family}`);
      const place = at(across ? 13 : 8);
      if (words === view.source && view.edited.columns.has(index)) lines.push(lineAlong(place, width, quiet));
      if (words === target && view.edited.words.has(index)) lines.push({ ...lineAlong({ ...place, y: place.y + kFontSize * 0.7 }, width, mark), dash: kDots });
      const beside = across ? 33 : 14 + width;
      if (sums) labels.push({ text: numbers.full(sumsOf[index]!), size: 13, fill: quiet, turn: 0, ...at(beside) });
    });
  };
  line(view.source, layout.source, view.columnSums, from, -1);
  line(target, layout.target, view.rowSums, to, 1);
  const { width, height } = layout;
  return {
    width, height, font: family, rectangles: [{ x: 0, y: 0, width, height, fill: ground }], strokes: [...outlines, ...threads, ...lines], labels,
  };
}

/** A line through a label, or under it. */
function lineAlong({ x, y, anchor }: Pick<Label, "x" | "y" | "anchor">, width: number, colour: string): Stroke {
  const from = x - (anchor === "middle" ? width / 2 : anchor === "end" ? width : 0);
  return { path: `M${round(from)} ${round(y)}h${round(width)}`, stroke: colour, width: 1.5 };
}

/** With a margin all around. */
function shifted(layout: ThreadLayout): ThreadLayout {
  const along = (places: readonly number[]) => places.map((place) => place + kMargin);
  return {
    ...layout, source: along(layout.source), target: along(layout.target), from: layout.from + kMargin, to: layout.to + kMargin,
    width: Math.ceil(layout.width) + 2 * kMargin, height: Math.ceil(layout.height) + 2 * kMargin,
  };
}
