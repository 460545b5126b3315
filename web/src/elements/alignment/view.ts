// What of an alignment is shown, and in which order. Both elements draw this, so that an option means the same in either. Pure.

import type { Edited, GoldLinks, Place } from "./data.ts";

export interface ViewOptions {
  /** Weights below it fade out. */
  threshold: number;
  /** "hard": of each target word only the source word of its largest weight, the first of equals; none where all are 0. */
  links: "soft" | "hard";
  /**
   * "source": source words stand where the target word is that looked at them most; "target": target words stand where the
   * source word is that they looked at most. Words of equal place keep their order, words without any weight come last.
   */
  order: "original" | "source" | "target";
  /** The sums of rows and columns. Always of the weights, whatever is drawn. */
  sums: boolean;
}

export const kPlainView: Readonly<ViewOptions> = { threshold: 0, links: "soft", order: "original", sums: false };

/** What is special about a pair of words. */
export interface Marks {
  /** With hard links: whether this is one. */
  linked: boolean;
  faded: boolean;
  gold: "sure" | "possible" | null;
  /** Whether the target word looks where it was told. */
  changed: boolean;
  /** Whether nothing looks at the source word. */
  hidden: boolean;
  /** Whether the target word was written by hand. */
  written: boolean;
}

/** Words, [target, source] arrays and sums in the order in which they are shown. */
export interface View {
  source: readonly string[];
  target: readonly string[];
  weights: Float32Array;
  /** What is drawn of each weight, 0 to 1: itself, or with hard links all or nothing. */
  strengths: Float32Array;
  marks: (row: number, column: number) => Marks;
  /** Pairs of `gold`, as places in this view. */
  gold: readonly { row: number; column: number; kind: "sure" | "possible" }[];
  rowSums: Float32Array;
  columnSums: Float32Array;
  /** Rows that look where they were told, columns that nothing looks at, and rows whose words were written by hand. */
  edited: { rows: ReadonlySet<number>; columns: ReadonlySet<number>; words: ReadonlySet<number> };
  options: Readonly<ViewOptions>;
  /** From a place in the view to one in the data, and back. */
  toData: (place: Place) => Place;
  toView: (place: Place) => Place;
}

/** Reads options as attributes have them; what makes no sense is as if it were not there. */
export function optionsFrom(read: (name: keyof ViewOptions) => string | null): ViewOptions {
  const one = <T extends string>(name: keyof ViewOptions, values: readonly T[]) => values.find((value) => value === read(name));
  const threshold = Number(read("threshold"));
  return {
    threshold: threshold > 0 && threshold <= 1 ? threshold : 0,
    links: one("links", ["hard"]) ?? "soft",
    order: one("order", ["source", "target"]) ?? "original",
    sums: read("sums") !== null,
  };
}

export function viewOf(
  data: { source: readonly string[]; target: readonly string[]; weights: Float32Array }, options: ViewOptions, gold: GoldLinks | null,
  edited: Edited | null = null,
): View {
  const [height, width] = [data.target.length, data.source.length];
  const at = (row: number, column: number) => data.weights[row * width + column]!;
  const count = (length: number) => Array.from({ length }, (_, index) => index);
  const bestColumn = (row: number) => most(width, (column) => at(row, column));
  const bestRow = (column: number) => most(height, (row) => at(row, column));
  const columns = options.order === "source" ? sorted(count(width), bestRow) : count(width);
  const rows = options.order === "target" ? sorted(count(height), bestColumn) : count(height);
  const columnOf = inverse(columns);
  const rowOf = inverse(rows);

  const weights = new Float32Array(height * width);
  const strengths = new Float32Array(height * width);
  const rowSums = new Float32Array(height);
  const columnSums = new Float32Array(width);
  const linked = new Uint8Array(height * width);
  rows.forEach((row, r) => {
    const best = options.links === "hard" ? bestColumn(row) : -1;
    columns.forEach((column, c) => {
      const weight = at(row, column);
      const index = r * width + c;
      weights[index] = weight;
      linked[index] = column === best ? 1 : 0;
      strengths[index] = options.links === "hard" ? linked[index]! : weight;
      rowSums[r]! += weight;
      columnSums[c]! += weight;
    });
  });

  const known = new Map<number, "sure" | "possible">();
  for (const kind of ["possible", "sure"] as const) {
    for (const [row, column] of gold?.[kind] ?? []) {
      // Data and gold links are set one after the other; for a moment they may not fit.
      if (row < height && column < width) known.set(rowOf[row]! * width + columnOf[column]!, kind);
    }
  }
  const changed = { rows: setOf(rowOf, edited?.rows), columns: setOf(columnOf, edited?.columns), words: setOf(rowOf, edited?.words) };
  return {
    source: columns.map((column) => data.source[column]!),
    target: rows.map((row) => data.target[row]!),
    weights, strengths, rowSums, columnSums, options,
    edited: changed,
    marks: (row, column) => {
      const index = row * width + column;
      return {
        linked: linked[index] === 1, faded: weights[index]! < options.threshold, gold: known.get(index) ?? null,
        changed: changed.rows.has(row), hidden: changed.columns.has(column), written: changed.words.has(row),
      };
    },
    gold: [...known].map(([index, kind]) => ({ row: Math.floor(index / width), column: index % width, kind })),
    toData: ({ row, column }) => ({ row: through(rows, row), column: through(columns, column) }),
    toView: ({ row, column }) => ({ row: through(rowOf, row), column: through(columnOf, column) }),
  };
}

export const kNoView = viewOf({ source: [], target: [], weights: new Float32Array() }, kPlainView, null);

/** Where the largest of `length` weights is, the first of equals; -1 if none is above 0. */
function most(length: number, weight: (index: number) => number): number {
  let best = -1;
  for (let index = 0, largest = 0; index < length; ++index) {
    if (weight(index) > largest) [best, largest] = [index, weight(index)];
  }
  return best;
}

function sorted(indices: readonly number[], placeOf: (index: number) => number): number[] {
  const places = indices.map((index) => (placeOf(index) < 0 ? Infinity : placeOf(index)));
  // Infinity - Infinity is not a number, which counts as equal.
  return [...indices].sort((a, b) => places[a]! - places[b]! || a - b);
}

function inverse(order: readonly number[]): number[] {
  const places: number[] = [];
  order.forEach((index, place) => (places[index] = place));
  return places;
}

/** Those that there are. */
function setOf(placeOf: readonly number[], indices: readonly number[] = []): Set<number> {
  return new Set(indices.filter((index) => index in placeOf).map((index) => placeOf[index]!));
}

function through(places: readonly number[], index: number | null): number | null {
  return index === null ? null : places[index] ?? null;
}
