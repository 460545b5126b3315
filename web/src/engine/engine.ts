import type { Reading } from "softalign";
import type { Failure, Level, ModelId, Reply, Request, Sentence } from "./protocol.ts";

export interface EngineListener {
  /** A model is on its way; 1 is the end of its download. */
  loading(model: ModelId, fraction: number): void;
  /** Some sentences of the latest request, in order; `from` is the index of the first. */
  sentences(from: number, sentences: Sentence[]): void;
  /** The latest request is complete. */
  done(count: number, after: string): void;
  failed(failure: Failure): void;
}

export interface ReaderListener {
  /** The reader is on its way. */
  loading(fraction: number): void;
  /** How it read the latest text. */
  read(reading: Reading): void;
  failed(failure: Failure): void;
}

/** The page's side of the worker. Of each kind, only the latest request is ever answered. */
export class Engine {
  #worker: Worker | undefined;
  #sent = 0;
  #latest = 0;
  #latestRead = 0;
  readonly #listener: EngineListener;
  /** Who is told of readings. */
  reader: ReaderListener | undefined;

  constructor(listener: EngineListener) {
    this.#listener = listener;
  }

  request(text: string, model: ModelId, level: Level): void {
    this.#latest = ++this.#sent;
    this.#post({ kind: "translate", id: this.#latest, text, model, level });
  }

  /** Gives up the latest request, and the download of its model if that is still going on. */
  cancel(): void {
    this.#latest = ++this.#sent; // what was on its way already comes too late
    this.#worker?.postMessage({ kind: "cancel" } satisfies Request);
  }

  read(text: string): void {
    this.#latestRead = ++this.#sent;
    this.#post({ kind: "read", id: this.#latestRead, text });
  }

  #post(request: Request): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#receive(data));
    // Its script failed to load or to parse, or threw outside a request: the next request starts a fresh one.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const failure = { code: "worker", message: event.message || "the worker could not start" };
      this.#listener.failed(failure);
      if (this.#latestRead > 0) this.reader?.failed(failure);
    });
    return worker;
  }

  #receive(reply: Reply): void {
    if (reply.kind === "loading") {
      if (reply.model === "reader") this.reader?.loading(reply.fraction);
      else this.#listener.loading(reply.model, reply.fraction);
    } else if (reply.id === this.#latestRead) {
      if (reply.kind === "reading") this.reader?.read(reply.reading);
      else if (reply.kind === "failed") this.reader?.failed(reply);
    } else if (reply.id !== this.#latest || reply.kind === "reading") return;
    else if (reply.kind === "sentences") this.#listener.sentences(reply.from, reply.sentences);
    else if (reply.kind === "done") this.#listener.done(reply.count, reply.after);
    else this.#listener.failed(reply);
  }
}
