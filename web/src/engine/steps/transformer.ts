// The transformer, computed piece by piece: the equations of src/models/transformer.h.

import type { Computed } from "./recurrent.ts";
import type { LayerNext, Look } from "./protocol.ts";
import { add, dot, softmax, type Weights, weighted } from "./weights.ts";

export interface Sizes {
  heads: number;
  encoderLayers: number;
  decoderLayers: number;
}

/** @param source ids, the end's included. @param previous what the decoder sees in each step: the end, then what was written. */
export function walkTransformer(w: Weights, sizes: Sizes, source: readonly number[], previous: readonly number[]): Computed {
  const { heads } = sizes;
  let x = source.map((id, t) => embed(w, id, t));
  for (let layer = 0; layer < sizes.encoderLayers; ++layer) {
    const name = `encoder.layers.${layer}`;
    const read = x.map((row) => w.norm(`${name}.norm1`, row));
    const own = memoryOf(w, `${name}.self_attn`, read);
    x = x.map((row, t) => add(row, bring(w, `${name}.self_attn`, attend(w, `${name}.self_attn`, read[t]!, own, heads))));
    x = x.map((row) => add(row, feedForward(w, name, w.norm(`${name}.norm2`, row))));
  }
  const memory = x.map((row) => w.norm("encoder.norm", row));

  const names = Array.from({ length: sizes.decoderLayers }, (_, layer) => `decoder.layers.${layer}`);
  const seen = names.map((name) => memoryOf(w, `${name}.multihead_attn`, memory));
  const written = names.map((): Memory => ({ keys: [], values: [] }));
  const steps = previous.map((id, t) => {
    const looks: Look[] = [];
    const next: LayerNext[] = [];
    let y = embed(w, id, t);
    names.forEach((name, layer) => {
      const read = w.norm(`${name}.norm1`, y);
      const { keys, values } = memoryOf(w, `${name}.self_attn`, [read]);
      written[layer]!.keys.push(...keys);
      written[layer]!.values.push(...values);
      y = add(y, bring(w, `${name}.self_attn`, attend(w, `${name}.self_attn`, read, written[layer]!, heads)));
      const look = attend(w, `${name}.multihead_attn`, w.norm(`${name}.norm2`, y), seen[layer]!, heads);
      const brings = bring(w, `${name}.multihead_attn`, look);
      const after = add(y, brings);
      looks.push(look);
      next.push({ before: y, brings, after });
      y = add(after, feedForward(w, name, w.norm(`${name}.norm3`, after)));
    });
    return { looks, next, last: w.norm("decoder.norm", y) };
  });
  return { memory, heads, keys: seen.map(({ keys }) => keys), values: seen.map(({ values }) => values), vector: null, steps };
}

interface Memory {
  keys: Float32Array[];
  values: Float32Array[];
}

/** sqrt(D) times the word's numbers, and its position's: sines and cosines in turn. */
function embed(w: Weights, id: number, position: number): Float32Array {
  const word = w.row("embedding.weight", id);
  const width = word.length;
  return word.map((x, i) => {
    const angle = position * 10000 ** ((-2 * Math.floor(i / 2)) / width);
    return Math.sqrt(width) * x + (i % 2 === 0 ? Math.sin(angle) : Math.cos(angle));
  });
}

function memoryOf(w: Weights, name: string, rows: readonly Float32Array[]): Memory {
  return { keys: rows.map((row) => w.linear(`${name}.k_proj`, row)), values: rows.map((row) => w.linear(`${name}.v_proj`, row)) };
}

function attend(w: Weights, name: string, state: Float32Array, { keys, values }: Memory, heads: number): Look {
  const query = w.linear(`${name}.q_proj`, state);
  const width = query.length / heads;
  const look: Look = { state, query, scores: [], weights: [], context: new Float32Array(query.length) };
  for (let head = 0; head < heads; ++head) {
    const part = (of: Float32Array) => of.subarray(head * width, (head + 1) * width);
    const scores = Float32Array.from(keys, (key) => dot(part(query), part(key)) / Math.sqrt(width));
    const weights = softmax(scores);
    look.scores.push(scores);
    look.weights.push(weights);
    look.context.set(weighted(weights, values.map(part)), head * width);
  }
  return look;
}

const bring = (w: Weights, name: string, { context }: Look) => w.linear(`${name}.out_proj`, context);

function feedForward(w: Weights, name: string, x: Float32Array): Float32Array {
  return w.linear(`${name}.linear2`, w.linear(`${name}.linear1`, x).map((value) => Math.max(0, value)));
}
