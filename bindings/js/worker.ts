// What runs in the worker. The build makes one file of it and all that it imports, a script of its own that is found by its
// address alone: bundlers copy it as they copy softalign.wasm, and a page may take it from another origin.

import { LocalObject } from "./engine-object.js";
import { loadEngine } from "./engine.js";
import { serve } from "./rpc.js";
import { parentPort } from "./thread.js";

void parentPort().then((port) => serve(port, async (wasm) => new LocalObject(await loadEngine(new URL(wasm)))));
