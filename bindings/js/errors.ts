/**
 * What went wrong, for programs. The list is stable; {@link SoftalignError.message} is for people.
 *
 * - `argument`: an argument is out of its range or of the wrong kind.
 * - `shape`: arrays whose lengths do not fit each other.
 * - `format`: the bytes are not a model this version reads (truncated, damaged, another format), or not the one that a
 *   manifest lists (by size and SHA-256); or it is not a manifest.
 * - `network`: a download failed; the message names the address and the status. A `NetworkError`.
 * - `unavailable`: this language pair, this model or this run-time (no WASM SIMD) cannot be served. A
 *   `NotSupportedError`.
 * - `destroyed`: the object was used after `destroy()` or `dispose()`. An `AbortError`.
 * - `out_of_memory`: the WASM memory cannot grow as far as the call needs.
 * - `internal`: the engine or the worker it runs in crashed. A bug in softalign; please report it. An `OperationError`.
 */
export type SoftalignErrorCode =
  | "argument"
  | "shape"
  | "format"
  | "network"
  | "unavailable"
  | "destroyed"
  | "out_of_memory"
  | "internal";

/** What the web platform calls them, where it has a name. */
const names: Partial<Record<SoftalignErrorCode, string>> = {
  network: "NetworkError",
  unavailable: "NotSupportedError",
  destroyed: "AbortError",
  internal: "OperationError",
};

// The platform's own `code`, a number, is a relic that nothing new has; ours is a word in its place.
const PlatformException = DOMException as unknown as new (message: string, name: string) => Omit<DOMException, "code">;

/**
 * Every error this package throws on purpose: a `DOMException`, whose `name` is that of the W3C Translator API where the
 * API has one, "SoftalignError" elsewhere. There are two exceptions. An abort rejects with the `reason` of the caller's
 * own signal, and a language tag that is missing or none at all is a `TypeError` or a `RangeError`: as on the platform.
 */
export class SoftalignError extends PlatformException {
  readonly code: SoftalignErrorCode;
  /** What it came from, if it came from another error. */
  declare readonly cause?: unknown;

  constructor(code: SoftalignErrorCode, message: string, options?: ErrorOptions) {
    super(message, names[code] ?? "SoftalignError");
    this.code = code;
    if (options && "cause" in options) Object.defineProperty(this, "cause", { value: options.cause });
  }
}
