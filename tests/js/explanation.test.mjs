import assert from "node:assert/strict";
import { test } from "node:test";
import { ExplanationBuilder, maxCells } from "../../dist/explanation.js";

// "Ah oui" for "Oh yes", the last row and column being the end of the sentence.
const oh = {
  translation: "Ah oui",
  sourceRanges: Uint32Array.of(0, 2, 2, 6),
  targetRanges: Uint32Array.of(0, 2, 2, 6),
  sourceIds: Int32Array.of(),
  targetIds: Int32Array.of(),
  attention: Float32Array.of(0.5, 0.25, 0.25, 0.125, 0.75, 0.125, 0, 0, 1),
  confidence: Float32Array.of(0.5, 0.25, 1),
  logProbability: -3,
  predictions: 3,
  heads: [
    { kind: "cross", layer: 0, head: 1, weights: Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) },
    { kind: "encoder", layer: 2, head: 0, weights: Float32Array.of(11, 12, 13, 14, 15, 16, 17, 18, 19) },
    { kind: "decoder", layer: 0, head: 0, weights: Float32Array.of(0, 0, 21, 22, 0, 23, 24, 25, 26) },
  ],
};
const no = {
  translation: "Non",
  sourceRanges: Uint32Array.of(0, 2),
  targetRanges: Uint32Array.of(0, 3),
  sourceIds: Int32Array.of(7, 1),
  targetIds: Int32Array.of(8, 1),
  attention: Float32Array.of(0.875, 0.125, 0, 1),
  confidence: Float32Array.of(0.75, 1),
  logProbability: -1,
  predictions: 1,
  heads: [
    { kind: "cross", layer: 0, head: 1, weights: Float32Array.of(31, 32, 33, 34) },
    { kind: "encoder", layer: 2, head: 0, weights: Float32Array.of(41, 42, 43, 44) },
    { kind: "decoder", layer: 0, head: 0, weights: Float32Array.of(0, 51, 52, 53) },
  ],
};

function explain(special, heads) {
  const builder = new ExplanationBuilder(" Oh yes\n\nNo!", { special, heads });
  builder.copy(" ");
  builder.add(oh, 1);
  builder.copy("\n\n");
  builder.add(no, 9);
  builder.copy("!");
  return builder.build();
}

test("sentences are put together with their tokens in place", () => {
  const { source, translation, sourceTokens, targetTokens, score } = explain(false);
  assert.equal(source, " Oh yes\n\nNo!");
  assert.equal(translation, " Ah oui\n\nNon!");
  assert.deepEqual(sourceTokens, [
    { text: "Oh", start: 1, end: 3 },
    { text: "yes", start: 4, end: 7 }, // the space before it is not part of it
    { text: "No", start: 9, end: 11, id: 7 },
  ]);
  for (const { text, start, end } of sourceTokens) assert.equal(source.slice(start, end), text);
  assert.deepEqual(targetTokens.map(({ text }) => text), ["Ah", "oui", "Non"]);
  for (const { text, start, end } of targetTokens) assert.equal(translation.slice(start, end), text);
  assert.equal(score, -1); // -4 over 4 predictions
});

test("attention is a block for each sentence", () => {
  const { attention, confidence } = explain(false);
  assert.deepEqual([...attention], [0.5, 0.25, 0, 0.125, 0.75, 0, 0, 0, 0.875]);
  assert.deepEqual([...confidence], [0.5, 0.25, 0.75]);
});

test("the ends of sentences are tokens if asked for", () => {
  const { attention, confidence, sourceTokens, targetTokens } = explain(true);
  assert.deepEqual(sourceTokens.map(({ text }) => text), ["Oh", "yes", "", "No", ""]);
  assert.deepEqual(targetTokens[2], { text: "", start: 7, end: 7 });
  assert.deepEqual(
    [...attention],
    [0.5, 0.25, 0.25, 0, 0, 0.125, 0.75, 0.125, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0.875, 0.125, 0, 0, 0, 0, 1],
  );
  assert.deepEqual([...confidence], [0.5, 0.25, 1, 0.75, 1]);
});

test("heads are blocks of their own shape", () => {
  assert.equal("heads" in explain(false), false);
  assert.deepEqual(explain(false, true).heads, [
    { kind: "cross", layer: 0, head: 1, rows: 3, columns: 3, weights: Float32Array.of(1, 2, 0, 4, 5, 0, 0, 0, 31) },
    { kind: "encoder", layer: 2, head: 0, rows: 3, columns: 3, weights: Float32Array.of(11, 12, 0, 14, 15, 0, 0, 0, 41) },
    { kind: "decoder", layer: 0, head: 0, rows: 3, columns: 3, weights: Float32Array.of(0, 0, 0, 22, 0, 0, 0, 0, 0) },
  ]);
  const [cross, , decoder] = explain(true, true).heads;
  assert.deepEqual([cross.rows, cross.columns], [5, 5]);
  assert.deepEqual([...cross.weights.subarray(0, 15)], [1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 7, 8, 9, 0, 0]);
  assert.deepEqual([...decoder.weights.subarray(15)], [0, 0, 0, 0, 51, 0, 0, 0, 52, 53]);
  const wider = new ExplanationBuilder("", { heads: true });
  wider.add({ ...oh, sourceRanges: Uint32Array.of(0, 2), heads: [{ kind: "decoder", layer: 0, head: 0, weights: oh.heads[2].weights }] }, 0);
  assert.deepEqual(wider.build().heads, [{ kind: "decoder", layer: 0, head: 0, rows: 2, columns: 2, weights: Float32Array.of(0, 0, 22, 0) }]);
});

test("a model without attention has none to show", () => {
  const builder = new ExplanationBuilder("Oh yes", {});
  builder.add({ ...oh, attention: null }, 0);
  const { attention, targetTokens } = builder.build();
  assert.equal(attention, null);
  assert.equal(targetTokens.length, 2);
});

test("a token of white space alone keeps it", () => {
  const builder = new ExplanationBuilder("a b", {});
  builder.add({ ...oh, translation: "a b", sourceRanges: Uint32Array.of(0, 1, 1, 2), targetRanges: Uint32Array.of(0, 1, 1, 3) }, 0);
  assert.deepEqual(builder.build().sourceTokens[1], { text: " ", start: 1, end: 2 });
});

test("a matrix that would fill the memory is refused", () => {
  const side = Math.ceil(Math.sqrt(maxCells)) + 1;
  const builder = new ExplanationBuilder("", {});
  const ranges = new Uint32Array(2 * side);
  assert.throws(() => builder.add({ ...oh, sourceRanges: ranges, targetRanges: ranges }, 0), {
    code: "argument",
    message: /too long to explain/,
  });
  const heads = new ExplanationBuilder("", { heads: true });
  const half = ranges.subarray(0, 2 * Math.ceil(side / 2));
  assert.throws(() => heads.add({ ...oh, sourceRanges: half, targetRanges: half }, 0), { message: /too long to explain/ });
});
