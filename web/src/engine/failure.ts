import type { Failure } from "./protocol.ts";

/** An error as plain data. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: "internal", message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "internal";
  return { code: error instanceof WebAssembly.CompileError ? "unavailable" : code, message: error.message };
}
