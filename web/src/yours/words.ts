// What the page of one's own models says, in one place.

import { type Contents, elementsOf, type Fault, kLargest, type TensorInfo } from "../engine/model-files/contents.ts";
import type { FoundFile, Verdict } from "../engine/model-files/model-set.ts";
import type { Failure } from "../engine/protocol.ts";

export interface Trouble {
  title: string;
  text: string;
  /** For those who want to know. */
  details?: string;
}

const grouped = (n: number) => n.toLocaleString("en");

export function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${grouped(Math.max(1, Math.round(bytes / 1e3)))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** "English", or the tag itself where the browser has no name for it. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** The canonical form of a language tag; undefined for what is none. */
export function languageTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.trim())[0];
  } catch {
    return undefined;
  }
}

export const noTag = (text: string): Trouble => ({
  title: text.trim() === "" ? "A language is missing." : `“${text.trim()}” is no language code.`,
  text: "A code has two or three letters: en for English, fr for French, es for Spanish.",
});

const kKinds: Record<Contents["kind"], string> = {
  model: "a model", weights: "Marian’s weights", vocabulary: "a vocabulary", shortlist: "a shortlist",
};
export const kindOf = ({ contents }: FoundFile) => kKinds[contents.kind];

export function faultOf(name: string, fault: Fault, details: string): Trouble {
  return { ...({
    large: { title: `${name} is too large.`, text: `This page takes files of up to ${kLargest / 1e6} MB.` },
    empty: { title: `${name} is empty.`, text: "Perhaps its download broke off. Please fetch it again." },
    unknown: {
      title: `${name} is not a model.`,
      text: "This page takes .safetensors files, and of Marian’s models the weights (.bin or .npz), the vocabulary (.spm) and the shortlist (.bin).",
    },
    damaged: { title: `${name} is damaged.`, text: "It ends too early, or something in it has changed. Please fetch it again." },
  } satisfies Record<Fault, Trouble>)[fault], details };
}

export function missingText(what: Extract<Verdict, { kind: "missing" }>["what"]): string {
  switch (what) {
    case "weights": return "The weights (.bin or .npz) are still missing.";
    case "vocabulary": return "The vocabulary (.spm) is still missing: without it nobody knows which words the numbers stand for.";
    case "second vocabulary": return "A second vocabulary (.spm) is still missing: this model has one for each language.";
    case "nothing": return "";
  }
}

export function misfitOf({ culprit, has, expected }: Extract<Verdict, { kind: "misfit" }>): Trouble {
  const name = culprit.file.name;
  const what = culprit.contents.kind === "shortlist" ? "shortlist" : "vocabulary";
  return {
    title: `${name} belongs to another model.`,
    text: `As a ${what} it has ${grouped(has)} words; the weights need one with ${grouped(expected)}.`,
  };
}

/** What went wrong with a model that looked well; `name` is the file that it lies in, as far as one can tell. */
export function failureOf(name: string, { code, message }: Failure): Trouble {
  const details = `${message} (${code})`;
  switch (code) {
    case "format": return { title: `${name} cannot be used.`, text: "It is damaged, or a kind of model that this page cannot run.", details };
    case "out_of_memory": return { title: `${name} needs more memory than there is.`, text: "Closing other tabs may help.", details };
    case "network":
    case "worker":
      return {
        title: "The program that runs models did not start.",
        text: "A part of this page could not be loaded. Check your connection, then try again.", details,
      };
    case "unavailable":
      return {
        title: "This browser cannot run the model.",
        text: "It needs WebAssembly with SIMD: Chrome or Edge 123, Firefox 125, Safari 17.5, or anything newer.", details,
      };
    default: return { title: `${name} stumbled.`, text: "That is our mistake, not yours. Another text or opening the model again may help.", details };
  }
}

const kTextModels: Record<string, string> = {
  tagger: "It labels words with their parts of speech", classifier: "It sorts sentences, as into praise and criticism",
  "masked-language-model": "It guesses hidden words", "language-model": "It reads and guesses the next word",
};

/** Why a model is only shown, not used; undefined for a translator. */
export function whyOnlyShown(
  { config }: Extract<Contents, { kind: "model" }>,
): { text: string; page?: { href: string; name: string } } | undefined {
  if (!config) return { text: "It is a safetensors file, but no model of softalign’s: its tensors are shown, it cannot be used here." };
  const architecture = String(config.architecture);
  const does = kTextModels[architecture];
  if (!does) return undefined;
  const page = architecture === "language-model" ? { href: "./#reader-title", name: "Translate" } : { href: "./uses.html", name: "Other uses" };
  return { text: `${does} and does not translate. One like it is at work on the page`, page };
}

const kStorage: Record<string, string> = { I8: "bytes", F32: "32-bit floats", F16: "16-bit floats", U8: "raw bytes (the vocabulary)" };

/** How many numbers are stored in which way, most first. */
function storageOf(tensors: readonly TensorInfo[]): string {
  const counts = new Map<string, number>();
  for (const tensor of tensors) counts.set(tensor.type, (counts.get(tensor.type) ?? 0) + elementsOf(tensor));
  return [...counts].sort(([, a], [, b]) => b - a).map(([type, count]) => `${grouped(count)} as ${kStorage[type] ?? type}`).join(", ");
}

/** What is stored besides weights: the vocabulary, and one scale a row or number. */
const isWeight = ({ name, type }: TensorInfo) => type !== "U8" && !/\.scale$|_QuantMultA$/.test(name);

const kMarian: Record<string, string> = {
  type: "Architecture", "transformer-decoder-autoreg": "Decoder", "dec-cell": "Decoder’s cell", "dim-emb": "Width", "enc-depth": "Encoder layers",
  "dec-depth": "Decoder layers", "transformer-heads": "Heads", "transformer-dim-ffn": "Feed-forward width", "dim-vocabs": "Vocabulary",
  version: "Made by Marian",
};

/** "feed_forward" as "Feed forward". */
const titled = (name: string) => name[0]!.toUpperCase() + name.slice(1).replaceAll("_", " ");

/** What there is to tell of a file, as pairs of a term and what it is. */
export function factsOf({ file, contents }: FoundFile): [string, string][] {
  const facts: [string, string][] = [["File", `${file.name}, ${sizeOf(file.size)}`]];
  if (contents.kind === "vocabulary") facts.push(["Vocabulary", `${grouped(contents.pieces)} pieces (SentencePiece, ${contents.method})`]);
  if (contents.kind === "shortlist") facts.push(["Shortlist", `likely translations of ${grouped(contents.words)} words, ${grouped(contents.entries)} in all`]);
  if (contents.kind === "model" || contents.kind === "weights") {
    const weights = contents.tensors.filter(isWeight).reduce((sum, tensor) => sum + elementsOf(tensor), 0);
    const named = contents.kind === "weights"
      ? Object.entries(kMarian).flatMap(([option, term]): [string, string][] => (contents.options[option] ? [[term, contents.options[option]]] : []))
      : configFacts(contents.config ?? {});
    const count = `${grouped(weights)} in ${grouped(contents.tensors.length)} tensors`;
    facts.push(...named, ["Weights", count], ["Stored", storageOf(contents.tensors)]);
  }
  return facts;
}

function configFacts(all: Record<string, unknown>): [string, string][] {
  const { source_language: from, target_language: to, language, name, architecture, ...config } = all;
  const facts: [string, string][] = [];
  if (name !== undefined) facts.push(["Name", String(name)]);
  if (from !== undefined) facts.push(["Languages", `${languageName(String(from))} to ${languageName(String(to))}`]);
  if (language !== undefined) facts.push(["Language", languageName(String(language))]);
  if (architecture !== undefined) facts.push(["Architecture", String(architecture)]);
  for (const [key, value] of Object.entries(config)) {
    const text = key === "vocabulary" ? `${grouped(Number(value))} pieces` : Array.isArray(value) ? value.join(", ") : String(value);
    facts.push([titled(key), text]);
  }
  return facts;
}

export const contentsTitle = (names: readonly string[]) => `What is in ${names.join(", ")}`;
export const useTitle = (name: string) => `Translate with ${name}`;
export const tensorsSummary = (count: number) => `All ${grouped(count)} tensors`;
export const shapeOf = ({ shape }: TensorInfo) => (shape.length === 0 ? "1 number" : shape.map(grouped).join(" × "));
export const lookingText = (names: readonly string[]) => `Looking into ${names.join(", ")}`;
export const openingText = (name: string) => `Opening ${name}`;
export const openedText = (name: string, from: string, to: string) =>
  `${name} is in use: it translates ${languageName(from)} to ${languageName(to)}.`;
export const askForLanguages = "One thing is left: which languages does it translate? Please set them above.";
export const onlyShownText = (name: string) => `What is in ${name} stands below.`;
export const stillInUse = (name: string) => `${name} stays in use.`;
export const noAttention = "This model has no attention: it keeps the whole sentence as one list of numbers, so there is no picture to draw.";
export const tooLong = (length: number, most: number) => `This text has ${grouped(length)} characters; this page translates up to ${grouped(most)}.`;
