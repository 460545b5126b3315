import type { Failure, Level } from "./protocol.ts";
import { WorkerLink } from "./worker-link.ts";
import type { Languages, Looked, OwnModel, Translated, YoursReply, YoursRequest } from "./yours-protocol.ts";

type Unsent = YoursRequest extends infer Each ? (Each extends unknown ? Omit<Each, "id"> : never) : never;

/** A request that failed, as plain data. */
export class EngineFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The page's side of the worker of one's own models. Every call is answered, in any order, or rejects with an `EngineFailure`. */
export class YoursEngine {
  #sent = 0;
  readonly #pending = new Map<number, { done: (reply: YoursReply) => void; failed: (error: EngineFailure) => void }>();
  readonly #link = new WorkerLink<YoursRequest, YoursReply>(
    () => new Worker(new URL("./yours-worker.ts", import.meta.url), { type: "module" }),
    (reply) => {
      const call = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if (reply.kind === "failed") call?.failed(new EngineFailure({ code: reply.code, message: reply.message }));
      else call?.done(reply);
    },
    (failure) => {
      for (const { failed } of this.#pending.values()) failed(new EngineFailure(failure));
      this.#pending.clear();
    });

  async look(files: File[]): Promise<Looked[]> {
    return ((await this.#ask({ kind: "look", files })) as Extract<YoursReply, { kind: "looked" }>).files;
  }

  /** Downloads our sample, and looks into it. */
  async sample(): Promise<Looked[]> {
    return ((await this.#ask({ kind: "sample" })) as Extract<YoursReply, { kind: "looked" }>).files;
  }

  async open(model: OwnModel, languages: Languages): Promise<void> {
    await this.#ask({ kind: "open", model, languages });
  }

  async translate(text: string, level: Level): Promise<Translated> {
    return ((await this.#ask({ kind: "translate", text, level })) as Extract<YoursReply, { kind: "translated" }>).translated;
  }

  #ask(request: Unsent): Promise<YoursReply> {
    return new Promise((done, failed) => {
      const id = ++this.#sent;
      this.#pending.set(id, { done, failed });
      this.#link.post({ ...request, id } as YoursRequest);
    });
  }
}
