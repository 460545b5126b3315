// What goes into the elements and comes out of them: plain arrays.

export interface AlignmentData {
  /** Words or pieces of the source. */
  source: readonly string[];
  /** Words or pieces of the target. */
  target: readonly string[];
  /** [target, source] weights from 0 to 1: flat and row-major, or one array a row. */
  attention: Float32Array | readonly number[] | readonly (readonly number[])[];
}

/** Places in `target` and `source`, counted from 0. */
export type Link = readonly [target: number, source: number];

/** An alignment made by hand: what is surely a link, and what may be one. */
export interface GoldLinks {
  sure: readonly Link[];
  possible?: readonly Link[];
}

/** A cell, or a whole row (target word) or column (source word) where the other is null. */
export interface Place {
  row: number | null;
  column: number | null;
}

export interface PairDetail extends Place {
  weight: number | null;
}

/** What was changed by hand, as places counted from 0. */
export interface Edited {
  /** Target words that look where they were told. */
  rows: readonly number[];
  /** Source words that nothing looks at. */
  columns: readonly number[];
  /** Target words that were written by hand. */
  words?: readonly number[] | undefined;
}

/** The weight that a pair is to have, 0 to 1; null where the whole row is given back. */
export interface WeighDetail {
  row: number;
  column: number;
  weight: number | null;
  /** False while it is still being dragged. */
  settled: boolean;
}

export const kNowhere: Place = { row: null, column: null };

export function isSomewhere({ row, column }: Place): boolean {
  return row !== null || column !== null;
}

/** @throws {RangeError} if `attention` does not have target x source weights; `element` begins the message. */
export function flatten({ source, target, attention }: AlignmentData, element: string): Float32Array {
  const nested = Array.isArray(attention) && Array.isArray(attention[0]);
  const rows = attention as readonly (readonly number[])[];
  if (nested && rows.some((row) => row.length !== source.length)) {
    throw new RangeError(`${element}: each row of attention needs ${source.length} weights, one a source word`);
  }
  const weights = nested ? Float32Array.from(rows.flat()) : Float32Array.from(attention as ArrayLike<number>);
  if (weights.length !== source.length * target.length) {
    throw new RangeError(`${element}: attention has ${weights.length} weights, expected ${target.length} x ${source.length}`);
  }
  return weights;
}

/** @throws {TypeError} naming what is not a pair of whole numbers from 0 on; `element` begins the message. */
export function checkGold(gold: GoldLinks, element: string): void {
  for (const kind of ["sure", "possible"] as const) {
    for (const link of gold[kind] ?? []) {
      const [target, source] = link;
      if (link.length !== 2 || !Number.isInteger(target) || !Number.isInteger(source) || target < 0 || source < 0) {
        throw new TypeError(`${element}: gold.${kind} has ${JSON.stringify(link)}, expected [target, source], two places counted from 0`);
      }
    }
  }
}
