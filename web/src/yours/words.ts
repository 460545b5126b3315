// What the page of one's own models says of files and models.

import { type Contents, elementsOf, type Fault, type TensorInfo } from "../engine/model-files/contents.ts";
import type { FoundFile, Verdict } from "../engine/model-files/model-set.ts";
import type { Failure } from "../engine/protocol.ts";
import { decimal, grouped, languageName } from "../words/language.ts";
import { words } from "../words/words.ts";

export interface Trouble {
  title: string;
  text: string;
  /** For those who want to know. */
  details?: string;
}

/** A word for a key, if there is one. */
const named = (names: Record<string, string>, key: string) => (Object.hasOwn(names, key) ? names[key] : undefined);

export function sizeOf(bytes: number): string {
  return bytes < 1e6 ? words.yours.kilobytes(grouped(Math.max(1, Math.round(bytes / 1e3)))) : words.yours.megabytes(decimal(bytes / 1e6, 1));
}

/** The canonical form of a language tag; undefined for what is none, and for a language that nobody knows. */
export function languageTag(text: string): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales(text.trim());
    return tag && new Intl.DisplayNames("en", { type: "language", fallback: "none" }).of(tag) && tag;
  } catch {
    return undefined;
  }
}

export const noTag = (text: string): Trouble => words.yours.noTag(text.trim());

export const kindOf = ({ contents }: FoundFile) => words.yours.kinds[contents.kind];

export function faultOf(name: string, fault: Fault, details: string): Trouble {
  return { ...words.yours.faults[fault](name), details };
}

export const missingText = (what: Extract<Verdict, { kind: "missing" }>["what"]) => words.yours.missing[what];

export function misfitOf({ culprit, has, expected }: Extract<Verdict, { kind: "misfit" }>): Trouble {
  return words.yours.misfit(culprit.file.name, culprit.contents.kind === "shortlist" ? "shortlist" : "vocabulary", has, expected);
}

/** What went wrong with a model that looked well; `name` is the file that it lies in, as far as one can tell. */
export function failureOf(name: string, { code, message }: Failure): Trouble {
  const failures: Record<string, (name: string) => Trouble> = words.yours.failures;
  const said = Object.hasOwn(failures, code) ? failures[code]! : words.yours.failures.other;
  return { ...said(name), details: `${message} (${code})` };
}

/** Why a model is only shown, not used; undefined for a translator. */
export function whyOnlyShown(
  { config }: Extract<Contents, { kind: "model" }>,
): { text: string; page?: { href: string; name: string } } | undefined {
  const { does, notOurs, elsewhere, pages } = words.yours;
  if (!config) return { text: notOurs };
  const architecture = String(config.architecture);
  const task = named(does, architecture);
  if (!task) return undefined;
  const page = architecture === "language-model" ? { href: "./#reader-title", name: pages.translate } : { href: "./uses.html", name: pages.uses };
  return { text: elsewhere(task), page };
}

/** How many numbers are stored in which way, most first. */
function storageOf(tensors: readonly TensorInfo[]): string {
  const counts = new Map<string, number>();
  for (const tensor of tensors.filter((each) => !/\.scale$/.test(each.name))) counts.set(tensor.type, (counts.get(tensor.type) ?? 0) + elementsOf(tensor));
  return [...counts].sort(([, a], [, b]) => b - a)
    .map(([type, count]) => words.yours.storedAs(count, named(words.yours.storage, type) ?? type)).join(", ");
}

/** What is stored besides weights: the vocabulary, and one scale a row or number. */
const isWeight = ({ name, type }: TensorInfo) => type !== "U8" && !/\.scale$|_QuantMultA$/.test(name);

/** "feed_forward" as "Feed forward". */
const titled = (name: string) => name[0]!.toUpperCase() + name.slice(1).replaceAll("_", " ");

/** What there is to tell of a file, as pairs of a term and what it is. */
export function factsOf({ file, contents }: FoundFile): [string, string][] {
  const { terms, marian, piecesBy, likely, weightsIn } = words.yours;
  const facts: [string, string][] = [[terms.file, `${file.name}, ${sizeOf(file.size)}`]];
  if (contents.kind === "vocabulary") facts.push([terms.vocabulary, piecesBy(contents.pieces, contents.method)]);
  if (contents.kind === "shortlist") facts.push([terms.shortlist, likely(contents.words, contents.entries)]);
  if (contents.kind === "model" || contents.kind === "weights") {
    const weights = contents.tensors.filter(isWeight).reduce((sum, tensor) => sum + elementsOf(tensor), 0);
    const told = contents.kind === "weights"
      ? Object.entries(marian).flatMap(([option, term]): [string, string][] => (contents.options[option] ? [[term, contents.options[option]]] : []))
      : configFacts(contents.config ?? {});
    facts.push(...told, [terms.weights, weightsIn(weights, contents.tensors.length)], [terms.stored, storageOf(contents.tensors)]);
  }
  return facts;
}

function configFacts(all: Record<string, unknown>): [string, string][] {
  const { terms, fromTo, pieces } = words.yours;
  const { source_language: from, target_language: to, language, name, architecture, ...config } = all;
  const facts: [string, string][] = [];
  if (name !== undefined) facts.push([terms.name, String(name)]);
  if (from !== undefined) facts.push([terms.languages, fromTo(languageName(String(from)), languageName(String(to)))]);
  if (language !== undefined) facts.push([terms.language, languageName(String(language))]);
  if (architecture !== undefined) facts.push([terms.architecture, String(architecture)]);
  for (const [key, value] of Object.entries(config)) {
    const text = key === "vocabulary" ? pieces(Number(value)) : Array.isArray(value) ? value.join(", ") : String(value);
    facts.push([named(words.yours.config, key) ?? titled(key), text]);
  }
  return facts;
}

export const shapeOf = ({ shape }: TensorInfo) => (shape.length === 0 ? words.yours.oneNumber : shape.map(grouped).join(" × "));
