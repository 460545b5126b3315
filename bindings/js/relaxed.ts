import type { CoreModule } from "./core.js";
import base64 from "./relaxed-module.js";

/**
 * Gives the engine products of bytes by relaxed SIMD, if whatever runs this has that: a second module with one function, in the
 * first one's memory. Older engines refuse to read such a module at all, and keep the engine's own products.
 */
export async function addRelaxedProducts(core: CoreModule, { exports }: WebAssembly.Instance): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return;
  // By kind, as the linker shortens names.
  const all = Object.values(exports);
  const memory = all.find((each) => each instanceof WebAssembly.Memory)!;
  const table = all.find((each) => each instanceof WebAssembly.Table)!;
  try {
    const { instance } = await WebAssembly.instantiate(bytes, { env: { memory } });
    const index = table.grow(1);
    table.set(index, instance.exports["softalign_multiply_bytes"]);
    core.multiplyBytesBy(index);
  } catch {
    // It would have been faster; for want of memory, say, the engine's own do as well.
  }
}
