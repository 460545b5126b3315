import { readSafetensors, type Tensor, type Translator } from "softalign";
import { asRead } from "../../../../bindings/js/stand-ins.ts";
import { readSafetensors as readHeader } from "../model-files/safetensors.ts";
import type { Guess, StepsModel, Walk } from "./protocol.ts";
import { type Computed, walkRecurrent } from "./recurrent.ts";
import { walkTransformer } from "./transformer.ts";
import { Vocabulary } from "./vocabulary.ts";
import { type Rounding, softmax, Weights } from "./weights.ts";

const kGuesses = 5;
/** The engine's own numbers are not further from ours, if all is right. */
export const kApart = 2e-3;
const kRoundings: readonly Rounding[] = ["7 bits", "14 bits"];

/** Thrown for a text of which the numbers would not be those of the engine. */
export class ApartError extends Error {
  readonly code = "apart";
}

/** A model's file, read: its weights as numbers, its pieces, and its config. */
export class StepsNetwork {
  readonly #tensors: Record<string, Tensor>;
  readonly #config: Record<string, unknown>;
  readonly #vocabulary: Vocabulary;
  /** Which of its two ways to multiply the engine takes in this browser is seen by what agrees. */
  #roundings = kRoundings;

  private constructor(tensors: Record<string, Tensor>, config: Record<string, unknown>) {
    this.#tensors = tensors;
    this.#config = config;
    this.#vocabulary = new Vocabulary(Uint8Array.from(tensors["tokenizer.sentencepiece"]!.data));
  }

  static async of(bytes: Uint8Array): Promise<StepsNetwork> {
    const header = readHeader(bytes);
    return new StepsNetwork(await readSafetensors(bytes), header.kind === "model" ? header.config! : {});
  }

  /** The engine translates; its translation is then computed anew, every number of it kept, and compared with what the engine says. */
  async walk(model: StepsModel, translator: Translator, sentence: string): Promise<Omit<Walk, "sentences">> {
    const text = asRead(sentence);
    const explained = await translator.explain(text, { level: "piece", special: true, heads: true });
    const [source, target] = [explained.sourceTokens, explained.targetTokens].map((tokens) => tokens.map(({ id }) => id!)) as [number[], number[]];
    const previous = [this.#vocabulary.end, ...target.slice(0, -1)];
    const cross = explained.heads!.filter(({ kind }) => kind === "cross");
    let best: Omit<Walk, "sentences"> | undefined;
    for (const rounding of this.#roundings) {
      const weights = new Weights(this.#tensors, rounding);
      const computed = this.#compute(weights, source, previous);
      const steps = computed.steps.map((step, t) => ({ ...step, ...this.#guess(weights, step.last, target[t]!) }));
      const apart = Math.max(
        ...cross.map(({ layer, head, weights: own }) => furthest(own, steps.flatMap(({ looks }) => [...looks[layer]!.weights[head]!]))),
        furthest(explained.confidence, steps.map(({ guesses, written }) => guesses[written]!.probability)));
      if (best && best.apart <= apart) continue;
      best = {
        ...computed, steps, apart, model, translation: explained.translation, vocabulary: this.#vocabulary.size,
        source: source.map((id, j) => this.#piece(id, explained.sourceTokens[j]!.text)),
        target: target.map((id) => this.#vocabulary.piece(id)),
        aligning: {
          layer: Number(this.#config.alignment_layer ?? 0), head: Number(this.#config.alignment_head ?? 0),
          shifted: this.#config.alignment_shifted === true,
        },
      };
      if (apart < kApart) this.#roundings = [rounding];
      if (apart < kApart) return best;
    }
    throw new ApartError(`the largest difference is ${best!.apart.toPrecision(2)}`);
  }

  #piece(id: number, text: string) {
    return { ...this.#vocabulary.piece(id), text };
  }

  #compute(weights: Weights, source: readonly number[], previous: readonly number[]): Computed {
    if (this.#config.architecture !== "transformer") return walkRecurrent(weights, source, previous);
    const { heads, encoder_layers, decoder_layers } = this.#config;
    return walkTransformer(
      weights, { heads: Number(heads), encoderLayers: Number(encoder_layers), decoderLayers: Number(decoder_layers) }, source, previous);
  }

  #guess(weights: Weights, last: Float32Array, written: number): { guesses: Guess[]; written: number } {
    const scores = weights.product("embedding.weight", last, weights.get("output.bias").data);
    scores[this.#vocabulary.unknown] = -Infinity; // which the engine never writes
    const probabilities = softmax(scores);
    const ids = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]!);
    const shown = ids.slice(0, kGuesses);
    if (!shown.includes(written)) shown.push(written);
    return {
      guesses: shown.map((id) => ({ ...this.#vocabulary.piece(id), score: scores[id]!, probability: probabilities[id]! })),
      written: shown.indexOf(written),
    };
  }
}

function furthest(a: ArrayLike<number>, b: readonly number[]): number {
  return Math.max(...b.map((x, i) => Math.abs(x - a[i]!)));
}
