// The part of the address behind "#" keeps text, language, model, level, view and changes, so that a link brings back what one saw. It is
// not sent to any server.

import { type Network, networks, type TargetLanguage } from "../engine/models.ts";
import type { Changes, Level } from "../engine/protocol.ts";
import { isNone, readChanges, writeChanges } from "./changes.ts";
import { readView, writeView, type ViewState } from "./view-state.ts";

export interface Shown {
  text: string;
  to: TargetLanguage;
  model: Network;
  level: Level;
  view: ViewState;
  /** What is changed of the attention, in the sentence at this place; left out where nothing is. */
  changes?: Changes | undefined;
  at?: number | undefined;
}

const kLanguages = Object.keys(networks) as TargetLanguage[];
/** What a link that names no language means. */
const kFirstLanguage: TargetLanguage = "fr";
const kLevels: readonly Level[] = ["word", "piece"];
/** Longer text makes addresses that other programs cut. */
const kLongestText = 2000;
/** A character takes up to nine in an address; what is longer than this is not ours. */
const kLongestHash = 10 * kLongestText;

export function writeLanguage(to: TargetLanguage, fields: URLSearchParams): void {
  if (to !== kFirstLanguage) fields.set("to", to);
}

export function readLanguage(fields: URLSearchParams): TargetLanguage {
  return kLanguages.find((known) => known === fields.get("to")) ?? kFirstLanguage;
}

/** Whether a link can keep the text. */
export function fitsHash({ text }: Shown): boolean {
  return text.length <= kLongestText;
}

export function toHash(shown: Shown): string {
  const fields = new URLSearchParams();
  if (fitsHash(shown)) fields.set("text", shown.text);
  writeLanguage(shown.to, fields);
  fields.set("model", shown.model);
  fields.set("level", shown.level);
  writeView(shown.view, fields);
  if (shown.at && fitsHash(shown)) fields.set("at", String(shown.at));
  if (shown.changes && fitsHash(shown) && !isNone(shown.changes)) writeChanges(shown.changes, fields);
  return `#${fields}`;
}

/** Reads what is there and known; a link may have been cut or written by hand. What it says nothing about the view is as at first. */
export function fromHash(hash: string): Partial<Shown> & Pick<Shown, "to" | "view"> {
  const fields = new URLSearchParams(hash.length <= kLongestHash ? hash.replace(/^#/, "") : "");
  const text = fields.get("text");
  const to = readLanguage(fields);
  const model = networks[to].find((known) => known === fields.get("model"));
  const level = kLevels.find((known) => known === fields.get("level"));
  const changes = readChanges(fields);
  const at = /^\d{1,4}$/.test(fields.get("at") ?? "") ? Number(fields.get("at")) : 0;
  return {
    to, ...(text !== null && text.length <= kLongestText && { text }), ...(model && { model }), ...(level && { level }),
    view: readView(fields), ...(at > 0 && { at }), ...(!isNone(changes) && { changes }),
  };
}
