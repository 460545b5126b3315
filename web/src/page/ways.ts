// A beam search as the ways that it tried: pieces that follow each other without a choice are one way.

import type { SearchNode } from "softalign";

export interface Way {
  /** With the white space before it. */
  text: string;
  /** What a translation that goes this way begins with: all of it, for a way that ended. */
  begin: string;
  /** Of its first piece, after what is before it. */
  probability: number;
  /** Whether the sentence ends here; a way without `then` that did not end was given up. */
  ended: boolean;
  /** Mean log-probability of the best translation that it leads to; null for one that leads to none. */
  score: number | null;
  then: Way[];
}

/** The ways a translation may begin, those that lead to better translations first, and then the likelier. */
export function waysOf(nodes: readonly SearchNode[]): Way[] {
  const children = new Map<number, number[]>();
  nodes.forEach(({ parent }, i) => children.set(parent, [...(children.get(parent) ?? []), i]));
  const after = (i: number) => children.get(i) ?? [];

  const way = (first: number, before: string): Way => {
    let last = first;
    let text = nodes[first]!.text;
    while (after(last).length === 1) text += nodes[(last = after(last)[0]!)]!.text;
    const { end: ended, score } = nodes[last]!;
    const then = sorted(after(last).map((next) => way(next, before + text)));
    // Or the search would finish the word in another way.
    const space = then.length > 0 && after(last).every((next) => /^\s|^$/.test(nodes[next]!.text)) ? " " : "";
    return {
      text, begin: before + text + space, probability: nodes[first]!.probability, ended,
      score: ended ? score : (then[0]?.score ?? null), then,
    };
  };
  return sorted(after(-1).map((first) => way(first, "")));
}

const sorted = (ways: Way[]) =>
  ways.sort((a, b) => (b.score ?? -Infinity) - (a.score ?? -Infinity) || b.probability - a.probability);

/** Those that lead to a translation. */
export const successful = (ways: readonly Way[]) => ways.filter(({ score }) => score !== null);

/** The translations that ways lead to, the best first. */
export function translationsOf(ways: readonly Way[]): Way[] {
  return sorted(ways.flatMap((way) => (way.ended ? [way] : translationsOf(way.then))));
}
