/**
 * What went wrong, for programs. The list is stable; {@link SoftalignError.message} is for people.
 *
 * - `argument`: an argument is out of its range or of the wrong kind.
 * - `shape`: arrays whose lengths do not fit each other.
 * - `format`: the bytes are not a model this version reads (truncated, damaged, another format).
 * - `network`: a download failed; the message names the address and the status.
 * - `unavailable`: this language pair, this model or this run-time (no WASM SIMD) cannot be served.
 * - `destroyed`: the object was used after `destroy()` or `dispose()`.
 * - `out_of_memory`: the WASM memory cannot grow as far as the call needs.
 * - `internal`: a bug in softalign; please report it.
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

/**
 * Every error this package throws on purpose. The one exception is an abort, which rejects with
 * the `reason` of the caller's own signal, as the web platform does.
 */
export class SoftalignError extends Error {
  override readonly name = "SoftalignError";
  readonly code: SoftalignErrorCode;

  constructor(code: SoftalignErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
