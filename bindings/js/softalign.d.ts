// The glue that Emscripten writes beside softalign.wasm.
import type { CoreModule } from "./core.js";

export interface ModuleOptions {
  /** Called instead of the glue's own loading; `done` takes the instance. */
  instantiateWasm(
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object;
}

export default function createModule(options: ModuleOptions): Promise<CoreModule>;
