// What the page that aligns says.

import type { Level } from "../../engine/protocol.ts";
import { grouped } from "../language.ts";
import { type Problem, speak } from "../words.ts";

export const align = {
  rowName: "Words of the translation and their surprise in bits",
  /** From expected on. */
  surprising: ["expected", "a little surprising", "surprising", "very surprising"] as [string, string, string, string],
  moreOfWord: (how: string) => `bits, ${how}`,
  million: "more than a million",
  chance: (one: string) => `1 chance in ${one}`,
  almostSure: "more than 99 %",
  note: (how: string, bits: string, chance: string) => `${how}: ${bits} bits. The network gave it ${chance}.`,
  verdict: {
    none: "There is no word to align.",
    calm: "Nothing surprises the network. Its least expected word is ",
    surprised: "Most surprising: ",
    after: (bits: string, chance: string) => `, with ${bits} bits (${chance}).`,
    expected: (word: string) => ` The network expected “${word}”.`,
  },
  summary: (surprising: number, all: number, unit: Level, mean: string) =>
    `${surprising || "None"} of ${all} ${unit}${all === 1 ? "" : "s"} ${surprising > 1 ? "are" : "is"} surprising; the average is ${mean} bits.`,
  aboutBits:
    "Under each word stands its surprise in bits, which is −log₂ of the chance that the network gave it before it saw it (surprisal): 0 was certain, " +
    "1 like a tossed coin, 10 like one in a thousand.",
  obstacles: {
    empty: (name: string) => `Write or paste ${name} text, or choose an example.`,
    long: (name: string, length: number, longest: number) =>
      `The ${name} text has ${grouped(length)} characters. This page aligns up to ${grouped(longest)}: ` +
      "a sentence or a short paragraph. Please give it in parts.",
    wordless: (name: string) => `The ${name} text has no words that could be aligned.`,
  },
  tooMuch: {
    title: "This is too much for one picture.", text: "Please give both texts in parts: sentence by sentence is best.", retry: null,
  } as Problem,
};

speak({ align });
