// Where the page's models are. Vite turns the addresses into files of the built page, under names that change with their
// content, so browsers may keep them for good.

import type { ModelId } from "./protocol.ts";

/** Undefined: the model that comes with the package. */
export const modelAddresses: Record<ModelId, URL | undefined> = {
  additive: undefined,
  dot: new URL("../../../models/en-fr-dot/model.safetensors", import.meta.url),
  plain: new URL("../../../models/en-fr-plain/model.safetensors", import.meta.url),
};
