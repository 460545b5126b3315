import type { Handle, Result } from "./core.js";
import type { Engine, Host } from "./engine.js";

/**
 * An object of an engine, wherever that runs: its methods (core.ts declares them) are called by name and answer later.
 * An answer may be an object, too: the first one, the engine's module, makes all others.
 */
export interface EngineObject {
  readonly host: Host;
  call(method: string, args: readonly unknown[]): Promise<unknown>;
  /** Gives its memory back. It must not be called any more. */
  free(): void;
}

type Methods = Record<string, (...args: readonly unknown[]) => Result<unknown>>;

/** An object of the engine in this thread. */
export class LocalObject implements EngineObject {
  readonly host: Engine;
  readonly #handle: Handle | undefined;

  /** @param handle the module itself if left out. */
  constructor(engine: Engine, handle?: Handle) {
    this.host = engine;
    this.#handle = handle;
  }

  async call(method: string, args: readonly unknown[]): Promise<unknown> {
    const value = this.host.call((module) => ((this.#handle ?? module) as unknown as Methods)[method]!(...args));
    return isHandle(value) ? new LocalObject(this.host, value) : value;
  }

  free(): void {
    if (this.#handle) this.host.free(this.#handle);
  }
}

function isHandle(value: unknown): value is Handle {
  return typeof value === "object" && value !== null && "delete" in value;
}
