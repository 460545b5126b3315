// The recurrent networks with attention, computed piece by piece: the equations of src/models/seq2seq.h.

import type { RecurrentNext, Step } from "./protocol.ts";
import { add, dot, sigmoid, softmax, type Weights, weighted } from "./weights.ts";

/** What a network has computed for a translation, before anything is said of words. */
export interface Computed {
  memory: Float32Array[];
  heads: number;
  keys: Float32Array[][];
  values: Float32Array[][];
  vector: Float32Array | null;
  steps: Pick<Step, "looks" | "next" | "last">[];
}

/** @param source ids, the end's included. @param previous what the decoder sees in each step: the end, then what was written. */
export function walkRecurrent(w: Weights, source: readonly number[], previous: readonly number[]): Computed {
  const embed = (id: number) => w.row("embedding.weight", id);
  const words = source.map(embed);
  const forward = read(w, "encoder.forward", words);
  const backward = read(w, "encoder.backward", [...words].reverse()).reverse();
  const memory = forward.map((h, j) => join(h, backward[j]!));

  const vector = w.has("attention.score") ? w.get("attention.score").data : null;
  const keys = memory.map((h) => w.linear("attention.key", h));
  let state: Float32Array = w.linear("decoder.start", join(forward.at(-1)!, backward[0]!)).map(Math.tanh);
  const steps = previous.map((id) => {
    const query = w.linear("attention.query", state);
    const scores = Float32Array.from(keys, (key) => (vector ? additive(query, key, vector) : dot(query, key)));
    const weights = softmax(scores);
    const context = weighted(weights, memory);
    const look = { state, query, scores: [scores], weights: [weights], context };
    const input = embed(id);
    const gates = add(gru(w, "decoder.gru", "ih", input), w.linear("decoder.gru.context", context));
    const next: RecurrentNext = { input, ...advance(gates, gru(w, "decoder.gru", "hh", state), state) };
    state = next.state;
    const last = add(add(w.linear("readout.state", state), w.linear("readout.context", context)), w.linear("readout.previous", input)).map(Math.tanh);
    return { looks: [look], next, last };
  });
  return { memory, heads: 1, keys: [keys], values: [memory], vector, steps };
}

/** The states of a GRU that reads words in the order given. */
function read(w: Weights, name: string, words: readonly Float32Array[]): Float32Array[] {
  let state: Float32Array = new Float32Array(w.get(`${name}.weight_hh`).shape[1]!);
  return words.map((x) => (state = advance(gru(w, name, "ih", x), gru(w, name, "hh", state), state).state));
}

function gru(w: Weights, name: string, part: "ih" | "hh", x: Float32Array): Float32Array {
  return w.product(`${name}.weight_${part}`, x, w.get(`${name}.bias_${part}`).data);
}

/** PyTorch's GRU: gates r, z, n below each other; what comes from the input, and from the state. */
function advance(fromInput: Float32Array, fromState: Float32Array, state: Float32Array): Omit<RecurrentNext, "input"> {
  const width = state.length;
  const part = (gate: number, of: Float32Array) => of.subarray(gate * width, (gate + 1) * width);
  const gate = (index: number) => add(part(index, fromInput), part(index, fromState)).map(sigmoid);
  const reset = gate(0);
  const keep = gate(1);
  const candidate = part(2, fromInput).map((x, i) => Math.tanh(x + reset[i]! * part(2, fromState)[i]!));
  return { keep, candidate, state: candidate.map((n, i) => (1 - keep[i]!) * n + keep[i]! * state[i]!) };
}

function additive(query: Float32Array, key: Float32Array, vector: Float32Array): number {
  return query.reduce((sum, q, i) => sum + vector[i]! * Math.tanh(q + key[i]!), 0);
}

function join(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
