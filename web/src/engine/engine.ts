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

/** The page's side of the worker. Only the latest request is ever answered. */
export class Engine {
  #worker: Worker | undefined;
  #latest = 0;
  readonly #listener: EngineListener;

  constructor(listener: EngineListener) {
    this.#listener = listener;
  }

  request(text: string, model: ModelId, level: Level): void {
    const request: Request = { id: ++this.#latest, text, model, level };
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
      this.#listener.failed({ code: "worker", message: event.message || "the worker could not start" });
    });
    return worker;
  }

  #receive(reply: Reply): void {
    if (reply.kind === "loading") this.#listener.loading(reply.model, reply.fraction);
    else if (reply.id !== this.#latest) return;
    else if (reply.kind === "sentences") this.#listener.sentences(reply.from, reply.sentences);
    else if (reply.kind === "done") this.#listener.done(reply.count, reply.after);
    else this.#listener.failed(reply);
  }
}
