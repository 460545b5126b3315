import type { Failure, Level } from "./protocol.ts";
import { WorkerLink } from "./worker-link.ts";
import type { Languages, Looked, OwnModel, Translated, YoursReply, YoursRequest } from "./yours-protocol.ts";

type Unsent = YoursRequest extends infer Each ? (Each extends unknown ? Omit<Each, "id"> : never) : never;

/** Who waits for an answer. */
interface Call {
  done: (reply: YoursReply) => void;
  failed: (error: EngineFailure) => void;
  loading?: ((fraction: number) => void) | undefined;
}

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
  /** What is in use, and whether the worker that runs has it. */
  #opened: { model: OwnModel; languages: Languages; isThere: boolean } | undefined;
  readonly #pending = new Map<number, Call>();
  readonly #link = new WorkerLink<YoursRequest, YoursReply>(
    () => new Worker(new URL("./yours-worker.ts", import.meta.url), { type: "module" }),
    (reply) => {
      const call = this.#pending.get(reply.id);
      if (reply.kind === "loading") return call?.loading?.(reply.fraction);
      this.#pending.delete(reply.id);
      if (reply.kind === "failed") call?.failed(new EngineFailure({ code: reply.code, message: reply.message }));
      else call?.done(reply);
    },
    (failure) => {
      if (this.#opened) this.#opened.isThere = false;
      for (const { failed } of this.#pending.values()) failed(new EngineFailure(failure));
      this.#pending.clear();
    });

  async look(files: File[]): Promise<Looked[]> {
    return ((await this.#ask({ kind: "look", files })) as Extract<YoursReply, { kind: "looked" }>).files;
  }

  /** Downloads our sample, and looks into it. */
  async sample(loading: (fraction: number) => void): Promise<Looked[]> {
    return ((await this.#ask({ kind: "sample" }, loading)) as Extract<YoursReply, { kind: "looked" }>).files;
  }

  /** Gives up the download of the sample, which then fails. */
  cancelSample(): void {
    this.#link.tell({ kind: "cancel", id: ++this.#sent });
  }

  async open(model: OwnModel, languages: Languages): Promise<void> {
    await this.#ask({ kind: "open", model, languages });
    this.#opened = { model, languages, isThere: true };
  }

  /** With the model that was opened last; after a crash it is opened anew. */
  async translate(text: string, level: Level): Promise<Translated> {
    if (this.#opened && !this.#opened.isThere) await this.open(this.#opened.model, this.#opened.languages);
    return ((await this.#ask({ kind: "translate", text, level })) as Extract<YoursReply, { kind: "translated" }>).translated;
  }

  #ask(request: Unsent, loading?: Call["loading"]): Promise<YoursReply> {
    return new Promise((done, failed) => {
      const id = ++this.#sent;
      this.#pending.set(id, { done, failed, loading });
      this.#link.post({ ...request, id } as YoursRequest);
    });
  }
}
