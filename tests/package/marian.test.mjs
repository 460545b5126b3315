// Marian's files, as Firefox's models are, from the installed package: what comes out is what Bergamot makes of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { Installed } from "./installed.mjs";

const file = (name) => new URL(`../golden/marian/${name}`, import.meta.url);
const lines = (name) => readFileSync(file(name), "utf8").trimEnd().split("\n");
const weights = readFileSync(file("model.bin"));
const vocabulary = readFileSync(file("vocab.spm"));
const shortlist = readFileSync(file("lex.bin"));
const languages = { sourceLanguage: "en", targetLanguage: "fr", maxLengthFactor: 2 };
const sentences = lines("source.txt");

let installed, Translator, status;
before(async () => {
  installed = await Installed.install();
  const softalign = await installed.import();
  Translator = softalign.Translator;
  status = softalign.engineStatus;
});
after(() => installed?.remove());
afterEach(() => assert.equal(status().handles, 0, "a translator was not given back"));

async function using(model, body, options = {}) {
  const translator = await Translator.create({ ...languages, ...options, model });
  try {
    return await body(translator);
  } finally {
    translator.destroy();
  }
}

const translated = (model, options) =>
  using(model, async (translator) => {
    const all = [];
    for (const sentence of sentences) all.push(await translator.translate(sentence));
    return all;
  }, options);

describe("a model of Marian's", () => {
  test("says what Bergamot says", async () => {
    assert.deepEqual(await translated({ weights, vocabulary, shortlist }), lines("bergamot.txt"));
    assert.deepEqual(await translated({ weights, vocabulary }), lines("bergamot-without-shortlist.txt"));
  });

  test("comes as bytes, addresses and files, compressed or not, its vocabulary once or twice", async () => {
    const expected = lines("bergamot.txt");
    const compressed = (bytes) => new File([gzipSync(bytes)], "x.gz");
    const forms = [
      { weights: file("model.bin"), vocabulary: file("vocab.spm").href, shortlist: shortlist.buffer.slice(shortlist.byteOffset, shortlist.byteOffset + shortlist.length) },
      { weights: compressed(weights), vocabulary: compressed(vocabulary), shortlist: new Blob([shortlist]) },
      { weights, vocabulary: { source: vocabulary, target: new Uint8Array(vocabulary) }, shortlist },
    ];
    // With two vocabularies the source's own words are not among those of the target.
    for (const model of forms.slice(0, 2)) assert.deepEqual(await translated(model), expected);
    await using(forms[2], async (translator) => assert.equal(typeof (await translator.translate(sentences[0])), "string"));
  });

  test("shows its attention, and aligns", () =>
    using({ weights, vocabulary, shortlist }, async (translator) => {
      const { attention, sourceTokens, targetTokens, translation } = await translator.explain(sentences[0]);
      assert.equal(translation, lines("bergamot.txt")[0]);
      assert.equal(attention.length, sourceTokens.length * targetTokens.length);
      const aligned = await translator.align("What a day.", "la vie");
      assert.equal(aligned.targetTokens.length, 2);
    }));

  test("is as long as it may be", async () => {
    for (const maxLengthFactor of [0.5, 1]) {
      await using({ weights, vocabulary }, async (translator) => {
        const { targetTokens, sourceTokens } = await translator.explain(sentences[3], { level: "piece" });
        assert.ok(targetTokens.length <= maxLengthFactor * (sourceTokens.length + 1), `${targetTokens.length} of ${sourceTokens.length}`);
      }, { maxLengthFactor });
    }
    await assert.rejects(Translator.create({ ...languages, model: { weights, vocabulary }, maxLengthFactor: 11 }), { code: "argument", message: /maxLengthFactor is 11/ });
  });

  test("is in memory once, and gives it back", async () => {
    const model = { weights, vocabulary, shortlist };
    const [one, two] = await Promise.all([1, 2].map(() => Translator.create({ ...languages, model })));
    assert.equal(status().handles, 1);
    one.destroy();
    assert.equal(await two.translate(sentences[1]), lines("bergamot.txt")[1]);
    two.destroy();
  });

  test("that is none says which file, and why", async () => {
    const refused = async (model, expected) => assert.rejects(Translator.create({ ...languages, model }), expected);
    await refused({ weights, vocabulary: undefined }, { code: "argument", message: /model\.vocabulary is undefined/ });
    await refused({ weights: 7, vocabulary }, { code: "argument", message: /model\.weights is a number/ });
    await refused({ weights: new Uint8Array(100), vocabulary }, { code: "format", message: /version is 0, expected 1/ });
    await refused({ weights, vocabulary: null }, { code: "argument", message: /model\.vocabulary is null/ });
    const named = (bytes, name) => new File([bytes], name);
    const all = { weights: named(weights, "w.bin"), vocabulary: named(vocabulary, "v.spm"), shortlist: named(shortlist, "lex.bin") };
    await refused({ ...all, vocabulary: named(weights, "v.spm") }, { code: "format", message: /^model v\.spm: tokenizer: .*SentencePiece/ });
    await refused({ ...all, vocabulary: { source: all.vocabulary, target: named(weights, "trg.spm") } }, { code: "format", message: /^model v\.spm or trg\.spm: / });
    await refused({ ...all, shortlist: named(shortlist.subarray(0, 500), "lex.bin") }, { code: "format", message: /^model lex\.bin: shortlist/ });
    await refused({ ...all, weights: named(weights.subarray(0, 5000), "w.bin") }, { code: "format", message: /^model w\.bin: / });
    await refused({ weights: gzipSync(weights).subarray(0, 5000), vocabulary }, { code: "format", message: /gzip compression is broken/ });
    await refused({ weights, vocabulary, shortlist: "https://127.0.0.1:9/lex.bin" }, { code: "network" });
  });
});
