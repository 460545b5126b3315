// What the first page says as one works with it.

import type { Description } from "../../elements/alignment/sayings.ts";
import type { Network } from "../../engine/models.ts";
import type { Level } from "../../engine/protocol.ts";
import { decimal, percent } from "../language.ts";
import { type Around, speak } from "../words.ts";

const aboutModel: Record<Network, string> = {
  transformer:
    "English words look at each other, and words of the translation at all of them and at what is written already, several times over and " +
    "in several ways at once (Vaswani and others, 2017). Drawn is one of these ways, which was taught what each word translates.",
  student:
    "Made like the translators in Firefox, and taught by the Transformer’s translations. It reads English as the Transformer does, but writes from a " +
    "memory that each written word renews (Kim and others, 2019), and looks at the English from there. To be downloaded: 10 MB.",
  additive:
    "Before each word it writes, a small network scores every English word: how useful is it now? " +
    "The word is then written from what scored highest (Bahdanau, Cho and Bengio, 2015).",
  dot:
    "Before each word it writes, what the network is about to say is compared with every English word: two lists of numbers, " +
    "multiplied and added up. The word is then written from what fits best (Luong, Pham and Manning, 2015).",
  plain:
    "The English sentence is read once and kept as one list of numbers, always of the same length. " +
    "The whole translation is written from that list; no English word is looked at again.",
};

export const index = {
  aboutModel,
  example: (words: number, text: string) => `${words} words: ${text}`,
  translated: (count: number) => `${count} sentences translated`,
  foreign: "The network has learned English only, in Latin letters: here it guesses.",
  lost: (times: number) => `The network has lost its thread: it says the same ${times} times in a row. Do not trust this translation.`,

  figure: {
    previous: "Previous",
    next: "Next",
    sentence: (number: number, count: number) => `Sentence ${number} of ${count}`,
    legend: "How much it looked: 0 not at all, 1 only here",
    hard: "The English word each written word looked at most",
    sure: "Our link by hand",
    possible: "Perhaps a link",
    gold: { sure: " We link them, too.", possible: " We might link them, too." },
    /** Of words or pieces. */
    guides: {
      grid: (level: Level) => {
        const unit = level === "word" ? "word" : "piece";
        return `Each row is a ${unit} of the translation, in the order of writing. Its squares show how much the network looked at each ` +
          `English ${unit} at that moment: the stronger the colour, the more.`;
      },
      threads: (level: Level) => {
        const unit = level === "word" ? "word" : "piece";
        return `English above or on the left, its translation below or on the right. A thread joins a ${unit} of the translation with an English one that the ` +
          "network looked at while writing it: the thicker and stronger, the more.";
      },
    },
    confidence: {
      word: (share: number) => `It found this word ${percent(share)} probable.`,
      piece: (share: number) => `It found this piece ${percent(share)} probable.`,
    },
    unsure: {
      word: "Words with dots under them were less than half probable: others might as well have been written.",
      piece: "Pieces with dots under them were less than half probable: others might as well have been written.",
    },
    pieces: {
      word: "A word may be several pieces to the network. Their rows are averaged and their columns added.",
      piece: "Pieces are what the network works with: frequent words whole, rare ones in parts.",
    },
    forgetful: {
      title: "Without attention there is no alignment to draw",
      why:
        "This model reads the whole English sentence first and keeps one list of numbers, as long for two words as for twenty. It then writes " +
        "the translation from that list alone. None of its words ever looks back at an English one, so no weights lie between them.",
      watch:
        "Short sentences fit into the list. Choose longer examples and watch what goes missing: that is what attention was invented for.",
      plain: "Without attention",
      additive: "The same sentence with additive attention",
    },
  },

  changing: {
    toggle: "Change the attention",
    how: "Press a square: the word of its row then looks only there, and the rest is written anew. Press it again to let go; drag it " +
      "up or down for more or less. Keys: Enter, +, −, Delete.",
    howThreads: "Press a thread or a word, then change it beside the picture. Keys on a thread: +, −, Delete.",
    undo: "Undo",
    undoKeys: "Ctrl+Z",
    reset: "Reset",
    aboutReset: "Back to the network’s own attention",
    nothingPicked: "Choose a square, or a word.",
    pair: (source: string, target: string): [string, string, string, string] => ["How much ", target, " looks at ", source],
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
  },

  /** About attention as a whole. */
  noAttention: {
    title: "What if there were no attention?",
    switch: "Switch attention off",
    about:
      "Every word of the translation then gets the same even mixture of all English pieces. This network has learned to count on attention, so it falls " +
      "apart. One that learns without from the start does better, as long as sentences are short:",
    aboutPlain: "How good the translations of both kinds of networks are, by the length of the sentence:",
    chart: "Quality (BLEU) by words in the English sentence",
    alternative: "The longer the sentence, the more is lost without attention. The numbers are in the table below.",
    numbers: "The numbers",
    measured:
      "BLEU counts the words and phrases that a translation shares with a person’s: 0 none, 100 all. Measured on 3,000 sentence pairs that neither " +
      "network has seen, with the models “Additive” and “None” that translate to French.",
    words: "Words",
    /** In the table, and in the drawing. */
    lengths: ["under 6", "6 to 8", "9 to 11", "12 and more"],
    shortLengths: ["under 6", "6–8", "9–11", "12+"],
    with: "With attention",
    without: "Without",
  },

  search: {
    title: "What else it might have written",
    about:
      "Word by word, the network keeps the four likeliest beginnings and goes on with each of them. At the end it takes the translation that is likeliest " +
      "all in all. Choose another, or a way that leads there, and see what it looks at then.",
    found: "Translations it found",
    aboutFound: "Beside each, how sure the network was of its pieces on average.",
    ways: "The ways it tried",
    aboutWays: "Beside each, how probable its first piece was after what stands to its left. A hyphen goes on with a word.",
    all: "Also those it gave up",
    lost: "Given up: four other beginnings were likelier",
  },

  allHeads: {
    title: "All heads",
    about:
      "This network looks in several ways at once: each small picture is one head of one layer. Choose one to see it large, or switch it off and " +
      "watch what becomes of the translation. The head marked ★ was taught what each word translates; the picture above is drawn from it.",
    later:
      "This head finds where the word just written came from: a row here is what it looked at before the row’s word was written, and stands " +
      "one word higher in the picture above.",
    kinds: (target: string) => ({ cross: `${target} at English`, encoder: "English at English", decoder: `${target} at ${target}` }),
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
    switchOff: (name: string, isMean: boolean) => (isMean ? "Switch all heads of this layer off" : `Switch ${name.toLowerCase()} off`),
    switchOn: (name: string, isMean: boolean) => (isMean ? "Switch all heads of this layer on" : `Switch ${name.toLowerCase()} on`),
    legend: "How much it looked: 0 not at all, 1 only there",
    description: (source: string, target: string, weight: number): Description => ({
      title: `${target} at ${source}: ${decimal(weight, 2)}`,
      text: `For “${target}”, ${percent(weight)} of this head’s attention was on “${source}”.`,
    }),
  },

  reader: {
    field: "A sentence to read",
    button: "Read it",
    cancelled: "Cancelled. Press the button to load the network after all.",
    looked: "Looked back at",
    reading: "Reading",
    legend: "How much it looked back: 0 not at all, 1 only there",
    aside: "What the reading grid shows",
    beginning: "(beginning)",
    description: (source: string, target: string, weight: number): Description => ({
      title: `${target} back to ${source}: ${decimal(weight, 2)}`,
      text: `On reading “${target}”, ${percent(weight)} of the attention went back to “${source}”.`,
    }),
    row: { before: "On reading ", after: ", the network looked back at" } as Around,
    column: { before: "", after: " was looked back at on reading" } as Around,
    surprised: (bits: number) => `It was ${decimal(bits, 1)} bits surprised by this word: 0 is no surprise, and each bit halves the chance that it gave it.`,
    guide:
      "Each row is a word as it is read. Its squares show how much the network looked back at each word before it. What " +
      "comes later it has not read yet: that half of the grid stays empty.",
    watch: "Often it looks at the word just before. Watch for the rows that reach further back.",
  },
};

speak({ index });
