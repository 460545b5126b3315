import type { CoreModule, Handle, Result } from "./core.js";
import { download, type DownloadOptions } from "./download.js";
import type { Engine } from "./engine.js";
import { SoftalignError } from "./errors.js";
import { fetchModel } from "./fetch-model.js";
import type { ModelSource } from "./models.js";
import { abortable } from "./runtime.js";

export async function modelBytes(source: ModelSource, options: DownloadOptions): Promise<Uint8Array> {
  if ("url" in source) return source.listed ? fetchModel(source.listed, options) : download(source.url, options);
  return "bytes" in source ? source.bytes : abortable(source.blob.arrayBuffer(), options.signal).then((buffer) => new Uint8Array(buffer));
}

/** Makes a model in the engine; an error of its format names the model. */
export function openModel<Core extends Handle>(engine: Engine, name: string, create: (core: CoreModule) => Result<Core>): Core {
  try {
    return engine.call(create);
  } catch (error) {
    if (!(error instanceof SoftalignError) || error.code !== "format") throw error;
    throw new SoftalignError("format", `model ${name}: ${error.message}`, { cause: error });
  }
}
