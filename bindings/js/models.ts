import { SoftalignError } from "./errors.js";
import manifest from "./manifest.js";
import { baseAddress, isLocalFile } from "./runtime.js";

/** What a model does. */
export type ModelKind = "translation" | "language-model" | "tagger" | "classifier" | "masked-language-model";

/** A model as a manifest lists it: what is needed to choose, fetch and check it. */
export interface ModelEntry {
  /** What programs ask for: `Translator.create({ model: id })`. */
  id: string;
  kind: ModelKind;
  /** The language that it reads, without region or script: "en". */
  sourceLanguage: string;
  /** The language that it writes: of translation models only. */
  targetLanguage?: string;
  /** Whether it is what is taken where its languages are named and no model is. */
  default?: boolean;
  /** The kind of network, as its file names it. */
  architecture?: string;
  /** How a recurrent decoder scores the source: "additive", "dot" or "none". */
  attention?: string;
  /** Measured on the data that the model's card names: `bleu`, `chrf2` and `accuracy` out of 100, `perplexity` by piece. */
  scores?: Record<string, number>;
  /** Of the weights, as SPDX writes it. */
  licence?: string;
  /** The address of the model file, relative to the manifest's own. */
  file: string;
  /** Of the file, in bytes. */
  size: number;
  /** Of the file, in lower-case hexadecimal digits. */
  sha256: string;
}

/** A list of models. Its schema is the package's `models/manifest.schema.json`. */
export interface ModelManifest {
  version: 1;
  models: readonly ModelEntry[];
}

/** Whether something can be used: at once, after a download, or not at all. */
export type Availability = "available" | "downloadable" | "unavailable";

/** A model of which it is known where its file is. */
export interface KnownModel extends ModelEntry {
  url: URL;
  /** Whether that is a guess: the package does not carry the model, and nobody said where it is. */
  guessed: boolean;
}

/** The models that the package carries. Their addresses are written out because that is how bundlers find the files. */
export const carried: Readonly<Record<string, URL>> = {
  "en-fr-transformer": new URL("./models/en-fr-transformer.safetensors", import.meta.url),
  "en-lstmn": new URL("./models/en-lstmn.safetensors", import.meta.url),
  "en-tagger": new URL("./models/en-tagger.safetensors", import.meta.url),
  "en-sentiment": new URL("./models/en-sentiment.safetensors", import.meta.url),
  "en-masked": new URL("./models/en-masked.safetensors", import.meta.url),
};

/** Where the others may be: beside the default. If a bundler put that into the script itself, beside it is nowhere. */
const beside = Object.values(carried).map((url) => (url.protocol === "data:" ? "https://softalign.invalid/" : url))[0]!;

/** Manifests that were added, the newest first, and what their files are relative to. */
const added: { models: readonly ModelEntry[]; base: URL }[] = [];
let modelBase: URL | undefined;

/** What `softalign/models` does for its callers. */
export const registry = {
  setBase(base: URL | undefined): void {
    modelBase = base;
  },
  add(models: readonly ModelEntry[], base: URL): void {
    added.unshift({ models, base });
  },
};

/** Where a model of the package's own manifest is. */
function locate(entry: ModelEntry): KnownModel {
  const url = carried[entry.id];
  // A base is for what has to be downloaded.
  if (url && (!modelBase || isLocalFile(url))) return { ...entry, url, guessed: false };
  return { ...entry, url: new URL(entry.file, modelBase ?? beside), guessed: !modelBase };
}

/** The models there are, of one kind or all; of several with the same id the newest. */
export function knownModels(kind?: ModelKind): KnownModel[] {
  const models = [
    ...added.flatMap(({ models, base }) => models.map((entry) => ({ ...entry, url: new URL(entry.file, base), guessed: false }))),
    ...manifest.models.map(locate),
  ];
  return models.filter((model, i) => models.findIndex(({ id }) => id === model.id) === i && (kind === undefined || model.kind === kind));
}

/** The default of a language pair. */
export function modelFor(sourceLanguage: string, targetLanguage: string): KnownModel | undefined {
  const models = knownModels("translation").filter((m) => m.sourceLanguage === sourceLanguage && m.targetLanguage === targetLanguage);
  return models.find((model) => model.default) ?? models[0];
}

/** A file as callers name it: its address, its bytes, or the file itself. */
export type FileReference = string | URL | ArrayBuffer | ArrayBufferView | Blob;

/** A model as callers name it: the id of one of the package's, or its file. */
export type ModelReference = FileReference;

/**
 * A model in the files of the Marian toolkit, as Firefox's translation models are: students with a transformer's encoder and
 * an SSRU decoder. Each file may be compressed with gzip, as they are published.
 */
export interface MarianFiles {
  /** `model.*.bin` (float32 or intgemm8), or `.npz` with float32. */
  weights: FileReference;
  /** `vocab.*.spm`, a SentencePiece model; one for each language if the model has two. */
  vocabulary: FileReference | { source: FileReference; target: FileReference };
  /** `lex.*.bin`: which words translations may have. Without it all are considered, which takes longer. */
  shortlist?: FileReference | undefined;
}

/** A translation model as callers name it. */
export type TranslatorModelReference = ModelReference | MarianFiles;

/** A file made definite. */
export type FileSource = { name: string } & ({ url: URL; listed?: KnownModel } | { bytes: Uint8Array } | { blob: Blob });

/** A model made definite: one file, or Marian's several, `undefined` for what there is not, and the languages, which those do not say. */
export type ModelSource =
  | FileSource
  | { name: string; files: readonly (FileSource | undefined)[]; languages: readonly [source: string, target: string] };

function locateBytes(file: unknown): FileSource | undefined {
  if (file instanceof ArrayBuffer) return { name: "bytes", bytes: new Uint8Array(file) };
  if (ArrayBuffer.isView(file)) {
    const bytes = new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
    return { name: "bytes", bytes: file.buffer instanceof ArrayBuffer ? bytes : new Uint8Array(bytes) }; // of shared memory there is no hash
  }
  return file instanceof Blob ? { name: "name" in file ? String(file.name) : "blob", blob: file } : undefined;
}

function locateFile(file: unknown, argument: string): FileSource {
  const bytes = locateBytes(file);
  if (bytes) return bytes;
  const url = typeof file === "string" || file instanceof URL ? parseUrl(file, baseAddress()) : undefined;
  if (url) return { name: url.href, url };
  throw new SoftalignError("argument", `${argument} is ${typeof file === "string" || !file ? JSON.stringify(file) : `a ${typeof file}`}, expected a URL, bytes or a File`);
}

/** @throws {SoftalignError} `argument` naming the file that is none. */
function locateMarian(model: MarianFiles, languages: readonly [string, string]): ModelSource {
  const { weights, vocabulary, shortlist } = model;
  const two = typeof vocabulary === "object" && vocabulary !== null && "source" in vocabulary ? vocabulary : undefined;
  const files = [
    locateFile(weights, "model.weights"),
    locateFile(two ? two.source : vocabulary, two ? "model.vocabulary.source" : "model.vocabulary"),
    two && locateFile(two.target, "model.vocabulary.target"),
    shortlist === undefined ? undefined : locateFile(shortlist, "model.shortlist"),
  ];
  return { name: files[0]!.name, files, languages };
}

/** @throws {SoftalignError} `argument` for what is neither an id of a `known` model nor an address nor bytes. */
export function locateModel(model: ModelReference, known: readonly KnownModel[]): FileSource {
  const bytes = locateBytes(model);
  if (bytes) return bytes;
  if (typeof model !== "string" && !(model instanceof URL)) {
    throw new SoftalignError("argument", `model is ${model === null ? "null" : `a ${typeof model}`}, expected an id, a URL, bytes or a File`);
  }
  const named = known.find(({ id }) => id === model);
  if (named) return sourceOf(named);
  // A bare word is a misspelt id rather than an address relative to this page.
  const url = typeof model === "string" && /^[\w-]*$/.test(model) ? undefined : parseUrl(model, baseAddress());
  if (!url) {
    const ids = known.map(({ id }) => id).join(", ");
    throw new SoftalignError("argument", `model is ${JSON.stringify(model)}, which is neither an id (${ids}) nor a URL${isPath(model) ? "; of a path pathToFileURL of node:url makes one" : ""}`);
  }
  const listed = known.find((each) => each.url.href === url.href);
  return { name: url.href, url, ...(listed && { listed }) };
}

const isPath = (model: string | URL) => /[/.]/.test(String(model));

const sourceOf = (model: KnownModel): FileSource => ({ name: model.id, url: model.url, listed: model });

/** The language between two models where no single one translates a pair: it has models from and to most others. */
export const pivotLanguage = "en";

/** The defaults of a language pair: one model, or two by way of English. */
export function modelsFor(sourceLanguage: string, targetLanguage: string): readonly KnownModel[] {
  const direct = modelFor(sourceLanguage, targetLanguage);
  if (direct) return [direct];
  const first = modelFor(sourceLanguage, pivotLanguage);
  const second = modelFor(pivotLanguage, targetLanguage);
  return first && second && sourceLanguage !== targetLanguage ? [first, second] : [];
}

/** What `Translator.create` was given, as one model or two in a row. */
export function resolveModels(
  model: TranslatorModelReference | readonly TranslatorModelReference[] | undefined,
  sourceLanguage: string,
  targetLanguage: string,
): readonly ModelSource[] {
  if (Array.isArray(model)) {
    const two = model as readonly TranslatorModelReference[];
    if (two.length !== 2) throw new SoftalignError("argument", `model is a list of ${two.length}, expected one model, or two by way of English`);
    return [resolveModel(two[0], sourceLanguage, pivotLanguage), resolveModel(two[1], pivotLanguage, targetLanguage)];
  }
  const known = model === undefined ? modelsFor(sourceLanguage, targetLanguage) : [];
  if (known.length > 0) return known.map(sourceOf);
  return [resolveModel(model as TranslatorModelReference | undefined, sourceLanguage, targetLanguage)];
}

/** `locateModel`, and its languages. */
function resolveModel(
  model: TranslatorModelReference | undefined,
  sourceLanguage: string,
  targetLanguage: string,
): ModelSource {
  if (typeof model === "object" && model !== null && "weights" in model) return locateMarian(model, [sourceLanguage, targetLanguage]);
  const pair = `${sourceLanguage} to ${targetLanguage}`;
  const models = knownModels("translation");
  const known = models.find(({ id }) => id === model);
  if (known && (known.sourceLanguage !== sourceLanguage || known.targetLanguage !== targetLanguage)) {
    throw new SoftalignError("unavailable", `model ${known.id} does not translate ${pair}`);
  }
  if (known) return sourceOf(known);
  if (model !== undefined) return locateModel(model, models);
  const pairs = new Set(models.map((m) => `${m.sourceLanguage} to ${m.targetLanguage}`));
  throw new SoftalignError(
    "unavailable",
    `no model translates ${pair} (there is ${[...pairs].join(", ")}); give your own as \`model\``,
  );
}

/** An address, absolute or relative to `base`, or undefined for what is none. */
export function parseUrl(address: string | URL, base: string | URL | undefined): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}
