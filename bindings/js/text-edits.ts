import type { SentenceEdits } from "./core.js";
import type { AttentionHead, Edits } from "./edits.js";
import { SoftalignError } from "./errors.js";

/** Edits of a text, sentence by sentence. */
export class TextEdits {
  readonly #edits: Omit<SentenceEdits, "special">;
  readonly #special: boolean;

  /** @throws {SoftalignError} `argument` for what is no such thing. */
  constructor({ mask = [], off = [], rows = [], uniform = false }: Edits, special: boolean) {
    this.#special = special;
    this.#edits = {
      mask: checkList(mask, "edits.mask").map((token, i) => checkIndex(token, `edits.mask[${i}]`)),
      off: checkList(off, "edits.off").map((head, i) => checkHead(head, `edits.off[${i}]`)),
      rows: checkList(rows, "edits.rows").map(({ target, weights, head }, i) => ({
        target: checkIndex(target, `edits.rows[${i}].target`),
        weights: Float32Array.from(weights ?? [], (weight, s) => checkWeight(weight, `edits.rows[${i}].weights[${s}]`)),
        head: head && checkHead(head, `edits.rows[${i}].head`),
      })),
      uniform: Boolean(uniform),
    };
  }

  /** Those of the sentence whose first tokens have these indices. */
  from(source: number, target: number): SentenceEdits {
    const { mask, rows, ...others } = this.#edits;
    return {
      ...others,
      mask: mask.map((token) => token - source),
      rows: rows.filter((row) => row.target >= target)
        .sort((a, b) => a.target - b.target)
        .map((row) => ({ ...row, target: row.target - target, weights: row.weights.slice(source) })),
      special: this.#special,
    };
  }

  /** @throws {SoftalignError} `argument` for what is beyond a text of so many tokens. */
  checkWithin(sources: number, targets: number): void {
    const { mask, rows } = this.#edits;
    mask.forEach((token, i) => checkBelow(token, sources, `edits.mask[${i}]`, "source"));
    rows.forEach(({ target, weights }, i) => {
      checkBelow(target, targets, `edits.rows[${i}].target`, "target");
      if (weights.length === sources) return;
      throw new SoftalignError("argument", `edits.rows[${i}].weights has ${weights.length} numbers, expected one for each of ${sources} source tokens`);
    });
  }
}

function checkBelow(index: number, count: number, argument: string, side: string): void {
  if (index < count) return;
  throw new SoftalignError("argument", `${argument} is ${index}, expected the index of one of ${count} ${side} tokens`);
}

function checkList<T>(list: readonly T[], argument: string): readonly T[] {
  if (Array.isArray(list)) return list;
  throw new SoftalignError("argument", `${argument} is ${String(list)}, expected an array`);
}

function checkWeight(weight: number, argument: string): number {
  if (Number.isFinite(weight) && weight >= 0) return weight;
  throw new SoftalignError("argument", `${argument} is ${String(weight)}, expected a number of at least 0`);
}

function checkIndex(index: number, argument: string): number {
  if (Number.isInteger(index) && index >= 0 && index < 2 ** 31) return index;
  throw new SoftalignError("argument", `${argument} is ${String(index)}, expected a whole number from 0`);
}

function checkHead({ kind, layer, head }: AttentionHead, argument: string): AttentionHead {
  if (kind !== "cross" && kind !== "encoder" && kind !== "decoder") {
    throw new SoftalignError("argument", `${argument}.kind is ${JSON.stringify(kind)}, expected "cross", "encoder" or "decoder"`);
  }
  return { kind, layer: checkIndex(layer, `${argument}.layer`), head: checkIndex(head, `${argument}.head`) };
}
