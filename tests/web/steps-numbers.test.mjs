// The arithmetic of one decoder step, and that it is the engine's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fromRoot } from "./browser.mjs";
import { importFixture } from "./build.mjs";

const { kApart, lookAt, ofHead, outermostTerms, powersOf, softmax, StepsNetwork, termsOf, Weights, weighted, words, written, writtenPower } =
  await importFixture("steps", { double: false });
const { Translator } = await import("../../dist/index.js");
const { asRead } = await import("../../dist/stand-ins.js");

const floats = (...numbers) => Float32Array.from(numbers);
const close = (a, b, bound = 1e-6) => assert.ok(Math.abs(a - b) <= bound, `${a}, expected ${b}`);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

test("a score is the sum of its terms: products, or tanh of sums weighed by v", () => {
  const [query, key] = [floats(1, -2, 0.5), floats(0.25, 3, -4)];
  assert.deepEqual(termsOf(query, key, null).map(({ product }) => product), [0.25, -6, -2]);
  const additive = termsOf(query, key, floats(2, -1, 0));
  close(additive[0].product, 2 * Math.tanh(1.25));
  close(additive[1].product, -Math.tanh(1));
  assert.equal(Math.abs(additive[2].product), 0);
  assert.deepEqual(additive[0].factors.slice(0, 2), [1, 0.25]);

  const terms = [5, -3, 1, 0, 4, -9, 2].map((product, index) => ({ index, factors: [], product }));
  const { highest, lowest, others, sum: all } = outermostTerms(terms, 2);
  assert.deepEqual([highest, lowest].map((part) => part.map(({ index }) => index)), [[0, 4], [1, 5]]);
  assert.deepEqual([others, all], [3, 0]);
});

test("softmax: powers over their sum, however large the scores", () => {
  const { most, powers, sum: all } = powersOf(floats(700, 699, 0));
  assert.equal(most, 700);
  close(powers[1], Math.exp(-1));
  const weights = softmax(floats(700, 699, 0));
  powers.forEach((power, j) => close(power / all, weights[j]));
  assert.deepEqual([...weighted(floats(0.25, 0.75), [floats(4, 0), floats(0, 8)])], [1, 6]);
  assert.deepEqual([...ofHead(floats(1, 2, 3, 4, 5, 6), 1, 3)], [3, 4]);
});

test("a matrix of bytes is multiplied as the engine does it: with rounded numbers", () => {
  const tensors = {
    "w.weight": { data: floats(10, -20, 30, 40), shape: [2, 2] }, "w.weight.scale": { data: floats(0.5, 0.25), shape: [2] },
    "w.bias": { data: floats(1, 0), shape: [2] },
  };
  const x = floats(0.1, 1);
  // 14 bits: 0.1 is 819 of 8191; 7 bits: 0.1 is the least, 1 is 127 steps above it.
  const [fine, coarse] = ["14 bits", "7 bits"].map((rounding) => new Weights(tensors, rounding).linear("w", x));
  close(fine[0], 1 + 0.5 * (10 * (819 / 8191) - 20), 1e-5);
  close(coarse[0], 1 + 0.5 * (10 * 0.1 - 20), 1e-5);
  const middle = new Weights(tensors, "7 bits").linear("w", floats(0, 0.5)); // two numbers are both ends of the range
  close(middle[1], 0.25 * 40 * 0.5, 1e-5);
  const wide = { "w.weight": { data: floats(10, -20, 30), shape: [1, 3] }, "w.weight.scale": { data: floats(0.5), shape: [1] } };
  close(new Weights(wide, "7 bits").linear("w", floats(0, 0.5, 1))[0], 0.5 * ((-20 * 64) / 127 + 30), 1e-5); // 63.5 is even at 64
  assert.throws(() => new Weights(wide, "7 bits").linear("w", x), /3 wide, what it is multiplied with 2/);
});

test("numbers are written with a true minus, and small powers in full", () => {
  assert.deepEqual([written(-0.5), written(-0.001), written(123.456), written(0.1234, 3)], ["−0.50", "0.00", "123.5", "0.123"]);
  assert.deepEqual([writtenPower(1), writtenPower(0.16251), writtenPower(3.42e-50), writtenPower(0)], ["1.0000", "0.1625", "3.4·10⁻⁵⁰", "0"]);
});

test("each trouble has its own words", () => {
  const titles = Object.values(words.steps.problems).map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
});

describe("a translation computed anew is the engine's own", () => {
  const texts = ["The little cat sleeps on the chair.", "I can't find 12 “old” keys, can you?", "The {very old} cat → sleeps – here.", "{name} sees {n} cats.",
    "Well… I … see ½ ﬁne ㎏ x² № 5 ℃."];
  for (const model of ["additive", "dot", "transformer"]) {
    test(model, async (t) => {
      const bytes = new Uint8Array(readFileSync(fromRoot(`models/en-fr-${model}/model.safetensors`)));
      const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: bytes });
      t.after(() => translator.destroy());
      const network = await StepsNetwork.of(bytes);
      for (const text of texts) {
        const walk = await network.walk(model, translator, text);
        const own = await translator.explain(asRead(text), { level: "piece", special: true, heads: true });
        assert.equal(walk.translation, own.translation);
        assert.deepEqual(walk.target.map(({ text: piece }) => piece.trim()), own.targetTokens.map(({ text: piece }) => piece.trim()));
        const cross = own.heads.filter(({ kind }) => kind === "cross");
        assert.equal(cross.length, walk.keys.length * walk.heads);
        for (const { layer, head, weights, columns } of cross) {
          for (let step = 0; step < walk.steps.length; ++step) {
            const look = lookAt(walk, { step, source: 0, layer, head });
            look.weights.forEach((weight, j) => close(weight, weights[step * columns + j], 1e-3));
            // What the page shows belongs together: terms to scores, scores to weights, weights and values to the context.
            look.keys.forEach((key, j) => {
              const score = sum(termsOf(look.query, key, walk.vector).map(({ product }) => product)) / (model === "transformer" ? Math.sqrt(key.length) : 1);
              close(look.scores[j], score, 1e-3);
            });
            const context = weighted(look.weights, look.values);
            context.forEach((x, i) => close(x, look.context[i], 1e-5));
          }
        }
        walk.steps.forEach(({ guesses, written: chosen, next }, step) => {
          close(guesses[chosen].probability, own.confidence[step], 1e-3);
          assert.equal(chosen, 0, "a beam of 1 writes the likeliest");
          assert.equal(guesses[0].text, walk.target[step].text);
          // A recurrent network's new state is the next step's state.
          if (!Array.isArray(next) && step + 1 < walk.steps.length) assert.deepEqual(next.state, walk.steps[step + 1].looks[0].state);
        });
        assert.ok(walk.apart < 1e-3 && walk.apart > 0, String(walk.apart));
      }
    });
  }

  test("of another network's weights it would not be, and that is noticed", async (t) => {
    const file = (model) => new Uint8Array(readFileSync(fromRoot(`models/en-fr-${model}/model.safetensors`)));
    const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: file("additive") });
    t.after(() => translator.destroy());
    const network = await StepsNetwork.of(file("dot"));
    await assert.rejects(network.walk("dot", translator, texts[0]), { code: "apart", message: /the largest difference is 0\.\d/ });
    assert.ok(kApart <= 2e-3);
  });
});
