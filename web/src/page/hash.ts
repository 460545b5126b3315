// The part of the address behind "#" keeps text, model and level, so that a link brings back what one saw. It is not sent
// to any server.

import type { Level, ModelId } from "../engine/protocol.ts";

export interface Shown {
  text: string;
  model: ModelId;
  level: Level;
}

const kModels: readonly ModelId[] = ["transformer", "additive", "dot", "plain"];
const kLevels: readonly Level[] = ["word", "piece"];
/** Longer text makes addresses that other programs cut. */
const kLongestText = 2000;

export function toHash({ text, model, level }: Shown): string {
  const fields = new URLSearchParams();
  if (text.length <= kLongestText) fields.set("text", text);
  fields.set("model", model);
  fields.set("level", level);
  return `#${fields}`;
}

/** Reads what is there and known; a link may have been cut or written by hand. */
export function fromHash(hash: string): Partial<Shown> {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const text = fields.get("text");
  const model = kModels.find((known) => known === fields.get("model"));
  const level = kLevels.find((known) => known === fields.get("level"));
  return { ...(text !== null && { text }), ...(model && { model }), ...(level && { level }) };
}
