// What the page of other uses says.

import type { Description } from "../../elements/alignment/sayings.ts";
import type { Use } from "../../engine/uses-protocol.ts";
import { decimal, percent } from "../language.ts";
import { type Around, type Problem, speak } from "../words.ts";

const again = "Try again";
const modelNames: Record<Use, string> = { tagger: "tagger", sentiment: "judge of film reviews", masked: "guesser" };

export const uses = {
  cancelled: "Cancelled. Press the button to load the model after all.",
  loading: (use: Use, percents: number) => `Loading the ${modelNames[use]} (1.6 MB), ${percents} %`,
  problems: {
    network: {
      title: "The model could not be downloaded.", text: "Check your connection, then try again. What you typed is still here.", retry: again,
    } as Problem,
    format: {
      title: "The downloaded model is damaged.", text: "It is not the file that this page expects. Loading it once more often helps.",
      retry: "Load it again",
    } as Problem,
    unavailable: {
      title: "This browser cannot run the model.",
      text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.",
      retry: null,
    } as Problem,
    argument: { title: "The model cannot read this text.", text: "A shorter one will do.", retry: null } as Problem,
    out_of_memory: {
      title: "There is not enough memory.", text: "Closing other tabs or shortening the text may help.", retry: again,
    } as Problem,
    worker: {
      title: "The program that runs the models did not start.",
      text: "A part of this page could not be loaded. Check your connection, then try again.",
      retry: again,
    } as Problem,
    other: {
      title: "The model stumbled over this text.", text: "That is our mistake, not yours. Changing the text or trying again may help.", retry: again,
    } as Problem,
  },

  tries: "Or try",
  labs: {
    tagger: { field: "A sentence to label", button: "Label the words" },
    sentiment: { field: "A sentence about a film", button: "Judge it" },
    masked: { field: "A sentence to hide words of", button: "Show its words" },
  },

  /** The universal parts of speech in a teacher's words, with examples. */
  partsOfSpeech: {
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
  },
  meaning: (name: string, about: string) => `${name}: ${about}`,
  sure: (probability: string) => `${probability} sure`,
  almostSure: "more than 99 %",
  aboutTag: { before: "How sure it is about ", after: "" } as Around,

  verdicts: { positive: "Praise", negative: "Criticism" },
  moreOfDecision: (weight: number) => `${percent(weight)} of the decision`,
  decided: "What decided",
  decidedMost: (said: string, word: string) => `${said}. What decided: ${word}`,
  aboutDecision:
    "The network sums up the sentence as an average of its words, and attention says how much each of them counts in it. The numbers " +
    "under the words are these weights; all together, with those too small to be written, they are 1.",

  moreOfHidden: "is hidden",
  pickAWord: "Press a word to hide it from the network, and see what it would put there.",
  guessesTitle: "It would put here",
  guesses: (list: string) => `It would put here: ${list}`,
  moreOfGuess: "put it there",
  original: {
    unlikely: (word: string) => `What stood there, “${word}”, is not among its first thousand guesses.`,
    first: (word: string, probability: number) => `That is what stood there: “${word}”, with ${percent(probability)}.`,
    later: (word: string, rank: number, probability: number) =>
      `What stood there, “${word}”, is guess number ${rank + 1}, with ${percent(probability)}.`,
  },
  restsTitle: "What the guess rests on",
  aboutRests: (guess: string) =>
    `To find out, the page hid each other word as well. The stronger its colour, the more it took from the guess “${guess}”; the number ` +
    "under a word is the part of the guess’s probability that was lost without it.",
  moreOfRest: "hide it",
  pressAGuess: "Press a guess to put it into the sentence.",

  grid: {
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
    description: (source: string, target: string, weight: number): Description => ({
      title: `${target} at ${source}: ${decimal(weight, 2)}`,
      text: `To understand “${target}”, ${percent(weight)} of this head’s attention went to “${source}”.`,
    }),
    row: { before: "To understand ", after: ", this head looked at" } as Around,
    column: { before: "", after: " was looked at for" } as Around,
    aside: (use: Use) => `What the grid of the ${modelNames[use]} shows`,
    guide: "Each row is a word that is being understood. Its squares show how much the network looked at each word of the sentence for that.",
    guideTitle: "How to read the grid",
    pointing: "Point at a square or touch it. With the keyboard, press Tab, then the arrow keys.",
  },
  /** From two words before to two ahead. */
  places: ["at the word two before", "at the word before", "at the word itself", "at the next word", "at the word two ahead"],
  habit: (place: string, share: number) => `In this sentence, this head mostly looks ${place}: ${percent(share)} of its attention.`,
  spread: "In this sentence, this head spreads its attention.",
};

speak({ uses });
