// What the page says, in one place. Plain words: a visitor need not know what a tensor is.

import type { Failure, Loadable, ModelId } from "../engine/protocol.ts";

export const aboutModel: Record<ModelId, string> = {
  transformer:
    "English words look at each other, and French words at all of them and at the French before them, several times over and " +
    "in several ways at once (Vaswani and others, 2017). Drawn is one of these ways, which was taught what each French word translates.",
  additive:
    "Before each French word, a small network scores every English word: how useful is it now? " +
    "The French word is then written from what scored highest (Bahdanau, Cho and Bengio, 2015).",
  dot:
    "Before each French word, what the network is about to say is compared with every English word: two lists of numbers, " +
    "multiplied and added up. The French word is then written from what fits best (Luong, Pham and Manning, 2015).",
  plain:
    "The English sentence is read once and kept as one list of numbers, always of the same length. " +
    "All French words are written from that list; no English word is looked at again.",
};

export interface Problem {
  title: string;
  text: string;
  /** What the visitor may press, if trying again can help. */
  retry: string | null;
}

export const cancelText = "Cancel";

export function problemOf({ code }: Failure): Problem {
  switch (code) {
    case "cancelled":
      return {
        title: "The download was cancelled.",
        text: "What you typed is still here. Choose another kind of attention, or load this one after all.",
        retry: "Load it",
      };
    case "network":
      return {
        title: "The translator could not be downloaded.",
        text: "Check your connection, then try again. What you typed is still here.",
        retry: "Try again",
      };
    case "format":
      return {
        title: "The downloaded model is damaged.",
        text: "It is not a file this page can read. Loading it once more often helps; another kind of attention may work meanwhile.",
        retry: "Load it again",
      };
    case "unavailable":
      return {
        title: "This browser cannot run the translator.",
        text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.",
        retry: null,
      };
    case "out_of_memory":
      return {
        title: "There is not enough memory.",
        text: "Closing other tabs or shortening the text may help.",
        retry: "Try again",
      };
    case "worker":
      return {
        title: "The translator did not start.",
        text: "A part of this page could not be loaded. Check your connection, then try again.",
        retry: "Try again",
      };
    default:
      return {
        title: "The translator stumbled over this text.",
        text: "That is our mistake, not yours. Changing the text or trying again may help.",
        retry: "Try again",
      };
  }
}

export function loadingText(model: Loadable, fraction: number): string {
  const name = {
    transformer: "transformer",
    additive: "additive model",
    dot: "dot-product model",
    plain: "model without attention",
    reader: "reader",
  }[model];
  return `Loading the ${name}, ${Math.floor(100 * fraction)} %`;
}

export function percent(weight: number): string {
  return weight > 0 && weight < 0.01 ? "less than 1 %" : `${Math.round(100 * weight)} %`;
}

/** What the page says about changing the attention. */
export const changing = {
  toggle: "Change the attention",
  how: "Press a square: its French word then looks only there, and the rest is written anew. Press it again to let go; drag it " +
    "up or down for more or less. Keys: Enter, +, −, Delete.",
  howThreads: "Press a thread or a word, then change it beside the picture. Keys on a thread: +, −, Delete.",
  undo: "Undo",
  reset: "Reset",
  nothingPicked: "Choose a square, or a word.",
  pair: (source: string, target: string) => ["How much ", target, " looks at ", source] as const,
  hide: (word: string) => `Hide “${word}” from the network`,
  show: (word: string) => `Show “${word}” again`,
  letGo: (word: string) => `Let “${word}” look by itself`,
  write: (word: string) => `Write instead of “${word}”`,
  writeIt: "Write it",
  offers: "The network also thought of",
  begins: (begin: string) => `You had it begin with “${begin}”.`,
  free: "Let it begin by itself",
  with: "With your changes",
  without: "Without them",
  answer: (translation: string, count: number) =>
    count === 0 ? `The same translation: ${translation}` : `Now: ${translation} ${count === 1 ? "One word is" : `${count} words are`} different.`,
  dropped: "Some of the changes do not fit this sentence and are gone.",
  failed: "That did not work. The changes are gone.",
};

/** What the page says about attention as a whole. */
export const noAttention = {
  title: "What if there were no attention?",
  switch: "Switch attention off",
  about:
    "Every French word then gets the same even mixture of all English words. This network has learned to count on attention, so it falls " +
    "apart. One that learns without from the start does better, as long as sentences are short:",
  aboutPlain: "How good the translations of both kinds of networks are, by the length of the sentence:",
  chart: "Quality (BLEU) by words in the English sentence",
  alternative: "The longer the sentence, the more is lost without attention. The numbers are in the table below.",
  numbers: "The numbers",
  measured:
    "BLEU counts the words and phrases that a translation shares with a person’s: 0 none, 100 all. Measured on 3,000 sentence pairs that neither " +
    "network has seen, with the models “Additive” and “None” of this page.",
  words: "Words",
  with: "With attention",
  without: "Without",
};

/** What the page says about heads. */
export const allHeads = {
  title: "All heads",
  about:
    "The transformer looks in several ways at once: each small picture is one head of one layer. Choose one to see it large, or switch it off and " +
    "watch what becomes of the translation. The head marked ★ was taught what each French word translates; the picture above is drawn from it.",
  kinds: { cross: "French at English", encoder: "English at English", decoder: "French at French" },
  kind: "Who looks at whom",
  heads: "Heads",
  layer: (layer: number) => `Layer ${layer + 1}`,
  head: (head: number) => `Head ${head + 1}`,
  mean: "Mean",
  aligning: (caption: string) => `★ ${caption}`,
  off: (caption: string) => `${caption}, off`,
  nameOf: (layer: number, head: number | null) => (head === null ? `Layer ${layer + 1}, mean of its heads` : `Layer ${layer + 1}, head ${head + 1}`),
  nameOfAligning: "the aligning head",
  nameOfOff: "off",
  switchOff: (name: string, isMean: boolean) => (isMean ? `Switch all heads of this layer off` : `Switch ${name.toLowerCase()} off`),
  switchOn: (name: string, isMean: boolean) => (isMean ? `Switch all heads of this layer on` : `Switch ${name.toLowerCase()} on`),
  legend: "How much it looked: 0 not at all, 1 only there",
  description: (source: string, target: string, weight: number) => ({
    title: `${target} at ${source}: ${weight.toFixed(2)}`,
    text: `For “${target}”, ${percent(weight)} of this head’s attention was on “${source}”.`,
  }),
};
