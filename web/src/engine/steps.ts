import type { Failure } from "./protocol.ts";
import type { StepsModel, StepsReply, StepsRequest, Walk } from "./steps/protocol.ts";
import { WorkerLink } from "./worker-link.ts";

export interface StepsListener {
  /** A model is on its way; 1 is the end of its download. */
  loading(model: StepsModel, fraction: number): void;
  walked(walk: Walk): void;
  failed(failure: Failure): void;
}

/** The page's side of the worker that walks through translations. Only the latest request is ever answered. */
export class StepsEngine {
  listener: StepsListener | undefined;
  #latest = 0;
  #waiting = false;
  readonly #link = new WorkerLink<StepsRequest, StepsReply>(
    () => new Worker(new URL("./steps-worker.ts", import.meta.url), { type: "module" }),
    (reply) => this.#receive(reply),
    (failure) => {
      if (this.#waiting) this.listener?.failed(failure);
      this.#waiting = false;
    });

  walk(model: StepsModel, text: string): void {
    this.#waiting = true;
    this.#link.post({ kind: "walk", id: ++this.#latest, model, text });
  }

  /** Gives up the latest request, and the download of its model if that is still going on. */
  cancel(): void {
    ++this.#latest;
    this.#waiting = false;
    this.#link.post({ kind: "cancel" });
  }

  #receive(reply: StepsReply): void {
    if (!this.#waiting) return;
    if (reply.kind === "loading") {
      this.listener?.loading(reply.model, reply.fraction);
      return;
    }
    if (reply.id !== this.#latest) return;
    this.#waiting = false;
    if (reply.kind === "walk") this.listener?.walked(reply.walk);
    else this.listener?.failed(reply);
  }
}
