import type { TranslatorModel } from "./pivot.js";

/** A model that is open in several engines, in the guise of one: each call goes to the engine that has the fewest to answer. */
export class Team implements TranslatorModel {
  readonly #members: { model: TranslatorModel; calls: number }[];
  readonly ended: AbortSignal;

  constructor(models: readonly [TranslatorModel, ...TranslatorModel[]]) {
    this.#members = models.map((model) => ({ model, calls: 0 }));
    this.ended = models[0].ended;
  }

  call: TranslatorModel["call"] = async (signal, method, ...args) => {
    const member = this.#members.reduce((idlest, each) => (each.calls < idlest.calls ? each : idlest));
    ++member.calls;
    try {
      return await member.model.call(signal, method, ...args);
    } finally {
      --member.calls;
    }
  };

  free(reason: unknown): void {
    for (const { model } of this.#members) model.free(reason);
  }
}
