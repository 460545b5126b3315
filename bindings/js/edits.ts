import type { SentenceEdits } from "./core.js";
import { SoftalignError } from "./errors.js";

/**
 * One head of one of a model's attentions, layers and heads counted from 0: "cross", target tokens that look at source tokens;
 * "encoder", source tokens that look at each other; "decoder", target tokens that look at those before them. The recurrent
 * models with attention have one, the first of "cross".
 */
export interface AttentionHead {
  kind: "cross" | "encoder" | "decoder";
  layer: number;
  head: number;
}

/** Where a target token is made to look. */
export interface EditedRow {
  /** Which target token, as an index of `targetTokens`. */
  target: number;
  /**
   * How much it looks at each of the `sourceTokens` (there must be as many), in any unit: what counts is their ratios among
   * the tokens of its sentence.
   */
  weights: ArrayLike<number>;
  /** The "cross" head that looks there. All of the model's if left out. */
  head?: AttentionHead | undefined;
}

/**
 * What attention is made to do while a text is translated. Tokens are those of the explanation, of the level asked for and with
 * the ends of sentences if `special` asks for them; indices count through the whole text. What a translation is made to say
 * is its `prefix`.
 */
export interface Edits {
  /**
   * Source tokens that no attention looks at, as indices of `sourceTokens`: their weight is 0, and goes to the others. A transformer
   * does not see them at all, a recurrent model's encoder has still read them when it reads their neighbours.
   */
  mask?: readonly number[] | undefined;
  /** Heads that look at nothing: their weights are 0, and so is what they bring. */
  off?: readonly AttentionHead[] | undefined;
  /**
   * Target tokens that look where they are told. Those before the first of them stay as they were (with a beam of 1), what follows
   * is translated anew; a row is that of the token which then has that index.
   */
  rows?: readonly EditedRow[] | undefined;
  /**
   * No attention: every target token looks at all source tokens alike, as an encoder-decoder without attention does; but for
   * `rows`. (With all "cross" heads off it sees nothing of them.)
   */
  uniform?: boolean | undefined;
}

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
