// Where the work is done: in the calling thread, or in a worker that everything in a page shares.

import { type EngineObject, LocalObject } from "./engine-object.js";
import { loadEngine, wasmAddress } from "./engine.js";
import { SoftalignError } from "./errors.js";
import { Connection } from "./rpc.js";
import { isPage } from "./runtime.js";

/** The engine's module: in the worker, if that is wished for and can be had. Pages do so unless told otherwise. */
export async function findEngine(worker = isPage()): Promise<EngineObject> {
  return (worker ? await engineInWorker() : undefined) ?? new LocalObject(await loadEngine());
}

let current: Promise<EngineObject | undefined> | undefined;

async function engineInWorker(): Promise<EngineObject | undefined> {
  const found = (current ??= startWorker());
  const module = await found.catch((error: unknown) => {
    forget(found);
    throw error;
  });
  if (!module?.host.lost) return module;
  forget(found);
  return engineInWorker();
}

/** So that the next one who asks starts a worker again. */
function forget(ended: typeof current): void {
  if (current === ended) current = undefined;
}

/** Nothing where a worker cannot be started, whatever the reason: the page's policy, or a worker.js that is not there. */
async function startWorker(): Promise<EngineObject | undefined> {
  let blob: string | undefined;
  try {
    const script = new URL("./worker.js", import.meta.url);
    // A worker's own script has to be of the page's origin; what that imports may come from anywhere.
    if (script.origin !== globalThis.origin) {
      blob = URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" }));
    }
    const worker = new Worker(blob ?? script, { type: "module", name: "softalign" });
    const connection = new Connection(worker, () => worker.terminate());
    worker.onerror = (event) => {
      event.preventDefault(); // whoever waits is told
      connection.end(`the worker stopped: ${event.message || "its script did not run"}`);
    };
    worker.onmessageerror = () => connection.end("the worker stopped: a message could not be read");
    return await connection.load(wasmAddress());
  } catch (error) {
    // A failed download may go better the next time. Whatever else is amiss here will be so again, but perhaps not in the page.
    if (error instanceof SoftalignError && error.code === "network") throw error;
    return undefined;
  } finally {
    if (blob) URL.revokeObjectURL(blob);
  }
}
