// What becomes of a sentence whose attention is changed.

import type { Explanation, SearchNode, Translator } from "softalign";
import type { Changed, ChangedRow, Offer, WhatIf } from "./protocol.ts";

/** Among so many translations are the words that may follow a beginning. */
const kLooked = 16;

/**
 * Rows come one after the other: what was written before a changed row stays as it was, from there on it is written anew. A row whose
 * place the translation does not have any more is left out.
 */
export async function explainChanged(
  translator: Translator, { sentence, level, changes, heads }: Pick<WhatIf, "sentence" | "level" | "changes" | "heads">, beam: number,
): Promise<Changed> {
  const { hidden, off, uniform, begin } = changes;
  const rows: ChangedRow[] = [];
  const explain = (prefix: string) => translator.explain(sentence, { level, beam, heads, prefix, edits: { mask: hidden, rows, off, uniform } });
  let explanation = await explain(begin);
  for (const row of changes.rows) {
    const token = explanation.targetTokens[row.target];
    if (!token) continue;
    rows.push(row);
    const before = explanation.translation.slice(0, token.start);
    const then = explanation.attention!.subarray(0, row.target * explanation.sourceTokens.length);
    explanation = await explain(before.length > begin.length ? before : begin);
    // A transformer's attention for a word is read a step later, where it may be the changed row's.
    explanation.attention!.set(then);
  }
  return { ...plain(explanation), changes: { ...changes, rows }, heads: explanation.heads ?? null };
}

/** Words that might follow a beginning of a translation, likeliest first. */
export async function wordsAfter(translator: Translator, { sentence, begin }: Pick<Offer, "sentence" | "begin">): Promise<string[]> {
  const [list] = await translator.nBest(sentence, { count: kLooked, beam: kLooked, prefix: begin });
  const next = (list?.translations ?? []).map(({ translation }) => translation.slice(begin.length).match(/^\s*([\p{L}\p{N}]+[’'-]?)+/u)?.[0].trim() ?? "");
  return [...new Set(next)].filter((word) => word !== "");
}

/** What the search followed on its way to as many translations as it found; nothing for what is not translated. */
export async function searchOf(translator: Translator, sentence: string, beam: number): Promise<SearchNode[]> {
  const [list] = await translator.nBest(sentence, { beam, count: beam, tree: true });
  return list?.tree ?? [];
}

/** What of an explanation the page shows. */
export function plain({ translation, sourceTokens, targetTokens, attention, confidence, repetitions }: Explanation) {
  return { translation, sourceTokens, targetTokens, attention, confidence, repetitions };
}
