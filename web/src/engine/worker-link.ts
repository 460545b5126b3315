import type { Failure } from "./protocol.ts";

/** The page's end of a worker, which is started with the first message, and anew with the first one after it died. */
export class WorkerLink<Request, Reply> {
  #worker: Worker | undefined;
  readonly #start: () => Worker;
  readonly #receive: (reply: Reply) => void;
  readonly #died: (failure: Failure) => void;

  constructor(start: () => Worker, receive: (reply: Reply) => void, died: (failure: Failure) => void) {
    this.#start = start;
    this.#receive = receive;
    this.#died = died;
  }

  post(request: Request): void {
    this.#worker ??= this.#listen(this.#start());
    this.#worker.postMessage(request);
  }

  /** What a worker that is not there need not hear. */
  tell(request: Request): void {
    this.#worker?.postMessage(request);
  }

  #listen(worker: Worker): Worker {
    worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => this.#receive(data));
    // Its script failed to load or to parse, or threw outside a request.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#died({ code: "worker", message: event.message || "the worker could not start" });
    });
    return worker;
  }
}
