// The arithmetic of the pages of other uses and of how attention is computed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromRoot } from "./browser.mjs";
import { importFixture } from "./build.mjs";

const {
  diverging, growthOf, habit, habitOf, howProblem, kLengths, large, layerKinds, likeness, measure, medianOf, milliseconds, operations,
  nameOfLabel, successful, surestHead, translationsOf, usesProblem, waysOf, weightsOf,
} = await importFixture("pure");

const close = (a, b, bound = 1e-6) => assert.ok(Math.abs(a - b) < bound, `${a}, expected ${b}`);

test("pieces of a search that follow each other without a choice are one way; the best come first", () => {
  // [text, parent, probability, score]: Il -> a -> appelé . | té (given up); Il -> appel -> a . ; El (given up).
  const nodes = [
    ["Il", -1, 0.9, -0.1], ["El", -1, 0.05, -3], [" a", 0, 0.7, -0.2], [" appel", 0, 0.1, -1.2], [" té", 2, 0.2, -0.9], ["a", 3, 0.9, -0.8],
    [" appelé", 2, 0.6, -0.3], [".", 6, 0.9, -0.25], [".", 5, 0.9, -0.5], ["", 7, 0.9, -0.22], ["", 8, 0.9, -0.4],
  ].map(([text, parent, probability, score]) => ({ text, parent, probability, score, end: text === "" }));
  const told = (ways) => ways.map(({ text, begin, probability, ended, score, then }) => [text, begin, probability, ended, score, told(then)]);
  assert.deepEqual(told(waysOf(nodes)), [
    ["Il", "Il ", 0.9, false, -0.22, [
      [" a", "Il a ", 0.7, false, -0.22, [
        [" appelé.", "Il a appelé.", 0.6, true, -0.22, []],
        [" té", "Il a té", 0.2, false, null, []],
      ]],
      [" appela.", "Il appela.", 0.1, true, -0.4, []],
    ]],
    ["El", "El", 0.05, false, null, []],
  ]);
  assert.deepEqual(translationsOf(waysOf(nodes)).map(({ begin }) => begin), ["Il a appelé.", "Il appela."]);
  assert.deepEqual(successful(waysOf(nodes)).map(({ text }) => text), ["Il"]);
  // A way that branches within a word may not be closed by a space.
  assert.equal(waysOf([nodes[0], { ...nodes[2], parent: 0, text: "s" }, { ...nodes[4], parent: 0 }])[0].begin, "Il");
  assert.deepEqual(waysOf([]), []);
});

test("work by theory is that of Vaswani et al. 2017, Table 1", () => {
  assert.deepEqual(layerKinds.map((kind) => operations(kind, 100, 64)), [640_000, 409_600, 3 * 409_600, 17 * 6400]);
  assert.equal(large(16_777_216), "16.8 million");
});

test("growth is the slope of the long sentences, whatever the short ones do", () => {
  const square = kLengths.map((n) => ({ n, time: n < 256 ? 7 : n * n * 1e-5 }));
  close(growthOf(square), 4);
  close(growthOf(kLengths.map((n) => ({ n, time: 0.01 * n }))), 2);
  assert.equal(growthOf(square.slice(0, 5)), undefined, "two points are no line");
});

test("the median is the middle", () => {
  assert.equal(medianOf([3, 1, 200]), 3);
  assert.equal(medianOf([4, 1, 3, 200]), 3.5);
});

test("a measurement takes several samples, and ends when it is told to", async () => {
  const spin = () => {
    for (const until = performance.now() + 2; performance.now() < until;);
  };
  let rests = 0;
  const time = await measure(spin, async () => ++rests < 100);
  assert.ok(time >= 1.9 && time < 60, String(time));
  assert.equal(rests, 7);
  assert.equal(await measure(spin, async () => false), undefined);
});

test("times have the digits that count", () => {
  assert.deepEqual([0.04213, 3.1666, 28.44, 128.4].map(milliseconds), ["0.0421", "3.17", "28.4", "128"]);
});

test("likeness is the cosine", () => {
  const like = likeness({ data: Float32Array.from([1, 0, 0, 2, -3, 0, 1, 1, 0, 0]), shape: [5, 2] }, 0);
  [1, 0, -1, Math.SQRT1_2, 0].forEach((expected, i) => close(like[i], expected));
});

test("both signs of a number are equally strong, and of different hues", () => {
  for (const scheme of ["light", "dark"]) {
    const luminance = (rgb) => rgb[0] * 0.2126 + rgb[1] * 0.7152 + rgb[2] * 0.0722;
    const [minus, plus, zero] = [-1, 1, 0].map((value) => diverging(value, scheme));
    assert.ok(Math.abs(luminance(minus) - luminance(plus)) < 30, `${minus} ${plus}`);
    assert.ok(Math.abs(luminance(zero) - luminance(plus)) > 80, `${zero} ${plus}`);
    assert.ok(minus[0] > minus[2] && plus[2] > plus[0]);
    assert.deepEqual(diverging(5, scheme), plus);
  }
});

/** Two layers of two heads over three words. */
const layers = [
  { data: Float32Array.from([0.2, 0.3, 0.5, 0.4, 0.3, 0.3, 0.3, 0.4, 0.3, 0, 1, 0, 0, 0.1, 0.9, 0.2, 0.2, 0.6]), shape: [2, 3, 3] },
  { data: new Float32Array(18).fill(1 / 3), shape: [2, 3, 3] },
];

test("of all heads the surest is found, and what it does most", () => {
  assert.deepEqual(surestHead(layers), { layer: 0, head: 1 });
  const { offset, share } = habitOf(weightsOf(layers[0], 1), 3);
  assert.equal(offset, 1);
  close(share, 0.95);
  assert.match(habit({ offset, share }), /at the next word: 95 %/);
  assert.match(habit(habitOf(weightsOf(layers[1], 0), 3)), /spreads/);
});

test("the mean of the heads is the mean", () => {
  const mean = weightsOf(layers[0], null);
  [0.1, 0.65, 0.25, 0.2, 0.2, 0.6, 0.25, 0.3, 0.45].forEach((expected, i) => close(mean[i], expected));
});

test("every label of the tagger has a name", () => {
  const file = readFileSync(fromRoot("models/en-tagger/model.safetensors"));
  const header = JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE())));
  for (const label of JSON.parse(header.__metadata__.config).labels) assert.notEqual(nameOfLabel(label), label);
});

test("whatever goes wrong has words, and trying again is offered where it can help", () => {
  for (const problemOf of [usesProblem, howProblem]) {
    for (const code of ["network", "format", "unavailable", "out_of_memory", "argument", "worker", "internal", "new"]) {
      const { title, text, retry } = problemOf({ code, message: "" });
      assert.ok(title && text, code);
      if (code === "unavailable") assert.equal(retry, null);
      if (code === "network" || code === "worker") assert.ok(retry);
    }
  }
});

test("the drawn positions do what is said of them: attention finds the neighbours; relative ones are the tagger's", () => {
  const trained = JSON.parse(readFileSync(fromRoot("web/src/how/positions.json"), "utf8"));
  for (const part of Object.values(trained.found)) assert.ok(part > 0.95, JSON.stringify(trained.found));
  const file = readFileSync(fromRoot("models/en-tagger/model.safetensors"));
  const size = Number(file.readBigUInt64LE());
  const at = JSON.parse(file.subarray(8, 8 + size))["encoder.layers.0.self_attn.q_proj.bias"].data_offsets[0];
  trained.relative.query.forEach((x, i) => close(x, file.readFloatLE(8 + size + at + 4 * i), 1e-3 * Math.abs(x) + 1e-6));
});
