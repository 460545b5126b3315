// Which threads are drawn, how strong, and in which order. Pure.

import type { View } from "../alignment/view.ts";

export interface Thread {
  row: number;
  column: number;
  strength: number;
  faded: boolean;
}

/** Weaker ones cannot be told from nothing. */
const kLeast = 0.004;
/** Of more, each target word gives its strongest ones only; of the word that is pointed at all are drawn. */
const kMost = 4000;

/** The threads of all words, the strongest last. */
export function threadsOf({ source, target, strengths, marks }: View): Thread[] {
  const each = Math.max(1, Math.floor(kMost / Math.max(1, target.length)));
  const threads: Thread[] = [];
  for (let row = 0; row < target.length; ++row) {
    let columns: number[] = [];
    for (let column = 0; column < source.length; ++column) {
      if (strengths[row * source.length + column]! >= kLeast) columns.push(column);
    }
    const strength = (column: number) => strengths[row * source.length + column]!;
    if (columns.length > each) columns = columns.sort((a, b) => strength(b) - strength(a)).slice(0, each);
    for (const column of columns) threads.push({ row, column, strength: strength(column), faded: marks(row, column).faded });
  }
  return threads.sort((a, b) => a.strength - b.strength);
}

/** The same of one word. */
export function threadsFrom({ source, target, strengths, marks }: View, row: number | null, column: number | null): Thread[] {
  const rows = row === null ? target.map((_, index) => index) : [row];
  const columns = column === null ? source.map((_, index) => index) : [column];
  return rows.flatMap((r) => columns.map((c) => ({
    row: r, column: c, strength: strengths[r * source.length + c]!, faded: marks(r, c).faded,
  }))).filter(({ strength }) => strength >= kLeast).sort((a, b) => a.strength - b.strength);
}

/** With hard links all are as strong; they need not be thick. */
export function widthOf(strength: number, links: "soft" | "hard"): number {
  return links === "hard" ? 3 : 0.75 + 6.25 * Math.min(1, Math.max(0, strength));
}
