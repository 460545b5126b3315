// What the page that aligns says of what it found.

import { isAlignable } from "../../../bindings/js/split.ts";
import type { Alignment } from "../engine/align-protocol.ts";
import type { TargetLanguage } from "../engine/models.ts";
import type { Failure, Level } from "../engine/protocol.ts";
import { kMostBits, kSurprising, placeOfMost } from "../engine/surprise.ts";
import { problemOf as problemOfTranslator } from "../page/problems.ts";
import { sideNames } from "../page/side-names.ts";
import { capital, decimal, grouped, percent } from "../words/language.ts";
import { type Problem, words } from "../words/words.ts";
import { kLongest } from "./hash.ts";

const cat = "The old cat sleeps under the table.";
const english = [cat, "My sister bought a small red car.", cat, "He kicked the bucket.", cat];

const translated = (targets: readonly string[]) => english.map((source, i) => ({ source, target: targets[i]! }));

/** Those that the page names, in its order. */
export const examples: Record<TargetLanguage, readonly { source: string; target: string }[]> = {
  fr: translated([
    "Le vieux chat dort sous la table.", "Ma sœur a acheté une petite voiture verte.", "Le chat vieux dort sous la table.", "Il a cassé sa pipe.",
    "Demain nous prendrons le train pour Lyon.",
  ]),
  de: translated([
    "Die alte Katze schläft unter dem Tisch.", "Meine Schwester kaufte ein kleines grünes Auto.", "Die Katze alte schläft unter dem Tisch.",
    "Er hat ins Gras gebissen.", "Morgen nehmen wir den Zug nach Köln.",
  ]),
  es: translated([
    "El gato viejo duerme debajo de la mesa.", "Mi hermana compró un pequeño coche verde.", "El gato duerme viejo debajo de la mesa.", "Estiró la pata.",
    "Mañana tomaremos el tren a Sevilla.",
  ]),
};

/** Shown at first: a wrong word. */
export const kFirst = 1;

/** Bits as they stand under a word. */
export function bitsText(bits: number): string {
  return bits >= kMostBits ? `>${kMostBits - 1}` : decimal(bits, 1);
}

/** From 0, expected, to 3, very surprising. */
export function surpriseStep(bits: number): 0 | 1 | 2 | 3 {
  if (bits < 2) return 0;
  if (bits < kSurprising) return 1;
  return bits < 10 ? 2 : 3;
}

export const howSurprising = (bits: number) => words.align.surprising[surpriseStep(bits)];

/** The share of the tint, 0 to 1: from surely expected to hardly possible. */
export function tintOf(bits: number): number {
  return Math.min(1, Math.max(0, bits - 1) / 13);
}

export const moreOfWord = (bits: number) => words.align.moreOfWord(howSurprising(bits));

const one = (chances: number) =>
  chances < 1e6 ? grouped(Number(chances.toPrecision(chances < 1000 ? 2 : 3))) : words.align.million;

/** What a number of bits says. */
export function chanceOf(bits: number): string {
  if (bits >= 1) return words.align.chance(one(2 ** bits));
  const share = 2 ** -bits;
  return Math.round(100 * share) >= 100 ? words.align.almostSure : percent(share);
}

/** Of one word, beside the picture. */
export function noteOn(bits: number): string {
  return words.align.note(capital(howSurprising(bits)), bitsText(bits), chanceOf(bits));
}

/** Which word is the most surprising and what there is to say of it: in three parts, of which the second is the word. */
export function verdictOf({ targetTokens, bits, expected }: Alignment): { before: string; word: string; after: string } {
  const said = words.align.verdict;
  const most = placeOfMost(bits);
  if (most < 0) return { before: said.none, word: "", after: "" };
  const word = targetTokens[most]!.text;
  const after = said.after(bitsText(bits[most]!), chanceOf(bits[most]!));
  if (bits[most]! < kSurprising) return { before: said.calm, word, after };
  return { before: said.surprised, word, after: `${after}${expected === null ? "" : said.expected(expected)}` };
}

/** Of all words together. */
export function summaryOf(bits: readonly number[], unit: Level): string {
  const surprising = bits.filter((each) => each >= kSurprising).length;
  const mean = bits.reduce((sum, each) => sum + each, 0) / bits.length;
  return words.align.summary(surprising, bits.length, unit, decimal(mean, 1));
}

/** Why there is nothing to align yet; undefined if there is. */
export function obstacle(source: string, target: string, to: TargetLanguage): string | undefined {
  const said = words.align.obstacles;
  const names = sideNames(to);
  for (const [name, text] of [[names.source, source], [names.target, target]] as const) {
    if (text.trim() === "") return said.empty(name);
    if (text.length > kLongest) return said.long(name, text.length, kLongest);
    if (!isAlignable(text)) return said.wordless(name);
  }
  return undefined;
}

export function problemOf(failure: Failure): Problem {
  return failure.code === "argument" ? words.align.tooMuch : problemOfTranslator(failure);
}
