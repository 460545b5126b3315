import { SoftalignError } from "./errors.js";

/** What tokens are: the subword pieces the model works with, or whole words (runs of pieces). */
export type Level = "piece" | "word";

export function checkText(text: unknown, argument: string): string {
  if (typeof text === "string") return text;
  throw new SoftalignError("argument", `${argument} is of type ${typeof text}, expected a string`);
}

/** What a call is given as its options. */
export function checkOptions<O extends object>(options: O | undefined): O {
  if (typeof options !== "object" || options === null) {
    throw new SoftalignError("argument", `options is ${String(options)}, expected an object`);
  }
  const { signal } = options as { signal?: unknown };
  // Not by its class: a signal may be another window's.
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted !== "function") {
    throw new SoftalignError("argument", `signal is ${String(signal)}, expected an AbortSignal`);
  }
  return options;
}

export function checkFunction<F>(given: F, argument: string): F {
  if (given === undefined || typeof given === "function") return given;
  throw new SoftalignError("argument", `${argument} is ${String(given)}, expected a function`);
}

export function checkLevel(level: Level = "word"): Level {
  if (level === "word" || level === "piece") return level;
  throw new SoftalignError("argument", `level is ${JSON.stringify(level)}, expected "word" or "piece"`);
}

export function checkBeam(beam: number = 1): number {
  if (Number.isInteger(beam) && beam >= 1 && beam <= 16) return beam;
  throw new SoftalignError("argument", `beam is ${String(beam)}, expected a whole number from 1 to 16`);
}

/** 0 if left out. */
export function checkLengthFactor(factor: number | undefined): number {
  if (factor === undefined) return 0;
  if (typeof factor === "number" && factor >= 0.1 && factor <= 10) return factor;
  throw new SoftalignError("argument", `maxLengthFactor is ${String(factor)}, expected a number from 0.1 to 10`);
}

export function checkWorkers({ worker, workers = 1 }: { worker?: boolean | undefined; workers?: number | undefined }): number {
  if (worker !== undefined && typeof worker !== "boolean") {
    throw new SoftalignError("argument", `worker is ${JSON.stringify(worker)}, expected true or false`);
  }
  if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
    throw new SoftalignError("argument", `workers is ${String(workers)}, expected a whole number from 1 to 64`);
  }
  if (worker === false && workers > 1) throw new SoftalignError("argument", `workers is ${workers} where worker is false, expected 1`);
  return workers;
}
