import type { CoreModule, Handle, Result } from "./core.js";
import { download, request } from "./download.js";
import { SoftalignError, type SoftalignErrorCode } from "./errors.js";
import { addRelaxedProducts } from "./relaxed.js";
import { isLocalFile, requireFeatures } from "./runtime.js";
import createModule from "./softalign.js";

/** Whatever holds WASM memory: an engine of this thread, or a worker that has one. */
export interface Host {
  /** Whether it stopped. All its objects are gone then. */
  readonly lost: boolean;
  /** Whether it is on the other side of a port: arrays that it is called with are given away. */
  readonly remote: boolean;
  readonly liveHandles: number;
  readonly heapBytes: number;
}

/** One instance of the WebAssembly module. All that works in a page or worker itself, layers above all, shares it. */
export class Engine implements Host {
  readonly remote = false;
  readonly #core: CoreModule;
  #stopped: unknown;

  constructor(core: CoreModule) {
    this.#core = core;
  }

  /**
   * Calls into WASM and unwraps the answer.
   * @throws {SoftalignError} what the core reported; `internal` if the instance trapped, now or before.
   */
  call<T>(body: (core: CoreModule) => Result<T>): T {
    if (this.#stopped !== undefined) throw stopped(this.#stopped);
    let result: Result<T>;
    try {
      result = body(this.#core);
    } catch (cause) {
      // The core answers every error it knows with a Result. What is thrown is a trap, after which
      // nothing in this instance can be trusted: whoever comes next gets a fresh one.
      this.#stopped = cause;
      if (hosts.delete(this)) loading = undefined;
      throw stopped(cause);
    }
    if (result.error) throw new SoftalignError(result.error.code as SoftalignErrorCode, result.error.message);
    return result.value;
  }

  /** Gives an object's memory back. Of an instance that trapped, all memory goes with it. */
  free(handle: Handle): void {
    if (this.#stopped === undefined) handle.delete();
  }

  get lost(): boolean {
    return this.#stopped !== undefined;
  }

  get liveHandles(): number {
    return this.#core.liveHandles();
  }

  get heapBytes(): number {
    return this.#core.heapBytes();
  }
}

function stopped(cause: unknown): SoftalignError {
  const what = cause instanceof Error ? cause.message : String(cause);
  return new SoftalignError("internal", `the WebAssembly engine stopped (${what}); create the object anew`, { cause });
}

/** Those that run. */
export const hosts = new Set<Host>();

let loading: Promise<Engine> | undefined;

/** Where softalign.wasm is. Bundlers look for the expression. */
export const wasmAddress = () => new URL("./softalign.wasm", import.meta.url);

/** The shared engine, loaded at the first call. A failed load is tried again at the next call. */
export function loadEngine(wasm = wasmAddress()): Promise<Engine> {
  loading ??= load(wasm).then(
    (engine) => {
      hosts.add(engine);
      return engine;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

async function load(url: URL): Promise<Engine> {
  requireFeatures();
  try {
    let made: WebAssembly.Instance;
    const core = await new Promise<CoreModule>((resolve, reject) => {
      createModule({
        // Ours instead of the glue's, which cannot tell its caller why a download failed.
        instantiateWasm: (imports, done) => {
          instantiate(url, imports).then(({ instance, module }) => done((made = instance), module), reject);
          return {};
        },
      }).then(resolve, reject);
    });
    await addRelaxedProducts(core, made!);
    return new Engine(core);
  } catch (cause) {
    if (cause instanceof SoftalignError) throw cause;
    // Most often a page's policy that forbids WebAssembly, which the message then says.
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new SoftalignError("unavailable", `the WebAssembly engine did not start: ${what}`, { cause });
  }
}

async function instantiate(url: URL, imports: WebAssembly.Imports): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  if (isLocalFile(url)) return WebAssembly.instantiate(await download(url), imports);
  const response = await request(url);
  // Streaming compiles while it downloads, but only what is served as application/wasm.
  return response.headers.get("content-type")?.startsWith("application/wasm")
    ? WebAssembly.instantiateStreaming(response, imports)
    : WebAssembly.instantiate(await response.arrayBuffer(), imports);
}

/** What {@link engineStatus} tells. */
export interface EngineStatus {
  /** Objects (models, layers) that hold WASM memory. Translators of equal weights share one model. */
  handles: number;
  /** Size of the WASM memory, in bytes. It grows when needed and shrinks only when the worker ends. */
  heapBytes: number;
}

/**
 * How much the engine of this thread and the one in the worker hold, for tests and for finding what was not destroyed.
 * The worker's memory is as large as it was when the worker last answered. Loads nothing.
 */
export function engineStatus(): EngineStatus {
  const sum = (of: (host: Host) => number) => [...hosts].reduce((total, host) => total + of(host), 0);
  return { handles: sum((host) => host.liveHandles), heapBytes: sum((host) => host.heapBytes) };
}
