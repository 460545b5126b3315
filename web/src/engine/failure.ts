import type { Failure } from "./protocol.ts";

/** An error as plain data. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: "internal", message: String(error) };
  const code = "code" in error && typeof error.code === "string" ? error.code : "internal";
  if (error instanceof WebAssembly.CompileError) return { code: "unavailable", message: error.message };
  // A model that its host does not have: nothing that this browser lacks.
  const isMissing = code === "unavailable" && (error.cause as { code?: unknown } | undefined)?.code === "network";
  return { code: isMissing ? "network" : code, message: error.message };
}
