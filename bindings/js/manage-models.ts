import { checkFunction, checkOptions } from "./arguments.js";
import { download } from "./download.js";
import { SoftalignError } from "./errors.js";
import { availabilityOf, fetchModel, isKept } from "./fetch-model.js";
import { canonicalTag, languageOf } from "./language-tags.js";
import { openModelStore } from "./model-store.js";
import {
  type Availability,
  type KnownModel,
  knownModels,
  type ModelEntry,
  type ModelKind,
  type ModelManifest,
  parseUrl,
  registry,
} from "./models.js";
import { baseAddress } from "./runtime.js";

// What `softalign/models` exports: which models there are, where they come from, and which are kept on this machine.

export { SoftalignError } from "./errors.js";
export type { Availability, ModelEntry, ModelKind, ModelManifest };

/** A model that can be named in `create` and `load`. */
export interface ModelInfo extends Omit<ModelEntry, "file"> {
  /** The address of its file. */
  url: string;
  /** `available` on this machine's disk or kept from an earlier download. */
  availability: Availability;
  /** Whether it is kept from an earlier download: what {@link deleteModel} deletes. */
  cached: boolean;
}

/** Which models {@link listModels} lists: those that fit all that is given. */
export interface ModelFilter {
  kind?: ModelKind | undefined;
  /** A BCP 47 tag: "en-GB" finds models for "en". */
  sourceLanguage?: string | undefined;
  targetLanguage?: string | undefined;
}

export interface PrefetchOptions {
  /** Aborts the download: `prefetchModel` rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Told the part that has arrived, 0..1, and 1 when it is checked and kept. */
  onProgress?: ((fraction: number) => void) | undefined;
}

/**
 * The models there are: those of the package and of manifests that were added.
 *
 * ```js
 * for (const { id, scores, size, availability } of await listModels({ sourceLanguage: "en", targetLanguage: "fr" })) {
 *   console.log(id, scores?.bleu, size, availability);
 * }
 * ```
 *
 * @throws {RangeError} for what is no language tag.
 */
export async function listModels(filter: ModelFilter = {}): Promise<ModelInfo[]> {
  checkOptions(filter as object);
  const language = (name: "sourceLanguage" | "targetLanguage") =>
    filter[name] === undefined ? undefined : languageOf(canonicalTag(filter[name], name));
  const source = language("sourceLanguage");
  const target = language("targetLanguage");
  const wanted = knownModels(filter.kind).filter(
    (model) => (source ?? model.sourceLanguage) === model.sourceLanguage && (target ?? model.targetLanguage) === model.targetLanguage,
  );
  return Promise.all(
    wanted.map(async (model) => {
      const { file, guessed, url, ...entry } = model;
      return { ...entry, url: url.href, availability: await availabilityOf(model), cached: await isKept(model) };
    }),
  );
}

/**
 * Sees to it that a model is on this machine, so that it loads at once and offline later: downloads, checks and keeps it,
 * unless it is there already.
 * @throws {SoftalignError} `argument` for an unknown id; `network`; `format` for a file that is not the one listed;
 *   `unavailable` for a model that is nowhere, or where nothing can be kept (a page without HTTPS, a full disk).
 */
export async function prefetchModel(id: string, options: PrefetchOptions = {}): Promise<void> {
  checkPrefetch(options);
  const model = modelOf(id);
  await fetchModel(model, options);
  if ((await availabilityOf(model)) !== "available") {
    throw new SoftalignError("unavailable", `model ${id} was downloaded, but this browser or run-time cannot keep it`);
  }
  options.onProgress?.(1);
}

/**
 * The file of a model, for those who look at its weights themselves (`readSafetensors`): what is kept, or downloaded, checked and
 * kept. It is the same as `create` and `load` read and may be shared with them, so copy it before you change it.
 * @throws {SoftalignError} `argument` for an unknown id; `network`; `format` for a file that is not the one listed; `unavailable` for
 *   a model that is nowhere.
 */
export async function modelBytes(id: string, options: PrefetchOptions = {}): Promise<Uint8Array> {
  checkPrefetch(options);
  const bytes = await fetchModel(modelOf(id), options);
  options.onProgress?.(1);
  return bytes;
}

/**
 * Deletes what is kept of a model. Translators that use it work on; what the package carries stays.
 * @returns whether something was deleted.
 * @throws {SoftalignError} `argument` for an unknown id.
 */
export async function deleteModel(id: string): Promise<boolean> {
  const { sha256 } = modelOf(id);
  return (await (await openModelStore())?.delete(sha256)) ?? false;
}

/** Deletes everything that is kept, also models and versions of models that no manifest lists any more. */
export async function deleteAllModels(): Promise<void> {
  await (await openModelStore())?.clear();
}

/**
 * Says where the package's models are that have to be downloaded: a folder on your host with the files that the manifest
 * (`softalign/models/manifest.json`) names. It holds for everything this page, worker or process loads from then on.
 * Left out, they are looked for beside the model that the package carries.
 *
 * ```js
 * setModelBase("https://example.org/models/");
 * ```
 *
 * @param base an address, on a page also one relative to it.
 * @throws {SoftalignError} `argument` for what is no address.
 */
export function setModelBase(base: string | URL | undefined): void {
  const url = base === undefined ? undefined : addressOf(base, "base");
  if (url && !url.pathname.endsWith("/")) url.pathname += "/";
  registry.setBase(url);
}

/**
 * Adds models of your own, by a manifest: its address, or the {@link ModelManifest} itself and the address that its files are
 * relative to, which needs no network. Of models with the same id, or two defaults of a pair, the one added last counts.
 * @throws {SoftalignError} `network`; `format` for what is no manifest, saying where; `argument`.
 */
export function addManifest(manifest: string | URL): Promise<void>;
export function addManifest(manifest: object, address: string | URL): Promise<void>;
export async function addManifest(manifest: string | URL | object, address?: string | URL): Promise<void> {
  if (typeof manifest !== "object" && typeof manifest !== "string") {
    throw new SoftalignError("argument", `manifest is ${String(manifest)}, expected an address or a manifest`);
  }
  if (typeof manifest !== "string" && !(manifest instanceof URL)) {
    const base = addressOf(address, "address");
    registry.add(checked(manifest, "manifest", base), base);
    return;
  }
  const url = addressOf(manifest, "manifest");
  const text = new TextDecoder().decode(await download(url));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SoftalignError("format", `${url.href} is not JSON: ${(cause as Error).message}`, { cause });
  }
  registry.add(checked(value, url.href, url), url);
}

function checkPrefetch(options: PrefetchOptions): void {
  checkFunction(checkOptions(options).onProgress, "onProgress");
  options.signal?.throwIfAborted();
}

function modelOf(id: string): KnownModel {
  const models = knownModels();
  const model = models.find((each) => each.id === id);
  if (model) return model;
  const ids = models.map((each) => each.id).join(", ");
  throw new SoftalignError("argument", `id is ${JSON.stringify(id)}, expected one of ${ids}`);
}

function addressOf(given: string | URL | undefined, argument: string): URL {
  const url = given === undefined ? undefined : parseUrl(given, baseAddress());
  if (url) return url;
  throw new SoftalignError("argument", `${argument} is ${JSON.stringify(given)}, expected an address`);
}

const kinds: Record<ModelKind, true> = {
  translation: true,
  "language-model": true,
  tagger: true,
  classifier: true,
  "masked-language-model": true,
};
const matches = (pattern: RegExp) => (value: unknown) => typeof value === "string" && pattern.test(value);
const optional = (check: (value: unknown) => boolean) => (value: unknown) => value === undefined || check(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const isScores = (value: unknown) => isObject(value) && Object.values(value).every((score) => typeof score === "number");

/** What models/manifest.schema.json says of each field of an entry, and how to say it. */
const fields: [field: keyof ModelEntry, check: (value: unknown) => boolean, expected: string][] = [
  ["id", matches(/^[\w-]+$/), "letters, digits, - and _"],
  ["kind", (value) => typeof value === "string" && Object.hasOwn(kinds, value), `one of ${Object.keys(kinds).join(", ")}`],
  ["sourceLanguage", matches(/^[a-z]{2,3}$/), 'a language like "en"'],
  ["targetLanguage", optional(matches(/^[a-z]{2,3}$/)), 'a language like "fr"'],
  ["default", optional((value) => typeof value === "boolean"), "true or false"],
  ["architecture", optional(matches(/^/)), "a string"],
  ["attention", optional(matches(/^/)), "a string"],
  ["scores", optional(isScores), "an object of numbers"],
  ["licence", optional(matches(/^/)), "a string"],
  ["file", matches(/./s), "an address"],
  ["size", (value) => Number.isInteger(value) && (value as number) > 0, "a number of bytes"],
  ["sha256", matches(/^[0-9a-f]{64}$/), "64 hexadecimal digits in lower case"],
];

/** @throws {SoftalignError} `format`, naming the place. */
function checked(manifest: unknown, name: string, base: URL): readonly ModelEntry[] {
  const require = (fits: boolean, place: string, value: unknown, expected: string) => {
    if (!fits) throw new SoftalignError("format", `${name}${place} is ${JSON.stringify(value)}, expected ${expected}`);
  };
  require(isObject(manifest), "", manifest, "an object");
  const { version, models } = manifest as { version: unknown; models: unknown };
  require(version === 1, ", version", version, "1");
  require(Array.isArray(models), ", models", models, "a list");
  for (const [i, model] of (models as unknown[]).entries()) {
    const place = `, models[${i}]`;
    require(isObject(model), place, model, "an object");
    const entry = model as Partial<ModelEntry>;
    for (const [field, check, expected] of fields) require(check(entry[field]), `${place}.${field}`, entry[field], expected);
    const { kind, targetLanguage, file } = entry;
    const expected = kind === "translation" ? 'a language like "fr"' : `none for a ${kind}`;
    require((kind === "translation") === (targetLanguage !== undefined), `${place}.targetLanguage`, targetLanguage, expected);
    require(parseUrl(file!, base) !== undefined, `${place}.file`, file, "an address");
  }
  return models as readonly ModelEntry[];
}
