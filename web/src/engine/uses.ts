import type { Failure } from "./protocol.ts";
import type { Answers, Ask, Asks, Use, UsesReply, UsesRequest } from "./uses-protocol.ts";
import { WorkerLink } from "./worker-link.ts";

export interface UseListener<U extends Use> {
  /** The model is on its way; 1 is the end of its download. */
  loading(fraction: number): void;
  answered(answer: Answers[U]): void;
  failed(failure: Failure): void;
}

/** The page's side of the worker for other uses. Of each use, only the latest question is ever answered. */
export class UsesEngine {
  #sent = 0;
  readonly #pending = new Map<Use, number>();
  readonly #listeners = new Map<Use, UseListener<Use>>();
  readonly #link = new WorkerLink<UsesRequest, UsesReply>(
    () => new Worker(new URL("./uses-worker.ts", import.meta.url), { type: "module" }),
    (reply) => this.#receive(reply),
    (failure) => {
      const asked = [...this.#pending.keys()];
      this.#pending.clear();
      for (const use of asked) this.#listeners.get(use)?.failed(failure);
    });

  listen<U extends Use>(use: U, listener: UseListener<U>): void {
    this.#listeners.set(use, listener as unknown as UseListener<Use>);
  }

  ask<U extends Use>(use: U, ask: Asks[U]): void {
    this.#pending.set(use, ++this.#sent);
    this.#link.post({ kind: "ask", use, id: this.#sent, ask } as Ask);
  }

  /** Gives up the latest question, and the download of its model if that is still going on. */
  cancel(use: Use): void {
    if (this.#pending.delete(use)) this.#link.tell({ kind: "cancel", use });
  }

  #receive(reply: UsesReply): void {
    const listener = this.#listeners.get(reply.use);
    if (!listener || !this.#pending.has(reply.use)) return;
    if (reply.kind === "loading") {
      listener.loading(reply.fraction);
      return;
    }
    if (reply.id !== this.#pending.get(reply.use)) return;
    this.#pending.delete(reply.use);
    if (reply.kind === "answer") listener.answered(reply.answer);
    else listener.failed(reply);
  }
}
