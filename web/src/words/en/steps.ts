// What the part "One word, step by step" of the page "How it works" says.

import type { StepsModel } from "../../engine/steps/protocol.ts";
import type { Station, Told } from "../../how/told.ts";
import { decimal, grouped, percent } from "../language.ts";
import { type Problem, speak } from "../words.ts";

const walk = {
  field: "A short English sentence",
  begin: "Translate step by step",
  tries: "Or try",
  model: "Network",
  models: { additive: "Additive", dot: "Dot product", transformer: "Transformer" } satisfies Record<StepsModel, string>,
  layer: "Layer",
  head: "Head",
  headOption: (number: number, isAligning: boolean) => (isAligning ? `${number}, the aligning one` : String(number)),
  source: "The English sentence, and how much the network looks at each piece in this step. Choose one to look at closely",
  sourceShort: (sentences: number) => (sentences > 1 ? `English, the first of ${sentences} sentences: look closely at` : "English: look closely at"),
  target: "The French translation. Choose which piece to see being made",
  targetShort: "French: how is it made?",
  end: "(end)",
  space: "(space)",
  part: (text: string) => `…${text}`,
  step: (number: number) => `step ${number}`,
  weight: (weight: number) => `${percent(weight)} of the attention`,
  stations: "Stations of this step",
  previous: "Previous",
  next: "Next",
  at: (step: number, count: number, word: string) => `Step ${step} of ${count}: “${word}”`,
  announce: (step: number, word: string, station: string) => `Step ${step}, “${word}”. ${station}`,
  loading: (model: StepsModel, percents: number) =>
    `Loading the ${modelNames[model]} (${model === "transformer" ? "2.8" : "2.7"} MB), ${percents} %`,
  cancel: "Cancel",
  cancelled: "Cancelled. Press the button to load the network after all.",
  checked: (apart: number) =>
    `Compared with the engine: no weight and no probability of this translation is further from its own than ${decimal(Math.max(apart, 1e-4), 4)}. ` +
    "Each step here writes the likeliest piece; the page Translate follows the four likeliest beginnings, and may end up with other words.",
  shifted: (word: string, before: string) =>
    "This head was taught to find the source of the word that was written last" + (before ? `, here “${before}”` : "") +
    `. So what the page Translate shows of “${word}” is what it looks at in the next step.`,
  long: "The translation has become as long as it may be: here the end was not the likeliest.",
};

const modelNames: Record<StepsModel, string> = {
  additive: "network with additive attention", dot: "network with dot-product attention", transformer: "transformer",
};

const names: Record<Station, { short: string; title: string; brief: string }> = {
  read: { short: "Read", title: "What was read", brief: "Each English piece has become a list of numbers." },
  ask: { short: "Ask", title: "What is looked for", brief: "What is written so far becomes a question, again a list of numbers." },
  compare: { short: "Compare", title: "How well each piece answers", brief: "The question is compared with each piece: a score." },
  share: { short: "Share out", title: "Scores become shares", brief: "The scores become shares that sum to 1: the attention." },
  gather: { short: "Gather", title: "What is brought back", brief: "The pieces are added up, each by its share: the context." },
  "go-on": { short: "Go on", title: "What becomes of it", brief: "The context changes what the network will remember." },
  choose: { short: "Choose", title: "Which word is written", brief: "Every piece of the French vocabulary gets a probability; the likeliest is written." },
};

const written = ({ before }: Told) => (before === "" ? "Nothing is written yet" : `So far, “${before}” is written`);
const isRecurrent = ({ model }: Told) => model !== "transformer";

/** The words of its formulas. */
const formulas = {
  forward: "forward state", backward: "backward state", encoder: "encoder(sentence)", sum: "sum", next: "new", score: "score", embedding: "embedding",
};

const texts: Record<Station, (told: Told) => string> = {
  read: (told) => (isRecurrent(told)
    ? "Before the first French word, two networks read the English sentence, one from each end. " : "Before the first French word, the encoder’s layers look at the whole English sentence. ") +
    `Of each piece they keep ${told.memory} numbers, ${isRecurrent(told) ? "h" : "m"}: what it means, where it stands. They stay the same in all steps.`,
  ask: (told) => (isRecurrent(told)
    ? (told.before === "" ? `${written(told)}: the decoder’s state s is made of how the reading ended. ` : `${written(told)}. All that the decoder remembers of it is its state s. `) +
      `The matrix W turns the state into a question: ${told.query} numbers, q.`
    : `${written(told)}. What the decoder has made of that in layer ${told.layer + 1} is x. Head ${told.head + 1} makes its own question of it: ${told.query} numbers, q.`),
  compare: ({ model, source, query }) => ({
    additive:
      `How well does “${source}” answer? Question and key, which is U h + b, are added number by number, pressed between −1 and 1 by tanh, ` +
      "weighed by v, and summed: one score (Bahdanau and others, 2015).",
    dot:
      `How well does “${source}” answer? Question and key, which is U h, are multiplied number by number and the products summed: one score ` +
      "(Luong and others, 2015, call it dot; with a matrix on both sides, as here, it is as much as their general).",
    transformer:
      `How well does “${source}” answer? Question and key are multiplied number by number and the products summed. Of ${query} products the ` +
      `sum grows large, so it is divided by the root of ${query}: one score (Vaswani and others, 2017).`,
  })[model],
  share: () =>
    "exp makes all scores positive, and large differences larger: 1 more is 2.7 times as much. Each result is divided by their sum. That is softmax. " +
    "The largest score is taken off first, since exp of it could be too large a number; the shares stay the same.",
  gather: (told) =>
    `Each piece’s ${isRecurrent(told) ? "h" : "values v"}, times its share, and all of them added: the context c. What got a small share is nearly gone.`,
  "go-on": (told) => (isRecurrent(told)
    ? "The word before, x, the context c and the old state s together make a proposal n, and say for each number how much of the old one to keep: z " +
      "(a gated recurrent unit, Cho and others, 2014)."
    : `The contexts of all ${told.heads} heads, side by side, go through the matrix W_O, and what comes out is added to what stood there. ` +
      (told.layer + 1 < told.layers ? "Then come a small network for each word alone, and the next layer." : "Then comes a small network for each word alone: that was the last layer.")),
  choose: (told) =>
    (isRecurrent(told)
      ? `State, context and the word before are put together to ${told.last} numbers, r. ` : `The last layer leaves ${told.last} numbers, y. `) +
    `Each of the ${grouped(told.vocabulary)} pieces of the vocabulary is compared with them, and softmax makes probabilities of the scores. The likeliest is written.`,
};

const table = {
  piece: "Piece",
  list: "List",
  numbers: (count: number) => `${count} numbers`,
  strip: (name: string, count: number, least: string, most: string) => `${name}: ${count} numbers from ${least} to ${most}`,
  scale: (largest: string) => `A square is a number, read in lines like text. The strongest colour here is ${largest}.`,
  minus: "below 0",
  plus: "above 0",
  begins: "begins with",
  state: "the state", layerState: "what stands there", question: "the question",
  key: (source: string) => `the key of “${source}”`,
  terms: "the terms of the sum",
  outermost: (count: number) => `The ${count} terms that raise the score most, the ${count} that lower it most, the others, and their sum`,
  number: "Number",
  term: "Term",
  others: (count: number) => `the other ${count}`,
  sum: "Sum",
  divided: (width: number) => `divided by √${width}`,
  score: "Score e",
  lessMost: "e − e_max",
  power: "exp",
  weight: "Share a",
  share: (source: string, power: string, sum: string, weight: string) => `“${source}”: ${power} / ${sum} = ${weight}`,
  scaled: (of: string) => `a · ${of}`,
  context: "the context",
  input: "the word before", candidate: "the proposal", keep: "how much to keep", newState: "the new state", oldState: "the old state",
  mixed: (z: string, n: string, s: string, sum: string) => `The first number: (1 − ${z}) · ${n} + ${z} · ${s} = ${sum}`,
  kept: (share: number) => `On average, ${percent(share)} of the old state is kept.`,
  brings: "what the heads bring", after: "the sum",
  wordScore: "Score",
  probability: "Probability",
  written: "written",
  last: "what is compared",
};

const problems = {
  network: { title: "The network could not be downloaded.", text: "Check your connection, then try again. What you typed is still here.", retry: "Try again" } as Problem,
  format: {
    title: "The downloaded network is damaged.",
    text: "It is not the file that this page expects. Loading it once more often helps.", retry: "Load it again",
  } as Problem,
  unavailable: {
    title: "This browser cannot compute this.",
    text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.", retry: null,
  } as Problem,
  apart: {
    title: "This sentence has signs that cannot be shown here.",
    text: "The numbers computed for it would not be the engine’s own. Plain letters, digits and punctuation will do.", retry: null,
  } as Problem,
  worker: { title: "The program that computes this could not be loaded.", text: "Check your connection, then try again.", retry: "Try again" } as Problem,
  out_of_memory: { title: "There is not enough memory.", text: "Closing other tabs may help.", retry: "Try again" } as Problem,
  other: { title: "The computation stopped.", text: "That is our mistake, not yours. Another sentence, or trying again, may help.", retry: "Try again" } as Problem,
};

export const steps = { walk, names, formulas, texts, table, problems };

speak({ steps });
