import { SoftalignError } from "./errors.js";
import { baseAddress } from "./runtime.js";

interface ShippedModel {
  id: string;
  url: URL;
}

/** A translation model of the package. */
export interface KnownModel extends ShippedModel {
  sourceLanguage: string;
  targetLanguage: string;
}

/**
 * The first model of a language pair is its default. The addresses are written out because that is
 * how bundlers find the files.
 */
export const knownModels: readonly KnownModel[] = [
  {
    id: "en-fr-transformer",
    sourceLanguage: "en",
    targetLanguage: "fr",
    url: new URL("./models/en-fr-transformer.safetensors", import.meta.url),
  },
  {
    id: "en-fr-additive",
    sourceLanguage: "en",
    targetLanguage: "fr",
    url: new URL("./models/en-fr-additive.safetensors", import.meta.url),
  },
  {
    id: "en-fr-dot",
    sourceLanguage: "en",
    targetLanguage: "fr",
    url: new URL("./models/en-fr-dot.safetensors", import.meta.url),
  },
  {
    id: "en-fr-plain",
    sourceLanguage: "en",
    targetLanguage: "fr",
    url: new URL("./models/en-fr-plain.safetensors", import.meta.url),
  },
];

/** The package's models that read one language, by what they say about a text. The first of each is its default. */
export const knownTextModels = {
  languageModel: [{ id: "en-lstmn", url: new URL("./models/en-lstmn.safetensors", import.meta.url) }],
  tagger: [{ id: "en-tagger", url: new URL("./models/en-tagger.safetensors", import.meta.url) }],
  classifier: [{ id: "en-sentiment", url: new URL("./models/en-sentiment.safetensors", import.meta.url) }],
  maskedLanguageModel: [{ id: "en-masked", url: new URL("./models/en-masked.safetensors", import.meta.url) }],
} as const satisfies Record<string, readonly ShippedModel[]>;

/**
 * A BCP 47 tag in its canonical form: "en-GB" for "EN-gb".
 * @throws {TypeError} for none. @throws {RangeError} for what is no such tag.
 */
export function canonicalTag(tag: unknown, argument: string): string {
  if (tag === undefined) throw new TypeError(`${argument} is missing, expected a language tag like "en"`);
  try {
    return new Intl.Locale(String(tag)).toString();
  } catch (cause) {
    throw new RangeError(`${argument} is ${JSON.stringify(tag)}, expected a language tag like "en"`, { cause });
  }
}

/** The language of a tag: "en" for "en-GB". */
export function languageOf(tag: string): string {
  return new Intl.Locale(tag).language;
}

export function modelFor(sourceLanguage: string, targetLanguage: string): KnownModel | undefined {
  return knownModels.find((m) => m.sourceLanguage === sourceLanguage && m.targetLanguage === targetLanguage);
}

/** A model as callers name it: the id of one of the package's, the address of a model file, its bytes, or the file itself. */
export type ModelReference = string | URL | ArrayBuffer | ArrayBufferView | Blob;

/** The same made definite. */
export type ModelSource = { name: string } & ({ url: URL } | { bytes: Uint8Array } | { blob: Blob });

/** @throws {SoftalignError} `argument` for what is neither an id of a `known` model nor an address nor bytes. */
export function locateModel(model: ModelReference, known: readonly ShippedModel[]): ModelSource {
  if (model instanceof ArrayBuffer) return { name: "bytes", bytes: new Uint8Array(model) };
  if (ArrayBuffer.isView(model)) {
    return { name: "bytes", bytes: new Uint8Array(model.buffer, model.byteOffset, model.byteLength) };
  }
  if (model instanceof Blob) return { name: "name" in model ? String(model.name) : "blob", blob: model };
  if (model instanceof URL) return { name: model.href, url: model };
  if (typeof model !== "string") {
    throw new SoftalignError("argument", `model is a ${typeof model}, expected an id, a URL, bytes or a File`);
  }
  const shipped = known.find(({ id }) => id === model);
  if (shipped) return { name: shipped.id, url: shipped.url };
  // A bare word is a misspelt id rather than an address relative to this page.
  const url = /^[\w-]*$/.test(model) ? undefined : parseUrl(model);
  if (!url) {
    const ids = known.map(({ id }) => id).join(", ");
    throw new SoftalignError("argument", `model is ${JSON.stringify(model)}, which is neither an id (${ids}) nor a URL`);
  }
  return { name: url.href, url };
}

/** What `Translator.create` was given: `locateModel`, with the default of the language pair. */
export function resolveModel(model: ModelReference | undefined, sourceLanguage: string, targetLanguage: string): ModelSource {
  const pair = `${sourceLanguage} to ${targetLanguage}`;
  const known = model === undefined ? modelFor(sourceLanguage, targetLanguage) : knownModels.find(({ id }) => id === model);
  if (known && (known.sourceLanguage !== sourceLanguage || known.targetLanguage !== targetLanguage)) {
    throw new SoftalignError("unavailable", `model ${known.id} does not translate ${pair}`);
  }
  if (known) return { name: known.id, url: known.url };
  if (model !== undefined) return locateModel(model, knownModels);
  const pairs = new Set(knownModels.map((m) => `${m.sourceLanguage} to ${m.targetLanguage}`));
  throw new SoftalignError(
    "unavailable",
    `no model translates ${pair} (there is ${[...pairs].join(", ")}); give your own as \`model\``,
  );
}

function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address, baseAddress());
  } catch {
    return undefined;
  }
}
