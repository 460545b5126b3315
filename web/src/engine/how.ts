import type { HowReply, HowRequest, Measured, Positions } from "./how-protocol.ts";
import type { Failure } from "./protocol.ts";

export interface PositionsListener {
  computed(positions: Positions): void;
  failed(failure: Failure): void;
}

export interface CostsListener {
  measured(width: number, measured: Measured): void;
  finished(width: number): void;
  failed(failure: Failure): void;
}

/** The page's side of the worker that computes and measures. */
export class HowEngine {
  #worker: Worker | undefined;
  positions: PositionsListener | undefined;
  costs: CostsListener | undefined;

  computePositions(): void {
    this.#post({ kind: "positions" });
  }

  measure(width: number): void {
    this.#post({ kind: "measure", width });
  }

  stop(): void {
    this.#post({ kind: "stop" });
  }

  #post(request: HowRequest): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = new Worker(new URL("./how-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<HowReply>) => this.#receive(data));
    // Its script failed to load or to parse, or threw: the next request starts a fresh one.
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      const failure = { code: "worker", message: event.message || "the worker could not start" };
      this.positions?.failed(failure);
      this.costs?.failed(failure);
    });
    return worker;
  }

  #receive(reply: HowReply): void {
    if (reply.kind === "positions") this.positions?.computed(reply.positions);
    else if (reply.kind === "measured") this.costs?.measured(reply.width, reply.measured);
    else if (reply.kind === "finished") this.costs?.finished(reply.width);
    else this[reply.of === "positions" ? "positions" : "costs"]?.failed(reply);
  }
}
