import type { LayerCore } from "../core.js";
import { type Engine, loadEngine } from "../engine.js";
import { SoftalignError } from "../errors.js";

/** Numbers in a shape, row by row: element [i, j] of a matrix [R, C] is `data[i * C + j]`. */
export interface Tensor {
  data: Float32Array;
  shape: number[];
}

/** A tensor as an argument. */
export interface TensorLike {
  readonly data: Float32Array;
  readonly shape: ArrayLike<number>;
}

/** Weights by name, as PyTorch's `state_dict()` names them. {@link readSafetensors} makes one. */
export type StateDict = Readonly<Record<string, TensorLike>>;

/** The weights of a layer: a state dict, or the bytes of a safetensors file that holds one. */
export type Weights = StateDict | ArrayBuffer | Uint8Array;

/** What every layer may be created with. */
export interface LayerOptions {
  /** What the names of this layer's weights begin with in the state dict, as "encoder."; all others are not looked at. */
  prefix?: string | undefined;
  /** `false` for a layer that was trained without biases, as in PyTorch: they are 0 and not in the state dict. */
  bias?: boolean | undefined;
}

/** What every layer over sequences takes. */
export interface SequenceOptions {
  /** How long each of the B sequences is, 1 to T; all are T long if left out. What lies beyond is not looked at. */
  lengths?: ArrayLike<number> | undefined;
}

export interface Output {
  output: Tensor;
}

/**
 * The tensors of a safetensors file, by name, such as PyTorch's `safetensors.torch.save_file(model.state_dict(), path)`
 * writes. Every type becomes floats; integers of more than 24 bits are rounded.
 * @throws {SoftalignError} `format` if the bytes are no such file.
 */
export async function readSafetensors(file: ArrayBuffer | Uint8Array): Promise<Record<string, Tensor>> {
  return read(await loadEngine(), file);
}

function read(engine: Engine, file: ArrayBuffer | Uint8Array): Record<string, Tensor> {
  if (!isBytes(file)) throw new SoftalignError("argument", "the file is neither an ArrayBuffer nor a Uint8Array");
  const list = engine.call((core) => core.readSafetensors(file instanceof ArrayBuffer ? new Uint8Array(file) : file));
  return Object.fromEntries(list.map(({ name, tensor }) => [name, tensor]));
}

function isBytes(value: unknown): value is ArrayBuffer | Uint8Array {
  return value instanceof ArrayBuffer || value instanceof Uint8Array;
}

// What crosses to C++ is plain objects, numbers, strings, booleans, Float32Arrays and, for all other lists of numbers,
// Float64Arrays: no getter, iterator or proxy of the caller's runs while WASM is on the stack.
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return Float64Array.from(value.flat(), Number);
  if (ArrayBuffer.isView(value)) return value instanceof Float32Array ? value : Float64Array.from(value as Uint8Array, Number);
  const given = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(given.map(([name, part]) => [name, plain(part)]));
}

/** A layer's weights in the WASM memory. Only `create` makes one. */
export interface LoadedLayer {
  readonly engine: Engine;
  readonly core: LayerCore;
}

export async function load(kind: string, options: object, weights: Weights): Promise<LoadedLayer> {
  const engine = await loadEngine();
  const state = plain(isBytes(weights) ? read(engine, weights) : weights);
  return { engine, core: engine.call((core) => core.createLayer(kind, plain(options), state)) };
}

/**
 * What all layers share. A layer is made by its `create(options, weights)`, computes with `forward` and holds WASM
 * memory until `dispose()`. Results are fresh arrays of the caller's.
 *
 * Dimensions are named as everywhere in softalign: B batch, T and S lengths of sequences, D width, H heads (or
 * hidden width). Sequences are time-major, [T, B, D], as PyTorch's are unless `batch_first`.
 *
 * All layers throw {@link SoftalignError}s: `argument` for an option that is missing, unknown or out of its range, or
 * a weight that is missing or left over; `shape` for a tensor or weight of another shape; `format` for bytes that are
 * no safetensors file; `destroyed` after `dispose()`; `out_of_memory`.
 */
export abstract class Layer {
  readonly #engine: Engine;
  #core: LayerCore | undefined;

  /** @hidden */
  protected constructor(loaded: LoadedLayer) {
    this.#engine = loaded.engine;
    this.#core = loaded.core;
  }

  /** @hidden */
  protected run<T>(inputs: object): T {
    const core = this.#core;
    if (!core) throw new SoftalignError("destroyed", "this layer was disposed of");
    const given = plain(inputs);
    return this.#engine.call(() => core.forward(given)) as T;
  }

  /** Gives the WASM memory back. A second call does nothing. */
  dispose(): void {
    if (this.#core) this.#engine.free(this.#core);
    this.#core = undefined;
  }

  /** `using` calls it at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
