// The part of the address behind "#" keeps both texts, language, model, level and view. It is not sent to any server.

import type { AlignModel } from "../engine/align-protocol.ts";
import { networks, type TargetLanguage } from "../engine/models.ts";
import type { Level } from "../engine/protocol.ts";
import { readLanguage, writeLanguage } from "../page/hash.ts";
import { readView, type ViewState, writeView } from "../page/view-state.ts";

export interface Shown {
  source: string;
  target: string;
  to: TargetLanguage;
  model: AlignModel;
  level: Level;
  view: ViewState;
}

const kModels: readonly AlignModel[] = ["transformer", "student", "additive", "dot"];
const kLevels: readonly Level[] = ["word", "piece"];

/** Of each text, in characters: a picture of more than this could not be read. */
export const kLongest = 1000;
/** A character takes up to nine in an address; what is longer than this is not ours. */
const kLongestHash = 20 * kLongest;

/** Whether a link can keep the texts. */
export function fitsHash({ source, target }: Shown): boolean {
  return source.length <= kLongest && target.length <= kLongest;
}

export function toHash(shown: Shown): string {
  const { source, target, to, model, level, view } = shown;
  const fields = new URLSearchParams(fitsHash(shown) ? { source, target } : {});
  writeLanguage(to, fields);
  fields.set("model", model);
  fields.set("level", level);
  writeView(view, fields);
  return `#${fields}`;
}

/** Reads what is there and known; a link may have been cut or written by hand. One text alone is as if there were none. */
export function fromHash(hash: string): Partial<Shown> & Pick<Shown, "to" | "view"> {
  const fields = new URLSearchParams(hash.length <= kLongestHash ? hash.replace(/^#/, "") : "");
  const [source, target] = [fields.get("source"), fields.get("target")];
  const areTexts = source !== null && target !== null && source.length <= kLongest && target.length <= kLongest;
  const to = readLanguage(fields);
  const model = kModels.find((known) => known === fields.get("model") && networks[to].includes(known));
  const level = kLevels.find((known) => known === fields.get("level"));
  return { to, ...(areTexts && { source, target }), ...(model && { model }), ...(level && { level }), view: readView(fields) };
}
