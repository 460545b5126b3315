// Arithmetic of the part "One word, step by step". Pure.

import type { Walk } from "../engine/steps/protocol.ts";
import { decimal } from "../words/language.ts";

/** What is looked at: one step, one source piece, one head of one layer. */
export interface Place {
  step: number;
  source: number;
  layer: number;
  head: number;
}

/** One number's part in a score, in the order in which it is computed: q, k, then tanh(q + k) and v if the score is additive, and their product. */
export interface Term {
  index: number;
  factors: number[];
  product: number;
}

/** What is added up to the score of a source piece: v_i tanh(q_i + k_i), or q_i k_i. */
export function termsOf(query: Float32Array, key: Float32Array, vector: Float32Array | null): Term[] {
  return Array.from(query, (q, index) => {
    const k = key[index]!;
    if (!vector) return { index, factors: [q, k], product: q * k };
    const squashed = Math.tanh(q + k);
    return { index, factors: [q, k, squashed, vector[index]!], product: squashed * vector[index]! };
  });
}

/** The `count` largest and the `count` least terms, what the others come to, and the sum of all. */
export function outermostTerms(terms: readonly Term[], count: number): { highest: Term[]; lowest: Term[]; others: number; sum: number } {
  const sorted = [...terms].sort((a, b) => b.product - a.product);
  const total = (of: readonly Term[]) => of.reduce((sum, { product }) => sum + product, 0);
  return {
    highest: sorted.slice(0, count), lowest: sorted.slice(-count), others: total(sorted.slice(count, -count)), sum: total(sorted),
  };
}

/** The numbers of a head among those of all heads side by side. */
export function ofHead(all: Float32Array, head: number, heads: number): Float32Array {
  const width = all.length / heads;
  return all.subarray(head * width, (head + 1) * width);
}

/** What stands at a place. */
export function lookAt(walk: Walk, { step, source, layer, head }: Place) {
  const look = walk.steps[step]!.looks[layer]!;
  const part = (all: Float32Array) => ofHead(all, head, walk.heads);
  return {
    state: look.state,
    query: part(look.query),
    keys: walk.keys[layer]!.map(part),
    values: walk.values[layer]!.map(part),
    key: part(walk.keys[layer]![source]!),
    scores: look.scores[head]!,
    weights: look.weights[head]!,
    context: part(look.context),
  };
}

/** exp(e - most) of each score, and their sum. */
export function powersOf(scores: Float32Array): { most: number; powers: number[]; sum: number } {
  const most = Math.max(...scores);
  const powers = Array.from(scores, (e) => Math.exp(e - most));
  return { most, powers, sum: powers.reduce((a, b) => a + b, 0) };
}

/** The largest size among some lists. */
export const largestOf = (lists: readonly Float32Array[]) => lists.reduce((most, list) => list.reduce((a, x) => Math.max(a, Math.abs(x)), most), 0);

const kRaised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** 0 to 1, however small: "0.1625", "3.4·10⁻⁵⁰". */
export function writtenPower(x: number): string {
  if (x >= 1e-4) return decimal(x, 4);
  if (x === 0) return "0";
  const [mantissa, exponent] = x.toExponential(1).split("e-");
  return `${decimal(Number(mantissa), 1)}·10⁻${[...exponent!].map((digit) => kRaised[Number(digit)]).join("")}`;
}

/** With a true minus sign. Large ones have fewer decimals. */
export function written(x: number, decimals = 2): string {
  const text = decimal(Math.abs(x), Math.abs(x) >= 100 ? 1 : decimals);
  return x < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}
