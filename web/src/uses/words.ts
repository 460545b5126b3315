// What the page of other uses says, in one place.

import type { Use } from "../engine/uses-protocol.ts";
import type { Failure } from "../engine/protocol.ts";
import { type Problem, percent } from "../page/words.ts";

const modelNames: Record<Use, string> = {
  tagger: "tagger", sentiment: "judge of film reviews", masked: "guesser",
};

export const cancelText = "Cancel";
export const cancelledText = "Cancelled. Press the button to load the model after all.";

export function loadingText(use: Use, fraction: number): string {
  return `Loading the ${modelNames[use]} (1.6 MB), ${Math.floor(100 * fraction)} %`;
}

export function problemOf({ code }: Failure): Problem {
  switch (code) {
    case "network":
      return {
        title: "The model could not be downloaded.",
        text: "Check your connection, then try again. What you typed is still here.",
        retry: "Try again",
      };
    case "format":
      return {
        title: "The downloaded model is damaged.",
        text: "It is not the file that this page expects. Loading it once more often helps.",
        retry: "Load it again",
      };
    case "unavailable":
      return {
        title: "This browser cannot run the model.",
        text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.",
        retry: null,
      };
    case "argument":
      return { title: "The model cannot read this text.", text: "A shorter one will do.", retry: null };
    case "out_of_memory":
      return { title: "There is not enough memory.", text: "Closing other tabs or shortening the text may help.", retry: "Try again" };
    case "worker":
      return {
        title: "The program that runs the models did not start.",
        text: "A part of this page could not be loaded. Check your connection, then try again.",
        retry: "Try again",
      };
    default:
      return {
        title: "The model stumbled over this text.",
        text: "That is our mistake, not yours. Changing the text or trying again may help.",
        retry: "Try again",
      };
  }
}

export interface LabWords {
  field: string;
  button: string;
  tries: string;
  examples: readonly string[];
}

export const labs: Record<Use, LabWords> = {
  tagger: {
    field: "A sentence to label", button: "Label the words", tries: "Or try",
    examples: ["The old man reads the book.", "Time flies like an arrow.", "I can open the can you can not open."],
  },
  sentiment: {
    field: "A sentence about a film", button: "Judge it", tries: "Or try",
    examples: [
      "a gripping film with a wonderful cast", "it is long , dull and completely without charm .",
      "the actors are great , but the story is a mess .",
    ],
  },
  masked: {
    field: "A sentence to hide words of", button: "Show its words", tries: "Or try",
    examples: ["I drink a cup of coffee every day.", "The cat is sleeping on the sofa.", "She has lived in Paris for two years."],
  },
};

/** The universal parts of speech in a teacher's words, with examples. */
export const partsOfSpeech: Record<string, { name: string; about: string }> = {
  ADJ: { name: "adjective", about: "describes a thing: old, green, first" },
  ADP: { name: "preposition", about: "in, to, during" },
  ADV: { name: "adverb", about: "says how, when, where: very, well, there" },
  AUX: { name: "auxiliary", about: "helps a verb: is, has, will, should" },
  CCONJ: { name: "conjunction", about: "joins equals: and, or, but" },
  DET: { name: "determiner", about: "the, a, this, every" },
  INTJ: { name: "interjection", about: "ouch, hello, yes" },
  NOUN: { name: "noun", about: "a thing, person or idea: girl, cat, beauty" },
  NUM: { name: "number", about: "one, 2026, IV" },
  PART: { name: "particle", about: "not, the 's of “Ann’s”, the to of “to go”" },
  PRON: { name: "pronoun", about: "stands for a name: I, you, who, nothing" },
  PROPN: { name: "name", about: "Mary, London, NATO" },
  PUNCT: { name: "punctuation", about: ". , ( )" },
  SCONJ: { name: "subordinator", about: "begins a clause: that, if, while" },
  SYM: { name: "symbol", about: "$, %, +, :)" },
  VERB: { name: "verb", about: "something done: run, eat, think" },
  X: { name: "other", about: "what fits nowhere else" },
};

export const nameOfLabel = (label: string) => partsOfSpeech[label]?.name ?? label;

/** Nothing is sure altogether. */
const sure = (probability: number) => `${probability >= 0.995 ? "more than 99 %" : percent(probability)} sure`;

export const moreOfTag = sure;
export const aboutTag = { before: "How sure it is about ", after: "" };
export const tagMeaning = (label: string) => `${partsOfSpeech[label]?.name ?? label}: ${partsOfSpeech[label]?.about ?? ""}`;

export const verdicts: Record<string, string> = { positive: "Praise", negative: "Criticism" };
export const verdict = (label: string, probability: number) => `${verdicts[label] ?? label}, ${sure(probability)}`;
export const moreOfDecision = (weight: number) => `${percent(weight)} of the decision`;
export const decided = "What decided";
export const aboutDecision =
  "The network sums up the sentence as an average of its words, and attention says how much each of them counts in it. The numbers " +
  "under the words are these weights; together they are 1.";

export const moreOfHidden = "is hidden";
export const hiddenText = "?";
export const pickAWord = "Press a word to hide it from the network, and see what it would put there.";
export const guessesTitle = "It would put here";
export const moreOfGuess = "put it there";
export function aboutOriginal(word: string, original: { probability: number; rank: number } | null): string {
  if (!original) return `What stood there, “${word}”, is not among its first thousand guesses.`;
  if (original.rank === 0) return `That is what stood there: “${word}”, with ${percent(original.probability)}.`;
  return `What stood there, “${word}”, is guess number ${original.rank + 1}, with ${percent(original.probability)}.`;
}
export const restsTitle = "What the guess rests on";
export const aboutRests = (guess: string) =>
  `To find out, the page hid each other word as well. The stronger its colour, the more it took from the guess “${guess}”; the number ` +
  "under a word is the part of the guess’s probability that was lost without it.";
export const moreOfRest = "hide it";
export const pressAGuess = "Press a guess to put it into the sentence.";

export const grid = {
  title: "Who looked at whom",
  about:
    "To understand a word, the network looks at the others, in two layers one after the other, with four heads in each. Every head has its own " +
    "way of looking. Choose one.",
  legend: "How much it looked: 0 not at all, 1 only there",
  looked: "Looked at",
  reading: "Reading",
  heads: "Heads",
  layer: (layer: number) => `Layer ${layer + 1}`,
  head: (head: number) => `Head ${head + 1}`,
  mean: "Mean",
  nameOf: (layer: number, head: number | null) =>
    head === null ? `Layer ${layer + 1}, mean of its heads` : `Layer ${layer + 1}, head ${head + 1}`,
  description: (source: string, target: string, weight: number) => ({
    title: `${target} at ${source}: ${weight.toFixed(2)}`,
    text: `To understand “${target}”, ${percent(weight)} of this head’s attention went to “${source}”.`,
  }),
  row: { before: "To understand ", after: ", this head looked at" },
  column: { before: "", after: " was looked at for" },
  aside: (name: string) => `What the grid of the ${modelNames[name as Use] ?? name} shows`,
  guide: "Each row is a word that is being understood. Its squares show how much the network looked at each word of the sentence for that.",
  guideTitle: "How to read the grid",
  pointing: "Point at a square or touch it. With the keyboard, press Tab, then the arrow keys.",
};

const kPlaces: Record<number, string> = {
  [-2]: "at the word two before", [-1]: "at the word before", 0: "at the word itself", 1: "at the next word", 2: "at the word two ahead",
};

/** What a head does most, if it does anything most. */
export function habit({ offset, share }: { offset: number; share: number }): string {
  return share >= 0.4
    ? `In this sentence, this head mostly looks ${kPlaces[offset]}: ${percent(share)} of its attention.`
    : "In this sentence, this head spreads its attention.";
}
