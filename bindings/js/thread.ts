// A thread of its own for a script: a page's worker, or a worker thread of Node, Deno or Bun.

import type { Port } from "./rpc.js";
import { isPage, nodeModule, nodeProcess } from "./runtime.js";

export interface Thread {
  readonly port: Port;
  terminate(): void;
  /** Told why the thread can do no more. */
  onFailure: (what: string) => void;
}

/** What is used of `node:worker_threads`. */
interface WorkerThreads {
  parentPort: Port | null;
  Worker: new (script: URL) => Pick<Port, "postMessage" | "ref" | "unref"> & {
    on(event: string, listener: (value: unknown) => void): void;
    terminate(): unknown;
  };
}

/** Starts a script. That it cannot be is thrown, or told later. What is a page and Node at once, as in Electron, has a page's workers. */
export function newThread(script: URL): Thread | Promise<Thread> {
  return nodeProcess && !isPage() ? workerThread(script) : webWorker(script);
}

/** In a thread: the port to whoever started it. */
export async function parentPort(): Promise<Port> {
  const own = nodeProcess && (await nodeModule<WorkerThreads>("worker_threads")).parentPort;
  return own ?? (globalThis as unknown as Port);
}

function webWorker(script: URL): Thread {
  // A worker's own script has to be of the page's origin; what that imports may come from anywhere.
  const blob =
    script.origin === globalThis.origin
      ? undefined
      : URL.createObjectURL(new Blob([`import ${JSON.stringify(script.href)};`], { type: "text/javascript" }));
  const worker = new Worker(blob ?? script, { type: "module", name: "softalign" });
  if (blob) for (const read of ["message", "error"]) worker.addEventListener(read, () => URL.revokeObjectURL(blob), { once: true });
  const thread: Thread = { port: worker, terminate: () => worker.terminate(), onFailure() {} };
  worker.onerror = (event) => {
    event.preventDefault(); // whoever waits is told
    thread.onFailure(event.message || "its script did not run");
  };
  worker.onmessageerror = () => thread.onFailure("a message could not be read");
  return thread;
}

async function workerThread(script: URL): Promise<Thread> {
  const { Worker } = await nodeModule<WorkerThreads>("worker_threads");
  const worker = new Worker(script);
  const port: Port = {
    postMessage: (message, transfer) => worker.postMessage(message, transfer),
    onmessage: null,
    ref: () => worker.ref?.(),
    unref: () => worker.unref?.(),
  };
  const thread: Thread = { port, terminate: () => void worker.terminate(), onFailure() {} };
  worker.on("message", (data) => port.onmessage?.({ data } as MessageEvent));
  worker.on("error", (error) => thread.onFailure(error instanceof Error ? error.message : String(error)));
  worker.on("messageerror", () => thread.onFailure("a message could not be read"));
  worker.on("exit", () => thread.onFailure("it ended"));
  return thread;
}
