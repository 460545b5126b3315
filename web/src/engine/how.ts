import type { HowReply, HowRequest, Measured, Positions } from "./how-protocol.ts";
import type { Failure } from "./protocol.ts";
import { WorkerLink } from "./worker-link.ts";

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
  positions: PositionsListener | undefined;
  costs: CostsListener | undefined;
  /** Who waits for an answer. */
  readonly #waiting = new Set<"positions" | "costs">();
  readonly #link = new WorkerLink<HowRequest, HowReply>(
    () => new Worker(new URL("./how-worker.ts", import.meta.url), { type: "module" }),
    (reply) => this.#receive(reply),
    (failure) => {
      for (const part of this.#waiting) this[part]?.failed(failure);
      this.#waiting.clear();
    });

  computePositions(): void {
    this.#waiting.add("positions");
    this.#link.post({ kind: "positions" });
  }

  measure(width: number): void {
    this.#waiting.add("costs");
    this.#link.post({ kind: "measure", width });
  }

  stop(): void {
    this.#waiting.delete("costs");
    this.#link.tell({ kind: "stop" });
  }

  #receive(reply: HowReply): void {
    const part = reply.kind === "positions" || (reply.kind === "failed" && reply.of === "positions") ? "positions" : "costs";
    if (reply.kind !== "measured") this.#waiting.delete(part);
    if (reply.kind === "positions") this.positions?.computed(reply.positions);
    else if (reply.kind === "measured") this.costs?.measured(reply.width, reply.measured);
    else if (reply.kind === "finished") this.costs?.finished(reply.width);
    else this[part]?.failed(reply);
  }
}
