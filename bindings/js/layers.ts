import type { AttentionCore, AttentionResult, CoreModule, GruCore, Handle, Result } from "./core.js";
import { type Engine, loadEngine } from "./engine.js";
import { SoftalignError } from "./errors.js";

// The building blocks of the models, one at a time, for lessons and experiments. Every matrix is a
// Float32Array, row by row: element [r, c] of an [R, C] matrix is at r * C + c.

/** The part that all layers share: a handle on WASM memory that is given back once. */
class Layer<Core extends Handle> {
  readonly #engine: Engine;
  #core: Core | undefined;

  constructor(engine: Engine, core: Core) {
    this.#engine = engine;
    this.#core = core;
  }

  call<T>(body: (core: Core) => Result<T>): T {
    const core = this.#core;
    if (!core) throw new SoftalignError("destroyed", "this layer was disposed of");
    return this.#engine.call(() => body(core));
  }

  dispose(): void {
    if (this.#core) this.#engine.free(this.#core);
    this.#core = undefined;
  }

  static async load<Core extends Handle>(create: (module: CoreModule) => Result<Core>): Promise<Layer<Core>> {
    const engine = await loadEngine();
    return new Layer(engine, engine.call(create));
  }
}

function checkFloats(value: unknown, argument: string): Float32Array {
  if (value instanceof Float32Array) return value;
  throw new SoftalignError("argument", `${argument} is not a Float32Array`);
}

function checkWidth(value: unknown, argument: string): number {
  if (Number.isInteger(value) && (value as number) > 0 && (value as number) <= 65536) return value as number;
  throw new SoftalignError("argument", `${argument} is ${String(value)}, expected a whole number from 1 to 65536`);
}

/** Sizes and weights of a {@link Gru}. I is the input width, H the state width. */
export interface GruOptions {
  /** I, the width of an input. */
  input: number;
  /** H, the width of the state. */
  hidden: number;
  /** [3H, I], the rows of the reset gate first, then the update gate's, then the candidate's. */
  inputWeight: Float32Array;
  /** [3H, H], in the same order. */
  hiddenWeight: Float32Array;
  /** [3H]; zeros if left out. */
  inputBias?: Float32Array | undefined;
  /** [3H]; zeros if left out. */
  hiddenBias?: Float32Array | undefined;
}

/**
 * A gated recurrent unit (Cho et al. 2014) in PyTorch's convention, so weights of `torch.nn.GRU`
 * (`weight_ih_l0`, `weight_hh_l0`, `bias_ih_l0`, `bias_hh_l0`) can be used as they are:
 *
 *     r = sigmoid(W_r x + b_r + U_r h + c_r)
 *     z = sigmoid(W_z x + b_z + U_z h + c_z)
 *     n = tanh(W_n x + b_n + r * (U_n h + c_n))
 *     h' = (1 - z) * n + z * h
 */
export class Gru {
  readonly input: number;
  readonly hidden: number;
  readonly #layer: Layer<GruCore>;

  private constructor(layer: Layer<GruCore>, input: number, hidden: number) {
    this.#layer = layer;
    this.input = input;
    this.hidden = hidden;
  }

  /** @throws {SoftalignError} `shape` if a weight's length does not fit, `argument`. */
  static async create(options: GruOptions): Promise<Gru> {
    const input = checkWidth(options.input, "input");
    const hidden = checkWidth(options.hidden, "hidden");
    const inputWeight = checkFloats(options.inputWeight, "inputWeight");
    const hiddenWeight = checkFloats(options.hiddenWeight, "hiddenWeight");
    const inputBias = checkFloats(options.inputBias ?? new Float32Array(3 * hidden), "inputBias");
    const hiddenBias = checkFloats(options.hiddenBias ?? new Float32Array(3 * hidden), "hiddenBias");
    const layer = await Layer.load((module) =>
      module.createGru(input, hidden, inputWeight, hiddenWeight, inputBias, hiddenBias),
    );
    return new Gru(layer, input, hidden);
  }

  /**
   * Reads a sequence from first to last.
   * @param inputs [T, I], T steps.
   * @param initial [H], the state before the first step; zeros if left out.
   * @returns a fresh array [T, H]: the state after each step.
   * @throws {SoftalignError} `shape` if a length does not fit, `destroyed`.
   */
  run(inputs: Float32Array, initial: Float32Array = new Float32Array(this.hidden)): Float32Array {
    checkFloats(inputs, "inputs");
    checkFloats(initial, "initial");
    return this.#layer.call((core) => core.run(inputs, initial));
  }

  /**
   * One step.
   * @param input [I]. @param state [H].
   * @returns a fresh array [H]: the next state.
   * @throws {SoftalignError} `shape` if a length does not fit, `destroyed`.
   */
  step(input: Float32Array, state: Float32Array): Float32Array {
    checkFloats(input, "input");
    if (input.length !== this.input) {
      throw new SoftalignError("shape", `Gru: input has ${input.length} floats, expected ${this.input}`);
    }
    return this.run(input, state);
  }

  /** Frees the WASM memory. A second call does nothing. */
  dispose(): void {
    this.#layer.dispose();
  }

  /** `using` calls it at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What attention gives back. */
export type Attended = AttentionResult;

/** Sizes and weights of an {@link AdditiveAttention}. */
export interface AdditiveAttentionOptions {
  /** Q, the width of a query. */
  query: number;
  /** K, the width of a key. */
  key: number;
  /** A, the width in which both meet. */
  width: number;
  /** W [A, Q]. */
  queryWeight: Float32Array;
  /** U [A, K]. */
  keyWeight: Float32Array;
  /** [A]; zeros if left out, as in the paper. */
  bias?: Float32Array | undefined;
  /** v [A]. */
  score: Float32Array;
}

/**
 * Additive attention (Bahdanau, Cho & Bengio 2015, A.1.2):
 *
 *     e[s] = v . tanh(W q + U k[s] + bias)
 *     alignment = softmax(e)
 *     context = sum over s of alignment[s] * values[s]
 */
export class AdditiveAttention {
  readonly #layer: Layer<AttentionCore>;

  private constructor(layer: Layer<AttentionCore>) {
    this.#layer = layer;
  }

  /** @throws {SoftalignError} `shape` if a weight's length does not fit, `argument`. */
  static async create(options: AdditiveAttentionOptions): Promise<AdditiveAttention> {
    const query = checkWidth(options.query, "query");
    const key = checkWidth(options.key, "key");
    const width = checkWidth(options.width, "width");
    const queryWeight = checkFloats(options.queryWeight, "queryWeight");
    const keyWeight = checkFloats(options.keyWeight, "keyWeight");
    const bias = checkFloats(options.bias ?? new Float32Array(width), "bias");
    const score = checkFloats(options.score, "score");
    return new AdditiveAttention(
      await Layer.load((module) =>
        module.createAdditiveAttention(query, key, width, queryWeight, keyWeight, bias, score),
      ),
    );
  }

  /**
   * Attends from one query to S source positions.
   * @param query [Q].
   * @param keys [S, K].
   * @param values [S, V], what is averaged; the keys themselves if left out.
   * @returns fresh arrays: `context` [V], and `alignment` [S] whose sum is 1.
   * @throws {SoftalignError} `shape` if a length does not fit, `destroyed`.
   */
  attend(query: Float32Array, keys: Float32Array, values: Float32Array = keys): Attended {
    return attend(this.#layer, query, keys, values);
  }

  /** Frees the WASM memory. A second call does nothing. */
  dispose(): void {
    this.#layer.dispose();
  }

  /** `using` calls it at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Sizes and weights of a {@link DotAttention}. */
export interface DotAttentionOptions {
  /** Q, the width of a query. */
  query: number;
  /** K, the width of a key. */
  key: number;
  /** A, the width of the products. */
  width: number;
  /** W_Q [A, Q]. */
  queryWeight: Float32Array;
  /** W_K [A, K]. */
  keyWeight: Float32Array;
}

/**
 * Dot-product attention with linear maps:
 *
 *     e[s] = (W_K k[s]) . (W_Q q)
 *     alignment = softmax(e)
 *     context = sum over s of alignment[s] * values[s]
 */
export class DotAttention {
  readonly #layer: Layer<AttentionCore>;

  private constructor(layer: Layer<AttentionCore>) {
    this.#layer = layer;
  }

  /** @throws {SoftalignError} `shape` if a weight's length does not fit, `argument`. */
  static async create(options: DotAttentionOptions): Promise<DotAttention> {
    const query = checkWidth(options.query, "query");
    const key = checkWidth(options.key, "key");
    const width = checkWidth(options.width, "width");
    const queryWeight = checkFloats(options.queryWeight, "queryWeight");
    const keyWeight = checkFloats(options.keyWeight, "keyWeight");
    return new DotAttention(
      await Layer.load((module) => module.createDotAttention(query, key, width, queryWeight, keyWeight)),
    );
  }

  /**
   * Attends from one query to S source positions.
   * @param query [Q].
   * @param keys [S, K].
   * @param values [S, V], what is averaged; the keys themselves if left out.
   * @returns fresh arrays: `context` [V], and `alignment` [S] whose sum is 1.
   * @throws {SoftalignError} `shape` if a length does not fit, `destroyed`.
   */
  attend(query: Float32Array, keys: Float32Array, values: Float32Array = keys): Attended {
    return attend(this.#layer, query, keys, values);
  }

  /** Frees the WASM memory. A second call does nothing. */
  dispose(): void {
    this.#layer.dispose();
  }

  /** `using` calls it at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}

function attend(layer: Layer<AttentionCore>, query: Float32Array, keys: Float32Array, values: Float32Array): Attended {
  checkFloats(query, "query");
  checkFloats(keys, "keys");
  checkFloats(values, "values");
  return layer.call((core) => core.attend(query, keys, values));
}
