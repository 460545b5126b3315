import { faded, hex, kChanged, kDash, kDots, kFontSize, kMargin, kPaper, round, type Label, type Measure, type Picture, type Rectangle, type Stroke } from "../alignment/picture.ts";
import { isDeep, numberOf, ramp, rampStep, type Scheme } from "../alignment/ramp.ts";
import { english, type Numbers } from "../alignment/sayings.ts";
import type { View } from "../alignment/view.ts";
import { layoutGrid } from "./layout.ts";

/** So wide that no label has to be cut and cells are as large as they get. */
const kRoom = { width: 1e5, height: 1e5 };
const kSumWidth = 48;
/** The names of the sides, in the corner. */
const kNameSize = 13, kNameLine = 17;
const kSumHeight = 26;

/** The grid as a picture: a rectangle for the ground and one for each weight, row by row. */
export function drawGrid(view: View, scheme: Scheme, family: string, measure: Measure, numbers: Numbers = english, names: readonly string[] = []): Picture {
  const { source, weights, strengths, marks, options, rowSums, columnSums, edited } = view;
  const target = view.target.map((word, r) => (edited.rows.has(r) ? kChanged + word : word));
  const { ground, ink, quiet, gold, mark: red } = kPaper[scheme];
  const colours = ramp(scheme);
  const font = `${kFontSize}px ${family}`;
  const columns = source.map((word) => measure(word, font));
  const rows = target.map((word) => measure(word, font));
  const corner = { width: Math.max(0, ...names.map((name) => measure(name.slice(0, -1), `${kNameSize}px ${family}`) + kNameSize)), height: names.length * kNameLine + 8 };
  const { cell, turn, headHeight, overhang } = layoutGrid({ columns, rows, fontSize: kFontSize, corner }, kRoom);
  // Labels are not cut here, whatever the layout allows on a page.
  const tallest = turn === 0 ? headHeight : Math.max(headHeight, (Math.max(0, ...columns) + kFontSize) * Math.SQRT1_2 + 8);
  const left = kMargin + Math.ceil(Math.max(0, corner.width, ...rows)) + 10;
  const top = kMargin + Math.ceil(tallest);
  const slant = Math.max(overhang, ...columns.map((width, c) => (c + 0.75 - columns.length) * cell + width * Math.SQRT1_2));
  const beside = Math.max(options.sums ? kSumWidth : 0, turn === 0 ? 0 : Math.ceil(slant));
  const width = left + cell * source.length + beside + kMargin;
  const height = top + cell * target.length + (options.sums ? kSumHeight : 0) + kMargin;

  const rectangles: Rectangle[] = [{ x: 0, y: 0, width, height, fill: ground }];
  const labels: Label[] = [];
  const label = (text: string, x: number, y: number, anchor: Label["anchor"], more: Partial<Label> = {}) =>
    labels.push({ text, x, y, size: kFontSize, fill: ink, anchor, turn: 0, ...more });
  names.forEach((name, i) => label(name, left - 10, top - 14 - (names.length - 1 - i) * kNameLine, "end", { size: kNameSize, fill: quiet }));
  source.forEach((word, c) => {
    const middle = left + (c + 0.5) * cell;
    if (turn === 0) label(word, middle, top - 14, "middle");
    else label(word, middle, top - 8, "start", { turn: -45 });
  });
  target.forEach((word, r) => {
    const y = top + r * cell;
    label(word, left - 10, y + cell / 2, "end");
    source.forEach((_, c) => {
      const index = r * source.length + c;
      const step = 3 * rampStep(strengths[index]!);
      const mark = marks(r, c);
      const colour = hex(colours.subarray(step, step + 3));
      const fill = mark.faded ? faded(colour, ground) : colour;
      rectangles.push({ x: left + c * cell + 1, y: y + 1, width: cell - 2, height: cell - 2, fill });
      const isWritten = !mark.faded && (mark.linked || options.links === "soft");
      const number = isWritten ? numberOf(weights[index]!, numbers) : "";
      if (number) label(number, left + (c + 0.5) * cell, y + cell / 2, "middle", { size: 13, fill: isDeep(strengths[index]!) ? ground : ink });
    });
  });
  if (options.sums) {
    const sum = (value: number, x: number, y: number, anchor: Label["anchor"]) =>
      label(numbers.full(value), x, y, anchor, { size: 13, fill: quiet });
    rowSums.forEach((value, r) => sum(value, left + source.length * cell + 8, top + (r + 0.5) * cell, "start"));
    columnSums.forEach((value, c) => sum(value, left + (c + 0.5) * cell, top + target.length * cell + 14, "middle"));
  }
  const strokes: Stroke[] = view.gold.map(({ row, column, kind }) => {
    const path = `M${left + column * cell + 3} ${top + row * cell + 3}h${cell - 6}v${cell - 6}h${6 - cell}z`;
    return { path, stroke: gold, width: 3, ...(kind === "possible" && { dash: kDash }) };
  });
  for (const r of edited.rows) {
    const path = `M${left} ${top + r * cell}h${cell * source.length - 1}v${cell - 1}h${1 - cell * source.length}z`;
    strokes.push({ path, stroke: red, width: 2, dash: kDash });
  }
  for (const r of edited.words) {
    const width = rows[r]!;
    strokes.push({ path: `M${round(left - 10 - width)} ${top + (r + 0.5) * cell + kFontSize * 0.7}h${round(width)}`, stroke: red, width: 2, dash: kDots });
  }
  for (const c of edited.columns) strokes.push({ path: `M${left + (c + 0.5) * cell} ${top}v${cell * target.length}`, stroke: quiet, width: 2, dash: kDash });
  const halos = strokes.slice(0, view.gold.length).map(({ path }) => ({ path, stroke: ground, width: 5 }));
  return { width, height, font: family, rectangles, strokes: [...halos, ...strokes], labels };
}
