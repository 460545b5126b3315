// Positions of all kinds, computed by the package's own classes. Where the weights come from: scripts/train-positions.mjs

import {
  ContinuousPositions, LearnedPositions, MultiHeadAttention, RecurrentPositions, SinusoidalPositions, type StateDict,
} from "softalign";
import trained from "../how/positions.json";
import type { Positions } from "./how-protocol.ts";

/** More than was trained on, to see what comes after. */
const kShown = 48;
const kFiner = 4;
const kRelativeShown = 24;

export async function computePositions(): Promise<Positions> {
  const { width, hidden, positions, learned, recurrent, continuous } = trained;
  const state = (weights: Record<string, number[]>, shapes: Record<string, number[]>): StateDict =>
    Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, { data: Float32Array.from(weights[name]!), shape }]));

  using sinusoidal = await SinusoidalPositions.create({ width });
  using table = await LearnedPositions.create({ positions, width }, state(learned, { weight: [positions, width] }));
  using walk = await RecurrentPositions.create(
    { width }, state(recurrent, { first: [width], weight: [width, width], bias: [width] }));
  using path = await ContinuousPositions.create({ width, hidden, solverSteps: kFiner }, state(continuous, {
    first: [width], "hidden.weight": [hidden, width], "hidden.bias": [hidden], time: [hidden], "out.weight": [width, hidden], "out.bias": [width],
  }));
  const times = Array.from({ length: kFiner * (kShown - 1) + 1 }, (_, i) => i / kFiner);
  return {
    lists: {
      sinusoidal: sinusoidal.positions(kShown),
      learned: table.positions(positions),
      recurrent: walk.positions(kShown),
      continuous: path.positions(times),
    },
    finer: kFiner,
    relative: await relative(),
  };
}

/** All keys are 0, so that of a score only the query's product with the distance's key is left. */
async function relative() {
  const { width, heads, radius, query, key } = trained.relative;
  const zeros = (...shape: number[]) => ({ data: new Float32Array(shape.reduce((a, b) => a * b)), shape });
  const bias = zeros(3 * width);
  bias.data.set(query);
  const keys = zeros(2 * radius + 1, width / heads);
  keys.data.set(key);
  using layer = await MultiHeadAttention.create({ width, heads, relative: radius }, {
    in_proj_weight: zeros(3 * width, width), in_proj_bias: bias,
    "out_proj.weight": zeros(width, width), "out_proj.bias": zeros(width),
    "relative.key": keys, "relative.value": zeros(2 * radius + 1, width / heads),
  });
  const x = zeros(kRelativeShown, 1, width);
  return layer.forward(x.data, x.shape, { attention: true }).attention!;
}
