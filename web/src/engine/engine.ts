import type { Reading, SearchNode } from "softalign";
import type { ModelId } from "./models.ts";
import type { Changed, Failure, Level, Offer, Reply, Request, Search, Sentence, WhatIf } from "./protocol.ts";
import { WorkerLink } from "./worker-link.ts";

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
  #sent = 0;
  #latest = 0;
  #latestRead = 0;
  readonly #listener: EngineListener;
  /** Who is told of readings. */
  reader: ReaderListener | undefined;
  /** Who waits for what becomes of changed sentences. */
  readonly #wondering = new Map<number, (reply: Reply) => void>();
  readonly #link = new WorkerLink<Request, Reply>(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }),
    (reply) => this.#receive(reply),
    (failure) => {
      this.#listener.failed(failure);
      for (const [id, answer] of this.#wondering) answer({ kind: "failed", id, ...failure });
      this.#wondering.clear();
      if (this.#latestRead > 0) this.reader?.failed(failure);
    });

  constructor(listener: EngineListener) {
    this.#listener = listener;
  }

  request(text: string, model: ModelId, level: Level): void {
    this.#latest = ++this.#sent;
    this.#link.post({ kind: "translate", id: this.#latest, text, model, level });
  }

  /** Gives up the latest request, and the download of its model if that is still going on. */
  cancel(): void {
    this.#latest = ++this.#sent; // what was on its way already comes too late
    this.#link.tell({ kind: "cancel", what: "translate" });
  }

  read(text: string): void {
    this.#latestRead = ++this.#sent;
    this.#link.post({ kind: "read", id: this.#latestRead, text });
  }

  /** The same of the reader. */
  cancelRead(): void {
    this.#latestRead = 0;
    this.#link.tell({ kind: "cancel", what: "read" });
  }

  /** What becomes of a sentence whose attention is changed. Rejects with a {@link Failure}. */
  async whatIf(request: Omit<WhatIf, "kind" | "id">): Promise<Changed> {
    const reply = await this.#wonder({ kind: "what-if", id: ++this.#sent, ...request });
    if (reply.kind !== "changed") throw reply;
    return reply.changed;
  }

  /** Other words that might follow a beginning. Rejects with a {@link Failure}. */
  async offer(request: Omit<Offer, "kind" | "id">): Promise<string[]> {
    const reply = await this.#wonder({ kind: "offer", id: ++this.#sent, ...request });
    if (reply.kind !== "offers") throw reply;
    return reply.words;
  }

  /** What the search for a translation followed. Rejects with a {@link Failure}. */
  async search(request: Omit<Search, "kind" | "id">): Promise<SearchNode[]> {
    const reply = await this.#wonder({ kind: "search", id: ++this.#sent, ...request });
    if (reply.kind !== "searched") throw reply;
    return reply.nodes;
  }

  #wonder(request: WhatIf | Offer | Search): Promise<Reply> {
    return new Promise((answer) => {
      this.#wondering.set(request.id, answer);
      this.#link.post(request);
    });
  }

  #receive(reply: Reply): void {
    const answer = reply.kind === "loading" ? undefined : this.#wondering.get(reply.id);
    if (answer && reply.kind !== "loading") {
      this.#wondering.delete(reply.id);
      answer(reply);
    } else if (reply.kind === "loading") {
      if (reply.model === "reader") this.reader?.loading(reply.fraction);
      else this.#listener.loading(reply.model, reply.fraction);
    } else if (reply.id === this.#latestRead) {
      if (reply.kind === "reading") this.reader?.read(reply.reading);
      else if (reply.kind === "failed") this.reader?.failed(reply);
    } else if (reply.id !== this.#latest || reply.kind === "reading") return;
    else if (reply.kind === "sentences") this.#listener.sentences(reply.from, reply.sentences);
    else if (reply.kind === "done") this.#listener.done(reply.count, reply.after);
    else if (reply.kind === "failed") this.#listener.failed(reply);
  }
}
