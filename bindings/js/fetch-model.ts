import type { OnProgress } from "./create-monitor.js";
import { type DownloadOptions, download, RefusedError, rising } from "./download.js";
import { SoftalignError } from "./errors.js";
import { openModelStore } from "./model-store.js";
import type { Availability, KnownModel } from "./models.js";
import { abortable, isLocalFile, localFileExists, sha256Of } from "./runtime.js";

/** What is being fetched, by hash. Who asks for the same meanwhile waits for the same bytes. */
const underWay = new Map<string, SharedFetch>();

/**
 * The bytes of a model from a manifest: from this machine's disk, the store of models, or the network, then checked and kept.
 * They may be shared, so they must stay as they are.
 * @throws {SoftalignError} `network`; `format` for other bytes than the manifest says; `unavailable` for a model that is
 *   neither in the package nor beside it.
 */
export function fetchModel(model: KnownModel, options: DownloadOptions = {}): Promise<Uint8Array> {
  let shared = underWay.get(model.sha256);
  if (!shared) underWay.set(model.sha256, (shared = new SharedFetch(model)));
  return shared.join(options);
}

/** One fetch for all who want the same model. It goes on until the last of them gives up. */
class SharedFetch {
  readonly #abort = new AbortController();
  readonly #listeners = new Set<OnProgress>();
  readonly #bytes: Promise<Uint8Array>;
  readonly #end: () => void;

  constructor(model: KnownModel) {
    this.#end = () => {
      if (underWay.get(model.sha256) === this) underWay.delete(model.sha256);
    };
    const tellAll: OnProgress = (fraction) => {
      for (const tell of this.#listeners) tell(fraction);
    };
    this.#bytes = obtain(model, this.#abort.signal, rising(tellAll)).finally(this.#end);
  }

  async join({ signal, onProgress }: DownloadOptions): Promise<Uint8Array> {
    // A listener that throws ends its own call only.
    let fail: (error: unknown) => void;
    const failed = new Promise<never>((_, reject) => (fail = reject));
    const tell: OnProgress = (fraction) => {
      try {
        onProgress?.(fraction);
      } catch (error) {
        fail(error);
      }
    };
    this.#listeners.add(tell);
    try {
      return await abortable(Promise.race([this.#bytes, failed]), signal);
    } finally {
      this.#listeners.delete(tell);
      if (this.#listeners.size === 0) {
        this.#end();
        this.#abort.abort();
      }
    }
  }
}

async function obtain(model: KnownModel, signal: AbortSignal, onProgress: OnProgress): Promise<Uint8Array> {
  const { url, sha256, size } = model;
  if (await localFileExists(url)) {
    const bytes = await download(url, { signal });
    const fault = await faultOf(bytes, model);
    if (fault) throw new SoftalignError("format", `${url.href} is not model ${model.id}: ${fault}`);
    return bytes;
  }
  const store = await openModelStore();
  const kept = await store?.get(sha256).catch(() => undefined);
  if (kept && !(await faultOf(kept, model))) return kept;
  if (kept) await store?.delete(sha256).catch(() => {});

  let fault;
  // The second time past the browser's own cache, where an older file of that name may be.
  for (const cache of ["default", "reload"] as const) {
    const bytes = await download(url, { signal, onProgress, size, cache }).catch((error: unknown) => {
      throw model.guessed && error instanceof SoftalignError ? notInPackage(model, error) : error;
    });
    fault = await faultOf(bytes, model);
    if (fault) continue;
    await store?.put(sha256, bytes).catch(() => {}); // without it the model works all the same
    return bytes;
  }
  throw new SoftalignError("format", `${url.href} is not model ${model.id}: ${fault}`);
}

/** What is wrong with a model's bytes. Without `crypto.subtle`, on a page without HTTPS, only their number is checked. */
async function faultOf(bytes: Uint8Array<ArrayBuffer>, { size, sha256 }: KnownModel): Promise<string | undefined> {
  if (bytes.length !== size) return `it has ${bytes.length} bytes, expected ${size}`;
  const hash = await sha256Of(bytes);
  return hash === undefined || hash === sha256 ? undefined : `its SHA-256 is ${hash}, expected ${sha256}`;
}

/** What to do about a model of which nobody said where it is. */
function notInPackage({ id, file }: KnownModel, cause: SoftalignError): SoftalignError {
  const nowhere = cause instanceof RefusedError && (cause.status === 404 || cause.status === 410);
  return new SoftalignError(
    nowhere ? "unavailable" : cause.code,
    `model ${id} is not in the package: put ${file} on your host and say where with setModelBase("https://...") of ` +
      `softalign/models, or give its address as \`model\` (${cause.message})`,
    { cause },
  );
}

/** Whether a model can be used at once, after a download, or not at all. */
export async function availabilityOf(model: KnownModel): Promise<Availability> {
  if ((await localFileExists(model.url)) || (await isKept(model))) return "available";
  return isLocalFile(model.url) ? "unavailable" : "downloadable";
}

export async function isKept({ sha256 }: KnownModel): Promise<boolean> {
  const store = await openModelStore();
  return (await store?.has(sha256).catch(() => false)) ?? false;
}
