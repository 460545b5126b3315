import type { Align, Alignment, AlignModel, AlignReply, AlignRequest } from "./align-protocol.ts";
import type { Failure } from "./protocol.ts";
import { WorkerLink } from "./worker-link.ts";

export interface AlignListener {
  /** A model is on its way; 1 is the end of its download. */
  loading(model: AlignModel, fraction: number): void;
  aligned(alignment: Alignment): void;
  failed(failure: Failure): void;
}

/** The page's side of the worker that aligns. Only the latest request is ever answered. */
export class AlignEngine {
  #sent = 0;
  #waiting = false;
  readonly #link: WorkerLink<AlignRequest, AlignReply>;

  constructor(listener: AlignListener) {
    const failed = (failure: Failure) => {
      if (!this.#waiting) return;
      this.#waiting = false;
      listener.failed(failure);
    };
    this.#link = new WorkerLink(
      () => new Worker(new URL("./align-worker.ts", import.meta.url), { type: "module" }),
      (reply) => {
        if (reply.kind === "loading") {
          if (this.#waiting) listener.loading(reply.model, reply.fraction);
        } else if (reply.id !== this.#sent) return;
        else if (reply.kind === "failed") failed(reply);
        else if (this.#waiting) {
          this.#waiting = false;
          listener.aligned(reply.alignment);
        }
      },
      failed);
  }

  align(request: Omit<Align, "kind" | "id">): void {
    this.#waiting = true;
    this.#link.post({ kind: "align", id: ++this.#sent, ...request });
  }

  /** Gives up the latest request, and the download of its model if that is still going on. */
  cancel(): void {
    if (this.#waiting) this.#link.post({ kind: "cancel" });
    this.#waiting = false;
  }

  /** The latest request need not be answered any more. */
  forget(): void {
    this.#waiting = false;
  }
}
