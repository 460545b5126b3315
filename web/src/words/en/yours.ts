// What the page of one's own models says.

import { type Contents, type Fault, kLargest } from "../../engine/model-files/contents.ts";
import { grouped } from "../language.ts";
import { speak } from "../words.ts";

/** Something wrong with a file. */
interface Said {
  title: string;
  text: string;
}

const kinds: Record<Contents["kind"], string> = {
  model: "a model", weights: "Marian’s weights", vocabulary: "a vocabulary", shortlist: "a shortlist",
};
const faults: Record<Fault, (name: string) => Said> = {
  large: (name) => ({ title: `${name} is too large.`, text: `This page takes files of up to ${kLargest / 1e6} MB.` }),
  empty: (name) => ({ title: `${name} is empty.`, text: "Perhaps its download broke off. Please fetch it again." }),
  unknown: (name) => ({
    title: `${name} is not a model.`,
    text: "This page takes .safetensors files, and of Marian’s models the weights (.bin or .npz), the vocabulary (.spm) and the shortlist (.bin).",
  }),
  damaged: (name) => ({ title: `${name} is damaged.`, text: "It ends too early, or something in it has changed. Please fetch it again." }),
};
const notStarted = (): Said => ({
  title: "The program that runs models did not start.", text: "A part of this page could not be loaded. Check your connection, then try again.",
});

export const yours = {
  page: "The page",
  kilobytes: (size: string) => `${size} kB`,
  megabytes: (size: string) => `${size} MB`,
  noTag: (text: string) => ({
    title: text === "" ? "A language is missing." : `“${text}” is no language code.`,
    text: "A code has two or three letters: en for English, fr for French, es for Spanish.",
  }),
  kinds,
  given: (kind: string, size: string) => `: ${kind}, ${size}`,
  faults,
  missing: {
    weights: "The weights (.bin or .npz) are still missing.",
    vocabulary: "The vocabulary (.spm) is still missing: without it nobody knows which words the numbers stand for.",
    "second vocabulary": "A second vocabulary (.spm) is still missing: this model has one for each language.",
    nothing: "",
  },
  misfit: (name: string, kind: "shortlist" | "vocabulary", has: number, expected: number) => ({
    title: `${name} belongs to another model.`,
    text: `As a ${kind} it has ${grouped(has)} words; the weights need one with ${grouped(expected)}.`,
  }),
  /** By the codes of failures; `name` is the file. */
  failures: {
    format: (name: string): Said => ({ title: `${name} cannot be used.`, text: "It is damaged, or a kind of model that this page cannot run." }),
    out_of_memory: (name: string): Said => ({ title: `${name} needs more memory than there is.`, text: "Closing other tabs may help." }),
    network: notStarted,
    worker: notStarted,
    unavailable: (): Said => ({
      title: "This browser cannot run the model.",
      text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.",
    }),
    other: (name: string): Said => ({
      title: `${name} stumbled.`, text: "That is our mistake, not yours. Another text or opening the model again may help.",
    }),
  },
  /** What models do that do not translate. */
  does: {
    tagger: "It labels words with their parts of speech", classifier: "It sorts sentences, as into praise and criticism",
    "masked-language-model": "It guesses hidden words", "language-model": "It reads and guesses the next word",
  },
  notOurs: "It is a safetensors file, but no model of softalign’s: its tensors are shown, it cannot be used here.",
  elsewhere: (does: string) => `${does} and does not translate. One like it is at work on the page`,
  pages: { translate: "Translate", uses: "Other uses" },

  columns: ["Name", "Shape", "Type"],
  storage: { I8: "bytes", F32: "32-bit floats", F16: "16-bit floats", U8: "raw bytes (the vocabulary)" },
  storedAs: (count: number, type: string) => `${grouped(count)} as ${type}`,
  /** Marian's options. */
  marian: {
    type: "Architecture", "transformer-decoder-autoreg": "Decoder", "dec-cell": "Decoder’s cell", "dim-emb": "Width", "enc-depth": "Encoder layers",
    "dec-depth": "Decoder layers", "transformer-heads": "Heads", "transformer-dim-ffn": "Feed-forward width", "dim-vocabs": "Vocabulary",
    version: "Made by Marian",
  },
  /** Keys of our own models' settings; those that are not here are shown as they are. */
  config: {
    alignment: "Alignment", alignment_head: "Alignment head", alignment_layer: "Alignment layer", alignment_shifted: "Alignment shifted",
    attention: "Attention", decoder: "Decoder", decoder_layers: "Decoder layers", embedding: "Embedding", encoder: "Encoder",
    encoder_layers: "Encoder layers", feed_forward: "Feed forward", heads: "Heads", labels: "Labels", layers: "Layers", radius: "Radius",
    reader: "Reader", vocabulary: "Vocabulary", width: "Width",
  },
  terms: {
    file: "File", vocabulary: "Vocabulary", shortlist: "Shortlist", weights: "Weights", stored: "Stored", name: "Name", languages: "Languages",
    language: "Language", architecture: "Architecture",
  },
  pieces: (count: number) => `${grouped(count)} pieces`,
  piecesBy: (count: number, method: string) => `${grouped(count)} pieces (SentencePiece, ${method})`,
  likely: (words: number, entries: number) => `likely translations of ${grouped(words)} words, ${grouped(entries)} in all`,
  weightsIn: (weights: number, tensors: number) => `${grouped(weights)} in ${grouped(tensors)} tensors`,
  fromTo: (from: string, to: string) => `${from} to ${to}`,

  contents: (names: string) => `What is in ${names}`,
  use: (name: string) => `Translate with ${name}`,
  tensors: (count: number) => `All ${grouped(count)} tensors`,
  oneNumber: "1 number",
  fetching: (name: string, percents: number) => `Fetching ${name}, ${percents} %`,
  cancelled: (kept: string) => `Cancelled. ${kept}`.trim(),
  notFetched: (name: string): Said => ({ title: `${name} could not be downloaded.`, text: "Check your connection, then try again." }),
  looking: (names: string) => `Looking into ${names}`,
  opening: (name: string) => `Opening ${name}`,
  opened: (name: string, from: string, to: string) => `${name} is in use: it translates ${from} to ${to}.`,
  askForLanguages: "One thing is left: which languages does it translate? Please set them above.",
  onlyShown: (name: string) => `What is in ${name} stands below.`,
  stillInUse: (name: string) => `${name} stays in use.`,
  noAttention: "This model has no attention: it keeps the whole sentence as one list of numbers, so there is no picture to draw.",
  tooLong: (length: number, most: number) => `This text has ${grouped(length)} characters; this page translates up to ${grouped(most)}.`,
};

speak({ yours });
