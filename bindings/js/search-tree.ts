import type { SentenceTrace } from "./core.js";
import type { SearchNode } from "./translator-options.js";

/** SentencePiece's sign for white space. */
const space = /\u2581/g;

/** What the core tells of a search, with what each way had cost so far. */
export function searchNodes({ texts, parents, logProbability }: NonNullable<SentenceTrace["tree"]>): SearchNode[] {
  const depths: number[] = [];
  const totals: number[] = [];
  return texts.map((piece, i) => {
    const [parent, own] = [parents[i]!, logProbability[i]!];
    depths.push((depths[parent] ?? 0) + 1);
    totals.push((totals[parent] ?? 0) + own);
    const text = piece.replace(space, " ");
    return {
      // A sentence does not begin with white space.
      text: parent < 0 ? text.trimStart() : text,
      parent,
      probability: Math.exp(own),
      score: totals[i]! / depths[i]!,
      end: piece === "",
    };
  });
}
