// What the page that aligns says, in one place.

import { isTranslatable } from "../../../bindings/js/split.ts";
import type { Alignment } from "../engine/align-protocol.ts";
import type { Failure } from "../engine/protocol.ts";
import { kMostBits, kSurprising, placeOfMost } from "../engine/surprise.ts";
import { type Problem, problemOf as problemOfTranslator } from "../page/words.ts";
import { kLongest } from "./hash.ts";

/** Those that the page names, in its order. */
export const examples: readonly { source: string; target: string }[] = [
  { source: "The old cat sleeps under the table.", target: "Le vieux chat dort sous la table." },
  { source: "My sister bought a small red car.", target: "Ma sœur a acheté une petite voiture verte." },
  { source: "The old cat sleeps under the table.", target: "Le chat vieux dort sous la table." },
  { source: "He kicked the bucket.", target: "Il a cassé sa pipe." },
  { source: "The old cat sleeps under the table.", target: "Demain nous prendrons le train pour Lyon." },
];

export const firstExample = examples[1]!;

export const rowName = "French words and their surprise in bits";

/** Bits as they stand under a word. */
export function bitsText(bits: number): string {
  return bits >= kMostBits ? `>${kMostBits - 1}` : bits.toFixed(1);
}

export function howSurprising(bits: number): string {
  if (bits < 2) return "expected";
  if (bits < kSurprising) return "a little surprising";
  return bits < 10 ? "surprising" : "very surprising";
}

/** The share of the tint, 0 to 1: from surely expected to hardly possible. */
export function tintOf(bits: number): number {
  return Math.min(1, Math.max(0, bits - 1) / 13);
}

export const moreOfWord = (bits: number) => `bits, ${howSurprising(bits)}`;

const one = (chances: number) =>
  chances < 1e6 ? Number(chances.toPrecision(chances < 1000 ? 2 : 3)).toLocaleString("en") : "more than a million";

/** What a number of bits says. */
export function chanceOf(bits: number): string {
  if (bits >= 1) return `1 chance in ${one(2 ** bits)}`;
  const percent = Math.round(100 * 2 ** -bits);
  return percent >= 100 ? "more than 99 %" : `${percent} %`;
}

/** Of one word, beside the picture. */
export function noteOn(bits: number): string {
  const word = howSurprising(bits);
  return `${word[0]!.toUpperCase()}${word.slice(1)}: ${bitsText(bits)} bits. The network gave it ${chanceOf(bits)}.`;
}

/** Which word is the most surprising and what there is to say of it: in three parts, of which the second is the word. */
export function verdictOf({ targetTokens, bits, expected }: Alignment): { before: string; word: string; after: string } {
  const most = placeOfMost(bits);
  if (most < 0) return { before: "There is no word to align.", word: "", after: "" };
  const word = targetTokens[most]!.text;
  const [number, chance] = [bitsText(bits[most]!), chanceOf(bits[most]!)];
  if (bits[most]! < kSurprising) {
    return { before: "Nothing surprises the network. Its least expected word is ", word, after: `, with ${number} bits (${chance}).` };
  }
  const instead = expected === null ? "" : ` The network expected “${expected}”.`;
  return { before: "Most surprising: ", word, after: `, with ${number} bits (${chance}).${instead}` };
}

/** Of all words together. */
export function summaryOf(bits: readonly number[], unit: string): string {
  const surprising = bits.filter((each) => each >= kSurprising).length;
  const mean = bits.reduce((sum, each) => sum + each, 0) / bits.length;
  const all = `${bits.length} ${unit}${bits.length === 1 ? "" : "s"}`;
  return `${surprising || "None"} of ${all} ${surprising > 1 ? "are" : "is"} surprising; the average is ${mean.toFixed(1)} bits.`;
}

export const aboutBits =
  "Under each word stands its surprise in bits, which is −log₂ of the chance that the network gave it before it saw it (surprisal): 0 was certain, " +
  "1 like a tossed coin, 10 like one in a thousand.";

/** Why there is nothing to align yet; undefined if there is. */
export function obstacle(source: string, target: string): string | undefined {
  for (const [name, text] of [["English", source], ["French", target]] as const) {
    if (text.trim() === "") return `Write or paste ${name} text, or choose an example.`;
    if (text.length > kLongest) {
      return `The ${name} text has ${text.length.toLocaleString("en")} characters. This page aligns up to ${kLongest.toLocaleString("en")}: ` +
        "a sentence or a short paragraph. Please give it in parts.";
    }
    if (!isTranslatable(text)) return `The ${name} text has no words that could be aligned.`;
  }
  return undefined;
}

export function problemOf(failure: Failure): Problem {
  if (failure.code !== "argument") return problemOfTranslator(failure);
  return { title: "This is too much for one picture.", text: "Please give both texts in parts: sentence by sentence is best.", retry: null };
}
