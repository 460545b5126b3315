import { SoftalignError } from "./errors.js";

/** What tokens are: the subword pieces the model works with, or whole words (runs of pieces). */
export type Level = "piece" | "word";

export function checkText(text: unknown, argument: string): string {
  if (typeof text === "string") return text;
  throw new SoftalignError("argument", `${argument} is of type ${typeof text}, expected a string`);
}

export function checkLevel(level: Level = "word"): Level {
  if (level === "word" || level === "piece") return level;
  throw new SoftalignError("argument", `level is ${JSON.stringify(level)}, expected "word" or "piece"`);
}
