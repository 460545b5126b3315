// What a visitor changes of a sentence's attention, as plain data: how one change is added to others, and how a link keeps them. Pure.

import type { AttentionHead } from "softalign";
import type { Changes } from "../engine/protocol.ts";

export const kNoChanges: Changes = { hidden: [], rows: [], off: [], uniform: false, begin: "" };

/** Weights of a changed row are whole, so that a link has them as they are. */
const kWhole = 1000;
/** What is longer was not made here. */
const kLongestBegin = 500;
const kMostTokens = 1000;

export function isNone({ hidden, rows, off, uniform, begin }: Changes): boolean {
  return hidden.length + rows.length + off.length + begin.length === 0 && !uniform;
}

export function isSame(a: Changes, b: Changes): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Gives one weight of a row this share, and the others the rest in the proportions they have in `row`, or else in `own`, the row as
 * the network made it; where those have nothing either, all alike. Hidden tokens get nothing.
 */
export function weighed(
  changes: Changes, target: number, column: number, weight: number, row: ArrayLike<number>, own: ArrayLike<number> | undefined,
): Changes {
  const length = row.length;
  const others = Array.from({ length }, (_, index) => index).filter((index) => index !== column && !changes.hidden.includes(index));
  const share = others.length === 0 ? kWhole : Math.round(kWhole * Math.min(1, Math.max(0, weight)));
  const proportions = [row, own, Array(length).fill(1)]
    .find((list) => list?.length === length && others.some((index) => list[index]! > 0.0005))!;
  const sum = others.reduce((all, index) => all + proportions[index]!, 0);
  const weights = Array<number>(length).fill(0);
  for (const index of others) weights[index] = Math.round(((kWhole - share) * proportions[index]!) / sum);
  weights[column] = share;
  return withRow(changes, { target, weights });
}

/** Lets a row look by itself again. */
export function letGo(changes: Changes, target: number): Changes {
  return { ...changes, rows: changes.rows.filter((row) => row.target !== target) };
}

/** Hides a source token, or shows it again. A changed row that looked at nothing else is let go. */
export function hiddenOrShown(changes: Changes, column: number): Changes {
  if (changes.hidden.includes(column)) return { ...changes, hidden: changes.hidden.filter((index) => index !== column) };
  const rows = changes.rows.map(({ target, weights }) => ({ target, weights: weights.map((weight, index) => (index === column ? 0 : weight)) }))
    .filter(({ weights }) => weights.some((weight) => weight > 0));
  return { ...changes, rows, hidden: [...changes.hidden, column].sort((a, b) => a - b) };
}

/** Lets a word of the translation be another; what comes after is written anew, and changed rows from there on are let go. */
export function written(changes: Changes, { target, before, word }: { target: number; before: string; word: string }): Changes {
  // A space finishes the word, but for what the next one leans on, as in "l'homme".
  const begin = `${before}${word}${/['’-]$/.test(word) ? "" : " "}`;
  return begin.length > kLongestBegin ? changes : { ...changes, begin, rows: changes.rows.filter((row) => row.target < target) };
}

/** Lets the translation begin so at most: what follows is free. */
export function freedFrom(changes: Changes, before: string): Changes {
  return before.length < changes.begin.length ? { ...changes, begin: before } : changes;
}

/** Switches heads off or on. */
export function switched(changes: Changes, heads: readonly AttentionHead[], off: boolean): Changes {
  const names = heads.map(nameOf);
  const others = changes.off.filter((head) => !names.includes(nameOf(head)));
  return { ...changes, off: off ? [...others, ...heads].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)) : others };
}

/** Whether the changes are about tokens that there are. Which heads there are the engine knows. */
export function fits({ hidden, rows }: Changes, sources: number): boolean {
  return hidden.every((index) => index < sources) && rows.every(({ weights }) => weights.length === sources &&
    weights.some((weight, index) => weight > 0 && !hidden.includes(index)));
}

/** Writes them into a link's fields, if there are any. */
export function writeChanges({ hidden, rows, off, uniform, begin }: Changes, fields: URLSearchParams): void {
  if (hidden.length > 0) fields.set("hide", hidden.join("."));
  if (rows.length > 0) fields.set("look", rows.map(({ target, weights }) => [target, ...weights].join(".")).join("_"));
  if (off.length > 0) fields.set("off", off.map(nameOf).join("_"));
  if (uniform) fields.set("uniform", "1");
  if (begin !== "") fields.set("begin", begin);
}

/** Reads what is there and well formed; whether it fits a sentence is seen when there is one. */
export function readChanges(fields: URLSearchParams): Changes {
  const indices = listOf(fields.get("hide"), ".").map(Number);
  const rows = listOf(fields.get("look"), "_").map((row) => row.split(".").map(Number));
  const off = listOf(fields.get("off"), "_").map(headOf);
  const begin = fields.get("begin") ?? "";
  const isIndex = (index: number) => Number.isInteger(index) && index >= 0 && index < kMostTokens;
  const areRows = rows.every((row) => row.length > 1 && isIndex(row[0]!) && row.slice(1).every((weight) => isIndex(weight) || weight === kWhole));
  const targets = new Set(rows.map(([target]) => target));
  return {
    hidden: indices.every(isIndex) ? [...new Set(indices)].sort((a, b) => a - b) : [],
    rows: areRows && targets.size === rows.length
      ? rows.map(([target, ...weights]) => ({ target: target!, weights })).sort((a, b) => a.target - b.target) : [],
    off: off.every((head) => head !== null) ? off : [],
    uniform: fields.get("uniform") === "1",
    begin: begin.length <= kLongestBegin ? begin : "",
  };
}

function withRow(changes: Changes, row: Changes["rows"][number]): Changes {
  const others = changes.rows.filter(({ target }) => target !== row.target);
  return { ...changes, rows: [...others, row].sort((a, b) => a.target - b.target) };
}

function listOf(text: string | null, separator: string): string[] {
  return text === null || !/^\w+(\.\w+)*$/.test(text) ? [] : text.split(separator);
}

const kKinds = { c: "cross", e: "encoder", d: "decoder" } as const;

/** Of a head, as in "e0.3": kind, layer, head. */
export function nameOf({ kind, layer, head }: AttentionHead): string {
  return `${kind[0]}${layer}.${head}`;
}

export function headOf(name: string): AttentionHead | null {
  const [, kind, layer, head] = name.match(/^([ced])(\d{1,2})\.(\d{1,2})$/) ?? [];
  return kind ? { kind: kKinds[kind as "c" | "e" | "d"], layer: Number(layer), head: Number(head) } : null;
}
