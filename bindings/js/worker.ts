// What runs in the worker. The build makes one file of it and all that it imports, a script of its own that is found by its
// address alone: bundlers copy it as they copy softalign.wasm, and a page may take it from another origin.

import { LocalObject } from "./engine-object.js";
import { loadEngine } from "./engine.js";
import { type Port, serve } from "./rpc.js";

serve(globalThis as unknown as Port, async (wasm) => new LocalObject(await loadEngine(new URL(wasm))));
