import { SoftalignError } from "./errors.js";
import { baseAddress } from "./runtime.js";

/** A model of the package. */
export interface KnownModel {
  id: string;
  sourceLanguage: string;
  targetLanguage: string;
  url: URL;
}

/**
 * The first model of a language pair is its default. The addresses are written out because that is
 * how bundlers find the files.
 */
export const knownModels: readonly KnownModel[] = [
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

/** The language of a BCP 47 tag: "en" for "en-GB". */
export function languageOf(tag: unknown, argument: string): string {
  try {
    return new Intl.Locale(tag as string).language;
  } catch (cause) {
    throw new SoftalignError("argument", `${argument} is ${JSON.stringify(tag)}, expected a language tag like "en"`, { cause });
  }
}

export function modelFor(sourceLanguage: string, targetLanguage: string): KnownModel | undefined {
  return knownModels.find((m) => m.sourceLanguage === sourceLanguage && m.targetLanguage === targetLanguage);
}

/** What `create({ model })` was given, made definite. */
export type ModelSource = { name: string; url: URL } | { name: string; bytes: Uint8Array };

export function resolveModel(
  model: string | URL | ArrayBuffer | ArrayBufferView | undefined,
  sourceLanguage: string,
  targetLanguage: string,
): ModelSource {
  if (model instanceof ArrayBuffer) return { name: "bytes", bytes: new Uint8Array(model) };
  if (ArrayBuffer.isView(model)) {
    return { name: "bytes", bytes: new Uint8Array(model.buffer, model.byteOffset, model.byteLength) };
  }
  if (model instanceof URL) return { name: model.href, url: model };
  if (model !== undefined && typeof model !== "string") {
    throw new SoftalignError("argument", `model is a ${typeof model}, expected an id, a URL or bytes`);
  }
  const pair = `${sourceLanguage} to ${targetLanguage}`;
  const known = model === undefined ? modelFor(sourceLanguage, targetLanguage) : knownModels.find(({ id }) => id === model);
  if (known) {
    if (known.sourceLanguage !== sourceLanguage || known.targetLanguage !== targetLanguage) {
      throw new SoftalignError("unavailable", `model ${known.id} does not translate ${pair}`);
    }
    return { name: known.id, url: known.url };
  }
  if (model === undefined) {
    const pairs = new Set(knownModels.map((m) => `${m.sourceLanguage} to ${m.targetLanguage}`));
    throw new SoftalignError(
      "unavailable",
      `no model translates ${pair} (there is ${[...pairs].join(", ")}); give your own as \`model\``,
    );
  }
  // A bare word is a misspelt id rather than an address relative to this page.
  const url = /^[\w-]*$/.test(model) ? undefined : parseUrl(model);
  if (!url) {
    const ids = knownModels.map(({ id }) => id).join(", ");
    throw new SoftalignError("argument", `model is ${JSON.stringify(model)}, which is neither an id (${ids}) nor a URL`);
  }
  return { name: url.href, url };
}

function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address, baseAddress());
  } catch {
    return undefined;
  }
}
