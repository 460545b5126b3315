// Objects of an engine on the other side of a message port, a worker's: one side serves them, the other is connected.

import { type EngineObject, LocalObject } from "./engine-object.js";
import { type Host, hosts } from "./engine.js";
import { SoftalignError, type SoftalignErrorCode } from "./errors.js";

/** A worker, a worker's own scope, or an end of a `MessageChannel`. */
export interface Port {
  postMessage(message: unknown, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent) => unknown) | null;
  /** Node's keep the process from ending, or do not. */
  ref?(): void;
  unref?(): void;
}

/**
 * Calls a method of an object. 0 is the engine's module, which `load` makes first; an object that a call answers with is
 * known by the call's id until `free`.
 */
interface Request {
  id: number;
  object: number;
  method: string;
  args: readonly unknown[];
}

interface Answer {
  value?: unknown;
  /** The answer is an object. */
  made?: boolean;
  error?: { code: string; message: string };
}

interface Reply extends Answer, Pick<Host, "lost" | "heapBytes"> {
  id: number;
}

/** Arrays are given away, not copied: whoever sends a message needs those in it no more. */
function post(port: Port, message: Request | Reply): void {
  port.postMessage(message, [...new Set(buffersIn(message))]);
}

function* buffersIn(value: unknown): Generator<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) yield value.buffer as ArrayBuffer;
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) yield* buffersIn(part);
}

/**
 * Answers what the other side of a port asks.
 * @param load makes the engine's module, from the address of softalign.wasm.
 */
export function serve(port: Port, load: (wasm: string) => Promise<EngineObject>): void {
  const objects = new Map<number, EngineObject>();

  const call = async ({ id, object, method, args }: Request): Promise<Answer> => {
    if (method === "load") {
      objects.set(0, await load(args[0] as string));
      return {};
    }
    const target = objects.get(object) as EngineObject;
    if (method === "free") {
      target.free();
      objects.delete(object);
      return {};
    }
    const value = await target.call(method, args);
    if (!(value instanceof LocalObject)) return { value };
    objects.set(id, value);
    return { made: true };
  };

  const failure = (error: unknown): Answer => ({
    error: {
      code: error instanceof SoftalignError ? error.code : "internal",
      message: error instanceof Error ? error.message : String(error),
    },
  });

  port.onmessage = async ({ data }: MessageEvent<Request>) => {
    const answer = await call(data).catch(failure);
    const { lost = false, heapBytes = 0 } = objects.get(0)?.host ?? {};
    post(port, { ...answer, id: data.id, lost, heapBytes });
  };
}

/** How long the other side is kept while it holds no object, in milliseconds: a page often goes on with another one. */
const idleTime = 60_000;

/** This side of a port whose other side serves. It ends with the engine there, or when nothing has been left to do for a minute. */
export class Connection implements Host {
  lost = false;
  readonly remote = true;
  liveHandles = 0;
  heapBytes = 0;
  readonly #port: Port;
  readonly #close: () => void;
  readonly #waiting = new Map<number, (reply: Answer) => void>();
  #last = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  /** @param close ends the other side. */
  constructor(port: Port, close: () => void) {
    this.#port = port;
    this.#close = close;
    port.onmessage = ({ data }: MessageEvent<Reply>) => this.#receive(data);
  }

  /** Loads the engine on the other side. */
  async load(wasm: URL): Promise<EngineObject> {
    await this.call(0, "load", [wasm.href]);
    hosts.add(this);
    return new RemoteObject(this, 0);
  }

  async call(object: number, method: string, args: readonly unknown[]): Promise<unknown> {
    const id = ++this.#last;
    const { value, made, error } = await this.#ask({ id, object, method, args });
    // Made here, where its stack names who called.
    if (error) throw new SoftalignError(error.code as SoftalignErrorCode, error.message);
    return made ? new RemoteObject(this, id) : value;
  }

  free(object: number): void {
    if (this.lost) return;
    --this.liveHandles;
    void this.#ask({ id: ++this.#last, object, method: "free", args: [] });
  }

  /** Ends the other side. What was asked and not answered rejects with `internal`. */
  end(message: string): void {
    if (this.lost) return;
    this.lost = true;
    hosts.delete(this);
    clearTimeout(this.#idle);
    this.#close();
    for (const resolve of this.#waiting.values()) resolve({ error: { code: "internal", message } });
    this.#waiting.clear();
  }

  async #ask(request: Request): Promise<Answer> {
    if (this.lost) return { error: { code: "internal", message: "the worker has ended" } };
    clearTimeout(this.#idle);
    this.#port.ref?.();
    return new Promise((resolve) => {
      post(this.#port, request);
      this.#waiting.set(request.id, resolve);
    });
  }

  #receive({ id, lost, heapBytes, ...answer }: Reply): void {
    if (answer.made) ++this.liveHandles;
    this.heapBytes = heapBytes;
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
    if (lost) this.end(answer.error?.message ?? "the engine in the worker stopped");
    else if (this.#waiting.size === 0) this.#rest();
  }

  /** Nothing is asked for now: in Node, the process may end. */
  #rest(): void {
    this.#port.unref?.();
    if (this.liveHandles > 0) return;
    this.#idle = setTimeout(() => this.end("idle"), idleTime);
    (this.#idle as { unref?(): void }).unref?.();
  }
}

/** Gives back what was dropped without `free()`. */
const dropped = new FinalizationRegistry((free: () => void) => free());

class RemoteObject implements EngineObject {
  readonly host: Connection;
  readonly #id: number;

  constructor(host: Connection, id: number) {
    this.host = host;
    this.#id = id;
    if (id > 0) dropped.register(this, () => host.free(id), this);
  }

  call(method: string, args: readonly unknown[]): Promise<unknown> {
    return this.host.call(this.#id, method, args);
  }

  free(): void {
    dropped.unregister(this);
    this.host.free(this.#id);
  }
}
