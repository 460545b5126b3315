// Files that come in any order, of which a model is to be made. Pure.

import type { Contents } from "./contents.ts";

type Kind = Contents["kind"];
export type Of<K extends Kind> = Extract<Contents, { kind: K }>;

/** A file, and what it holds. */
export interface FoundFile {
  file: File;
  contents: Contents;
}

export type ModelFile<K extends Kind> = FoundFile & { contents: Of<K> };

/** Either a model, or what there is of the files of one of Marian's. */
export interface ModelSet {
  model?: ModelFile<"model">;
  weights?: ModelFile<"weights">;
  /** At most two, the later one last. */
  vocabularies: ModelFile<"vocabulary">[];
  shortlist?: ModelFile<"shortlist">;
}

export const kNoFiles: ModelSet = { vocabularies: [] };

const is = <K extends Kind>(file: FoundFile, kind: K): file is ModelFile<K> => file.contents.kind === kind;

/** What is of the same kind is replaced, a vocabulary by the one after the next. A whole model and parts exclude each other. */
export function withFile({ model: _, ...parts }: ModelSet, file: FoundFile): ModelSet {
  if (is(file, "model")) return { ...kNoFiles, model: file };
  if (is(file, "weights")) return { ...parts, weights: file };
  if (is(file, "shortlist")) return { ...parts, shortlist: file };
  const others = parts.vocabularies.filter((each) => each.file.name !== file.file.name);
  return { ...parts, vocabularies: [...others, file as ModelFile<"vocabulary">].slice(-2) };
}

export function withoutFile(set: ModelSet, name: string): ModelSet {
  return filesOf(set).filter(({ file }) => file.name !== name).reduce(withFile, kNoFiles);
}

export function filesOf({ model, weights, vocabularies, shortlist }: ModelSet): FoundFile[] {
  return [model, weights, ...vocabularies, shortlist].filter((each) => each !== undefined);
}

const rowsOf = ({ contents }: ModelFile<"weights">, name: string) => contents.tensors.find((tensor) => tensor.name === name)?.shape[0];

/** How many words both sides know. With one embedding they have one vocabulary. */
export function vocabularySizes(weights: ModelFile<"weights">): { source: number | undefined; target: number | undefined; shared: boolean } {
  const shared = rowsOf(weights, "Wemb");
  return {
    source: shared ?? rowsOf(weights, "encoder_Wemb"), target: shared ?? rowsOf(weights, "decoder_Wemb"), shared: shared !== undefined,
  };
}

/** Which vocabulary is whose: by the names that they usually have, or by their sizes, or in order. */
function pairOf([a, b]: ModelFile<"vocabulary">[], sizes: { source: number | undefined; target: number | undefined }) {
  const isSource = ({ file }: FoundFile) => /src|source/i.test(file.name);
  const isTarget = ({ file }: FoundFile) => /trg|tgt|target/i.test(file.name);
  const swapped = isSource(b!) || isTarget(a!) ||
    (!isSource(a!) && !isTarget(b!) && sizes.source !== sizes.target && b!.contents.pieces === sizes.source && a!.contents.pieces === sizes.target);
  return swapped ? { source: b!, target: a! } : { source: a!, target: b! };
}

export type Verdict =
  | { kind: "model"; model: ModelFile<"model"> }
  | { kind: "marian"; weights: ModelFile<"weights">; source: ModelFile<"vocabulary">; target?: ModelFile<"vocabulary">; shortlist?: ModelFile<"shortlist"> }
  | { kind: "missing"; what: "nothing" | "weights" | "vocabulary" | "second vocabulary" }
  /** A file that does not fit: it has `has` words, `expected` others. */
  | { kind: "misfit"; culprit: FoundFile; has: number; expected: number };

/** Whether the files are a model, and if not, why. */
export function judge({ model, weights, vocabularies, shortlist }: ModelSet): Verdict {
  if (model) return { kind: "model", model };
  if (!weights) return { kind: "missing", what: vocabularies.length > 0 || shortlist ? "weights" : "nothing" };
  if (vocabularies.length === 0) return { kind: "missing", what: "vocabulary" };
  const sizes = vocabularySizes(weights);
  if (!sizes.shared && vocabularies.length < 2) return { kind: "missing", what: "second vocabulary" };
  const { source, target } = sizes.shared ? { source: vocabularies.at(-1)!, target: undefined } : pairOf(vocabularies, sizes);
  const misfit = (culprit: FoundFile, has: number, expected: number | undefined): Verdict | undefined =>
    expected !== undefined && has !== expected ? { kind: "misfit", culprit, has, expected } : undefined;
  return misfit(source, source.contents.pieces, sizes.source) ??
    (target && misfit(target, target.contents.pieces, sizes.target)) ??
    (shortlist && misfit(shortlist, shortlist.contents.words, sizes.source)) ??
    { kind: "marian", weights, source, ...(target && { target }), ...(shortlist && { shortlist }) };
}

/** The languages that Firefox's file names have: "model.esen.intgemm.alphas.bin". */
export function languagesIn(name: string): { source: string; target: string } | undefined {
  const [, source, target] = /\.([a-z]{2})([a-z]{2})\./.exec(name) ?? [];
  return source && target ? { source, target } : undefined;
}
