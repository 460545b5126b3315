import { type Contents, FileFault, type TensorInfo } from "./contents.ts";
import { Reader } from "./reader.ts";

/** The header is JSON: tensors by name, and metadata, in which our models have their config. */
export function readSafetensors(bytes: Uint8Array): Contents {
  const reader = new Reader(bytes);
  const text = reader.text(reader.u64());
  let header: Record<string, { dtype?: unknown; shape?: unknown; data_offsets?: unknown }>;
  try {
    header = JSON.parse(text);
  } catch {
    throw new FileFault("damaged", "its header is not JSON");
  }
  const { __metadata__: metadata, ...entries } = header;
  const tensors = Object.entries(entries).map(([name, { dtype, shape, data_offsets }]): TensorInfo => {
    const ends = Array.isArray(shape) && shape.every((d) => Number.isInteger(d) && d >= 0) && Array.isArray(data_offsets) ? Number(data_offsets[1]) : NaN;
    if (!(ends <= reader.left)) throw new FileFault("damaged", `tensor “${name}” is not there, or only in part`);
    return { name, type: String(dtype), shape: shape as number[] };
  });
  return { kind: "model", tensors, config: configOf(metadata as Record<string, unknown> | undefined) };
}

function configOf(metadata: Record<string, unknown> | undefined): Record<string, unknown> | null {
  if (metadata?.format !== "softalign") return null;
  try {
    const config: unknown = JSON.parse(String(metadata.config));
    if (typeof config === "object" && config !== null) return config as Record<string, unknown>;
  } catch {
    // As below.
  }
  throw new FileFault("damaged", "its config is not JSON");
}
