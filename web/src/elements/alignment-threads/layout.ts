// Where the words of both lines go, and the threads between them. Pure. Lengths are CSS pixels.

export interface ThreadLayout {
  /** "across": two lines, the source above; "down": two columns, the source on the left, where lines would be too long. */
  direction: "across" | "down";
  width: number;
  height: number;
  /** Middles of the words along their line. */
  source: readonly number[];
  target: readonly number[];
  /** Where threads leave the source's line and reach the target's. */
  from: number;
  to: number;
  /** Longest a word may be before it is cut with an ellipsis. */
  longest: { source: number; target: number };
  /** Room for a word, from middle to middle of the closest two. */
  pitch: number;
}

export interface WordSizes {
  source: readonly number[];
  target: readonly number[];
  fontSize: number;
}

/** Between the words of a line, at least, */
const kGap = 18;
/** and at most. */
const kWideGap = 56;
/** Threads' height across, and their widths down. */
const kAcross = 170;
const kDown = { least: 72, most: 280 };
/** Room for the number beside or above a word: "0.71". */
export const kNumber = { width: 40, height: 20 };
const kPad = 8;
const kLine = 1.7;
/** Down, a shorter line is stretched to the length of the longer one, but not by more than this. */
const kStretch = 1.6;

export function layoutThreads(sizes: WordSizes, room: { width: number }): ThreadLayout {
  const line = kLine * sizes.fontSize;
  const natural = (widths: readonly number[], gap: number) => widths.reduce((sum, width) => sum + width + gap, 0);
  const needed = Math.max(natural(sizes.source, kGap), natural(sizes.target, kGap));
  if (needed > room.width) return layoutDown(sizes, room.width, line);

  const width = Math.ceil(Math.min(room.width, Math.max(natural(sizes.source, kWideGap), natural(sizes.target, kWideGap))));
  const place = (widths: readonly number[]) => {
    const gap = Math.min(2 * kWideGap, (width - natural(widths, 0)) / Math.max(1, widths.length));
    let at = (width - natural(widths, gap)) / 2;
    return widths.map((word) => {
      const middle = at + (word + gap) / 2;
      at += word + gap;
      return middle;
    });
  };
  const from = kNumber.height + line;
  return {
    direction: "across", width, height: 2 * from + kAcross, source: place(sizes.source), target: place(sizes.target),
    from: from + 2, to: from + kAcross - 2, longest: { source: Infinity, target: Infinity }, pitch: 2 * kGap,
  };
}

function layoutDown(sizes: WordSizes, room: number, line: number): ThreadLayout {
  const most = Math.max(sizes.source.length, sizes.target.length);
  const pitch = Math.round(line);
  const height = most * pitch;
  const free = room - 2 * kNumber.width - 4 * kPad;
  const widest = { source: Math.ceil(Math.max(0, ...sizes.source)), target: Math.ceil(Math.max(0, ...sizes.target)) };
  const half = Math.max(0, Math.floor((free - kDown.least) / 2));
  // A short column leaves its room to the other.
  const longest = {
    source: Math.min(widest.source, Math.max(half, 2 * half - widest.target)),
    target: Math.min(widest.target, Math.max(half, 2 * half - widest.source)),
  };
  const between = Math.min(kDown.most, Math.max(kDown.least, free - longest.source - longest.target));
  const from = kNumber.width + longest.source + 2 * kPad;
  const place = (count: number) => {
    const step = Math.min(kStretch * pitch, height / Math.max(1, count));
    return Array.from({ length: count }, (_, index) => height / 2 + (index - (count - 1) / 2) * step);
  };
  return {
    direction: "down", width: from + between + 2 * kPad + longest.target + kNumber.width, height,
    source: place(sizes.source.length), target: place(sizes.target.length), from, to: from + between, longest, pitch,
  };
}

/** The thread of a pair as a Bezier curve: x and y of its start, of both control points, and of its end. */
export function curve(
  { direction, source, target, from, to }: ThreadLayout, row: number, column: number,
): [number, number, number, number, number, number, number, number] {
  const [a, b, middle] = [source[column]!, target[row]!, (from + to) / 2];
  return direction === "across" ? [a, from, a, middle, b, middle, b, to] : [from, a, middle, a, middle, b, to, b];
}

/** The same as an SVG path. */
export function threadPath(layout: ThreadLayout, row: number, column: number): string {
  const [a, b, c, d, e, f, g, h] = curve(layout, row, column).map(round);
  return `M${a} ${b}C${c} ${d} ${e} ${f} ${g} ${h}`;
}

/**
 * How far all threads have come from their source word to their target word, 0 to 1, where they cross a line at `across`
 * between the words: they have the same ends there, so this is one number for all.
 */
export function progressAt({ from, to }: ThreadLayout, across: number): number {
  const wanted = (across - from) / (to - from);
  // The path's way across is 1.5 t (1 - t) + t^3 of the whole, and along it 3 t^2 - 2 t^3: it grows, so halving finds t.
  let [low, high] = [0, 1];
  for (let i = 0; i < 24; ++i) {
    const t = (low + high) / 2;
    if (1.5 * t * (1 - t) + t ** 3 < wanted) low = t;
    else high = t;
  }
  return low * low * (3 - 2 * low);
}

function round(length: number): number {
  return Math.round(10 * length) / 10;
}
