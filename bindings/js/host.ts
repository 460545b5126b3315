// Where the work is done: in the calling thread, or in workers that everything in a page or process shares.

import { type EngineObject, LocalObject } from "./engine-object.js";
import { loadEngine } from "./engine.js";
import { SoftalignError } from "./errors.js";
import { isPage } from "./runtime.js";
import { startEngine } from "./start-engine.js";

/**
 * The engine's module: in a worker, if that is wished for and can be had. Pages do so unless told otherwise.
 * @param nth which worker. Where there cannot be so many, it is the first.
 */
export async function findEngine(worker = isPage(), nth = 0): Promise<EngineObject> {
  return (worker ? ((await engineInWorker(nth)) ?? (await engineInWorker(0))) : undefined) ?? new LocalObject(await loadEngine());
}

const workers: (Promise<EngineObject | undefined> | undefined)[] = [];

async function engineInWorker(nth: number): Promise<EngineObject | undefined> {
  const found = (workers[nth] ??= startWorker());
  const module = await found.catch((error: unknown) => {
    forget(nth, found);
    throw error;
  });
  if (!module?.host.lost) return module;
  forget(nth, found);
  return engineInWorker(nth);
}

/** So that the next one who asks starts a worker again. */
function forget(nth: number, ended: (typeof workers)[number]): void {
  if (workers[nth] === ended) workers[nth] = undefined;
}

/** Nothing where a worker cannot be started, whatever the reason: the page's policy, or a worker.js that is not there. */
async function startWorker(): Promise<EngineObject | undefined> {
  try {
    return await startEngine();
  } catch (error) {
    // A failed download may go better the next time. Whatever else is amiss here will be so again, but perhaps not in the page.
    if (error instanceof SoftalignError && error.code === "network") throw error;
    return undefined;
  }
}
