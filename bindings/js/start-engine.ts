import type { EngineObject } from "./engine-object.js";
import { wasmAddress } from "./engine.js";
import { Connection } from "./rpc.js";
import { newThread } from "./thread.js";

/** Starts a worker with an engine in it. */
export async function startEngine(): Promise<EngineObject> {
  const thread = await newThread(new URL("./worker.js", import.meta.url));
  const connection = new Connection(thread.port, thread.terminate);
  thread.onFailure = (what) => connection.end(`the worker stopped: ${what}`);
  return connection.load(wasmAddress());
}
