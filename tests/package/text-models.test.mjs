// The models of one language as a user meets them: installed from the tarball, in Node.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Installed } from "./installed.mjs";

let installed, softalign;
before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
});
after(() => installed?.remove());
afterEach(() => assert.equal(softalign.engineStatus().handles, 0, "a model was not given back"));

async function using(model, body) {
  const made = await model;
  try {
    return await body(made);
  } finally {
    made.dispose();
  }
}

const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const row = (matrix, width, r) => matrix.subarray(r * width, (r + 1) * width);
const close = (actual, expected, what) => assert.ok(Math.abs(actual - expected) < 1e-4, `${what} is ${actual}, expected ${expected}`);
const fbi = "The FBI is chasing a criminal on the run .";

describe("LanguageModel", () => {
  test("reads a sentence: each word looks back at those before it", () => using(softalign.LanguageModel.load(), async (model) => {
    const { tokens, attention, beginning, surprise, perplexity } = await model.read(fbi);
    assert.deepEqual(tokens.map(({ text }) => text), fbi.split(" "));
    for (const { text, start, end } of tokens) assert.equal(fbi.slice(start, end), text);
    const n = tokens.length;
    assert.equal(attention.length, n * n);
    for (let t = 0; t < n; ++t) {
      close(sum(row(attention, n, t)) + beginning[t], 1, `row ${t}`);
      for (let s = t + 1; s < n; ++s) assert.equal(attention[t * n + s], 0);
    }
    assert.ok(surprise.every((bits) => bits > 0));
    assert.ok(perplexity > 1 && perplexity < 6000);
  }));

  test("finds everyday English likelier than the same words in disorder", () => using(softalign.LanguageModel.load(), async (model) => {
    for (const text of ["I don't know where she lives.", "He has two brothers and a sister."]) {
      const shuffled = text.slice(0, -1).split(" ").reverse().join(" ") + ".";
      assert.ok((await model.read(text)).perplexity * 2 < (await model.read(shuffled)).perplexity, text);
    }
  }));

  test("reads by pieces, and what is empty or odd", () => using(softalign.LanguageModel.load(), async (model) => {
    const words = await model.read("misunderstandings", { level: "word" });
    const pieces = await model.read("misunderstandings", { level: "piece" });
    assert.equal(words.tokens.length, 1);
    assert.ok(pieces.tokens.length > 1);
    close(sum(pieces.surprise), words.surprise[0], "surprise");
    const nothing = await model.read("");
    assert.deepEqual([nothing.tokens, nothing.attention.length], [[], 0]);
    for (const text of ["🙂\ud800", "\u0000", "日本語"]) await model.read(text);
  }));
});

describe("Tagger", () => {
  test("knows the parts of speech of a plain sentence", () => using(softalign.Tagger.load(), async (tagger) => {
    assert.equal(tagger.labels.length, 17);
    const text = "She doesn't read the old books in Paris.";
    const { words, probabilities, attention } = await tagger.tag(text);
    assert.deepEqual(words.map(({ text, label }) => `${text}/${label}`), [
      "She/PRON", "does/AUX", "n't/PART", "read/VERB", "the/DET", "old/ADJ", "books/NOUN", "in/ADP", "Paris/PROPN", "./PUNCT",
    ]);
    for (const { text: word, start, end, probability } of words) {
      assert.equal(text.slice(start, end), word);
      assert.ok(probability > 0.3 && probability <= 1);
    }
    const n = words.length;
    for (let w = 0; w < n; ++w) close(sum(row(probabilities, 17, w)), 1, `word ${w}`);
    assert.ok(attention.length >= 1);
    for (const { data, shape } of attention) {
      assert.deepEqual(shape.slice(1), [n, n]);
      for (let r = 0; r < shape[0] * n; ++r) close(sum(row(data, n, r)), 1, `attention row ${r}`);
    }
  }));

  test("tags given words as they are", () => using(softalign.Tagger.load(), async (tagger) => {
    const { words } = await tagger.tag(["New", "York", "is", "big"]);
    assert.deepEqual(words.map(({ text, start }) => [text, start]), [["New", 0], ["York", 4], ["is", 9], ["big", 12]]);
    assert.deepEqual((await tagger.tag("")).words, []);
    assert.deepEqual((await tagger.tag([])).words, []);
    assert.equal((await tagger.tag(["", "\u0000"])).words.length, 2);
    await assert.rejects(tagger.tag(["a", 5]), { code: "argument", message: /words\[1\] is of type number/ });
    await assert.rejects(tagger.tag(7), { code: "argument", message: /text is of type number/ });
  }));
});

describe("Classifier", () => {
  test("tells praise from blame and says which words decided", () => using(softalign.Classifier.load(), async (classifier) => {
    assert.deepEqual(classifier.labels, ["negative", "positive"]);
    for (const [text, label] of [
      ["a gripping , moving film with a wonderful cast .", "positive"],
      ["a dull , boring mess without a single good idea .", "negative"],
    ]) {
      const result = await classifier.classify(text);
      assert.equal(result.label, label);
      close(sum(Object.values(result.probabilities)), 1, "probabilities");
      assert.equal(result.probability, result.probabilities[label]);
      assert.deepEqual(result.tokens.map(({ text }) => text), text.split(" "));
      close(sum(result.weights), 1, "weights");
      assert.deepEqual(result.attention[0].shape.slice(1), [result.tokens.length, result.tokens.length]);
    }
    assert.deepEqual((await classifier.classify("")).tokens, []);
  }));
});

describe("MaskedLanguageModel", () => {
  test("guesses what is missing", () => using(softalign.MaskedLanguageModel.load(), async (model) => {
    const [first, second] = await model.fill("I drink a cup of [MASK] every [MASK].", { count: 20 });
    assert.equal(first.length, 20);
    assert.ok(first.some(({ text }) => /^(tea|coffee|milk|water)$/.test(text.trim())), first.map(({ text }) => text).join());
    assert.ok(second.some(({ text }) => /^(day|morning|night|week)$/.test(text.trim())), second.map(({ text }) => text).join());
    for (const guesses of [first, second]) {
      for (const [i, { probability }] of guesses.entries()) assert.ok(probability > 0 && (i === 0 || probability <= guesses[i - 1].probability));
    }
    const { tokens, attention } = await model.look("I don't drink a cup of [MASK] every morning. [MASK]s!");
    assert.deepEqual(tokens.map(({ text }) => text), ["I", "don't", "drink", "a", "cup", "of", "[MASK]", "every", "morning", ".", "[MASK]", "s", "!"]);
    assert.deepEqual(attention.map(({ shape }) => shape), [[4, 13, 13], [4, 13, 13]]);
    for (const { data } of attention) {
      for (let row = 0; row < data.length / 13; ++row) assert.ok(Math.abs(data.subarray(row * 13, row * 13 + 13).reduce((a, b) => a + b) - 1) < 1e-4);
    }
    assert.deepEqual((await model.look("Un[MASK]able", { level: "piece" })).tokens.map(({ text, start, end }) => [text, start, end]), [["Un", 0, 2], ["[MASK]", 2, 8], ["able", 8, 12]]);
    // What follows a mask without white space is all there, however it is cut.
    for (const text of ["[MASK]ria is here.", "[MASK]big", "x[MASK]a[MASK]able"]) {
      assert.equal((await model.look(text, { level: "piece" })).tokens.map(({ start, end }) => text.slice(start, end)).join(""), text.replaceAll(" ", ""));
    }
    await assert.rejects(model.look("no mask"), { code: "argument", message: /expected a \[MASK\]/ });
    await assert.rejects(model.fill("no mask"), { code: "argument", message: /expected a \[MASK\]/ });
    await assert.rejects(model.fill("[MASK]", { count: 0 }), { code: "argument", message: /count is 0/ });
    assert.equal((await model.fill("[MASK]"))[0].length, 5);
  }));
});

describe("a model", () => {
  test("may be given by address or as bytes, and says what it is not", async () => {
    const path = "dist/models/en-tagger.safetensors";
    const bytes = await installed.read(path);
    await using(softalign.Tagger.load(bytes), (tagger) => assert.equal(tagger.labels.length, 17));
    const url = pathToFileURL(installed.path(`node_modules/softalign/${path}`));
    const progress = [];
    await using(softalign.Tagger.load(url, { onProgress: (part) => progress.push(part) }), (tagger) => assert.equal(tagger.labels.length, 17));
    assert.equal(progress.at(-1), 1);
    for (const [options, message] of [
      [null, "options is null, expected an object"], [{ signal: 5 }, "signal is 5, expected an AbortSignal"],
      [{ onProgress: 7 }, "onProgress is 7, expected a function"], [{ worker: "x" }, 'worker is "x", expected true or false'],
    ]) await assert.rejects(softalign.LanguageModel.load(undefined, options), { code: "argument", message });
    await using(softalign.MaskedLanguageModel.load(), async (model) => {
      for (const call of [() => model.look("[MASK]", null), () => model.fill("[MASK]", null)]) await assert.rejects(call, { code: "argument" });
    });
    await assert.rejects(softalign.Classifier.load(bytes), { code: "format", message: /model bytes: .*"tagger", expected "classifier"/ });
    await assert.rejects(softalign.Tagger.load("en-taggr"), { code: "argument", message: /en-taggr.*\(en-tagger\)/ });
    await assert.rejects(softalign.Tagger.load(new Uint8Array(9)), { code: "format" });
    const signal = AbortSignal.abort("no more");
    await assert.rejects(softalign.Tagger.load(undefined, { signal }), (reason) => reason === "no more");
  });

  test("is given back, and says so afterwards", async () => {
    const classifier = await softalign.Classifier.load();
    classifier.dispose();
    classifier.dispose();
    await assert.rejects(classifier.classify("good"), { code: "destroyed" });
  });

  test("refuses what is too long, and goes on", () => using(softalign.LanguageModel.load(), async (model) => {
    await assert.rejects(model.read("a b ".repeat(2000)), { code: "argument", message: /pieces, expected at most 2000/ });
    assert.equal((await model.read("a b")).tokens.length, 2);
  }));
});
