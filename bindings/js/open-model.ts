import type { CoreModule, Handle, Result } from "./core.js";
import { download, type DownloadOptions } from "./download.js";
import type { EngineObject } from "./engine-object.js";
import { SoftalignError } from "./errors.js";
import { fetchModel } from "./fetch-model.js";
import { findEngine } from "./host.js";
import type { FileSource, ModelSource } from "./models.js";
import { abortable, sha256Of } from "./runtime.js";
import { shared } from "./shared-object.js";

/** A file's bytes, which may be the caller's own or shared. */
async function fileBytes(source: FileSource, options: DownloadOptions): Promise<Uint8Array<ArrayBuffer>> {
  if ("blob" in source) return new Uint8Array(await abortable(source.blob.arrayBuffer(), options.signal));
  if ("bytes" in source) return source.bytes as Uint8Array<ArrayBuffer>;
  return source.listed ? ((await fetchModel(source.listed, options)) as Uint8Array<ArrayBuffer>) : download(source.url, options);
}

/** What a file compressed with gzip begins with. */
const isCompressed = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

async function decompressed(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!isCompressed(bytes)) return bytes;
  try {
    return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  } catch (cause) {
    throw new SoftalignError("format", `${name}: its gzip compression is broken`, { cause });
  }
}

/** The bytes of all files of a model, none for those that it does not have. */
async function modelBytes(source: ModelSource, { signal, onProgress }: DownloadOptions): Promise<Uint8Array<ArrayBuffer>[]> {
  if (!("files" in source)) return [await decompressed(await fileBytes(source, { signal, onProgress }), source.name)];
  const { files } = source;
  const arrived = files.map(() => 0);
  const there = files.filter((file) => file !== undefined).length;
  return Promise.all(
    files.map(async (file, i) => {
      if (!file) return new Uint8Array();
      const bytes = await fileBytes(file, {
        signal,
        onProgress(fraction) {
          arrived[i] = fraction;
          onProgress?.(arrived.reduce((sum, each) => sum + each, 0) / there);
        },
      });
      return decompressed(bytes, file.name);
    }),
  );
}

/** Equal for models of equal files. */
async function hashOf(source: ModelSource, files: Uint8Array<ArrayBuffer>[]): Promise<string | undefined> {
  if ("url" in source && source.listed) return source.listed.sha256;
  const hashes = await Promise.all(files.map(sha256Of));
  return hashes.includes(undefined) ? undefined : hashes.join(" ");
}

type Method<Core> = Exclude<keyof Core & string, keyof Handle>;
type Arguments<Call> = Call extends (...args: infer Given) => unknown ? Given : never;
type Value<Call> = Call extends (...args: never[]) => Result<infer T> ? T : never;

export interface OpenOptions extends DownloadOptions {
  worker?: boolean | undefined;
  /** In how many workers. One if left out. */
  workers?: number | undefined;
}

/** What a model is made of. */
interface Files {
  bytes: Uint8Array<ArrayBuffer>[];
  hash: string | undefined;
}

async function read(source: ModelSource, options: DownloadOptions): Promise<Files> {
  const bytes = await modelBytes(source, options);
  return { bytes, hash: await hashOf(source, bytes) };
}

/** Which file of a model an error of its format is about; of two vocabularies it may be either. */
function culprit(source: ModelSource, message: string): string {
  if (!("files" in source)) return source.name;
  const [weights, vocabulary, other, shortlist] = source.files;
  const blamed = message.startsWith("tokenizer") ? [vocabulary, other] : [message.startsWith("shortlist") ? shortlist : weights];
  return blamed.flatMap((file) => file?.name ?? []).join(" or ");
}

/** Makes a model in an engine, or finds the same one there; an error of its format names the model. */
async function make(
  create: Method<CoreModule>,
  source: ModelSource,
  { bytes, hash }: Files,
  engine: EngineObject,
  signal: AbortSignal | undefined,
): Promise<EngineObject> {
  const languages = "files" in source ? source.languages : [];
  // What goes to a worker is given away.
  const given = engine.host.remote ? bytes.map((file) => new Uint8Array(file)) : bytes;
  const call = () => engine.call(create, [...given, ...languages]) as Promise<EngineObject>;
  const opening = hash === undefined ? call() : shared(engine.host, [create, hash, ...languages].join(" "), call);
  try {
    return await abortable(opening, signal);
  } catch (error) {
    void opening.then((late) => late.free(), () => {});
    if (!(error instanceof SoftalignError) || error.code !== "format") throw error;
    throw new SoftalignError("format", `model ${culprit(source, error.message)}: ${error.message}`, { cause: error });
  }
}

/**
 * A model in an engine, wherever that runs. If the engine stops, what it was asked rejects, and the next call opens the
 * model anew, from where it came.
 */
export class OpenModel<Core extends Handle> {
  readonly #open: (signal: AbortSignal) => Promise<EngineObject>;
  #object: EngineObject;
  #opening: Promise<EngineObject> | undefined;
  readonly #end = new AbortController();
  /** Aborted by `free`. */
  readonly ended = this.#end.signal;

  private constructor(object: EngineObject, open: (signal: AbortSignal) => Promise<EngineObject>) {
    this.#object = object;
    this.#open = open;
  }

  /** @throws {SoftalignError} `network`, `unavailable`, `format`. */
  static async open<Core extends Handle>(create: Method<CoreModule>, source: ModelSource, options: OpenOptions): Promise<OpenModel<Core>> {
    return (await OpenModel.openAll<Core>(create, source, { ...options, workers: 1 }))[0]!;
  }

  /**
   * The same model in each of `options.workers` engines, read once.
   * @throws {SoftalignError} as `open` does.
   */
  static async openAll<Core extends Handle>(
    create: Method<CoreModule>,
    source: ModelSource,
    { signal, onProgress, worker, workers = 1 }: OpenOptions,
  ): Promise<OpenModel<Core>[]> {
    signal?.throwIfAborted();
    const each = Array.from({ length: workers }, (_, nth) => nth);
    const engine = (nth: number, signal: AbortSignal | undefined) => abortable(findEngine(worker, nth), signal);
    const [files] = await Promise.all([read(source, { signal, onProgress }), ...each.map((nth) => engine(nth, signal))]);
    signal?.throwIfAborted();
    // The same engine, unless it ended while the model was on its way.
    const objects = await allOf(each.map(async (nth) => make(create, source, files, await engine(nth, signal), signal)));
    return objects.map((object, nth) => {
      const anew = async (signal: AbortSignal) => make(create, source, await read(source, { signal }), await engine(nth, signal), signal);
      return new OpenModel<Core>(object, anew);
    });
  }

  /**
   * Calls a method of the model. An abort of `signal` rejects with its reason, `free` with what it was given: at once,
   * whatever the engine is busy with, and before the method is called at all.
   */
  async call<M extends Method<Core>>(
    signal: AbortSignal | undefined,
    method: M,
    ...args: Arguments<Core[M]>
  ): Promise<Value<Core[M]>> {
    this.ended.throwIfAborted();
    signal?.throwIfAborted();
    const answer = this.#ask(method, args) as Promise<Value<Core[M]>>;
    return abortable(abortable(answer, signal), this.ended);
  }

  /** Gives the model's memory back. What is pending rejects with `reason`, and so does whatever is called later. */
  free(reason: unknown): void {
    if (this.ended.aborted) return;
    this.#end.abort(reason);
    this.#object.free();
  }

  async #ask(method: string, args: readonly unknown[]): Promise<unknown> {
    if (this.#object.host.lost) {
      this.#opening ??= this.#open(this.ended).finally(() => (this.#opening = undefined));
      this.#object = await this.#opening;
    }
    return this.#object.call(method, args);
  }
}

/** All objects, or none. */
async function allOf(opening: Promise<EngineObject>[]): Promise<EngineObject[]> {
  try {
    return await Promise.all(opening);
  } catch (error) {
    for (const one of opening) void one.then((object) => object.free(), () => {});
    throw error;
  }
}
