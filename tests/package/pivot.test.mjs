// Two models in a row, the second reading what the first writes. The first is one of ours that says it translates Spanish to
// English: which languages these are is all the same to the translator.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, describe, test } from "node:test";
import { hosted, Installed } from "./installed.mjs";

const esFr = { sourceLanguage: "es", targetLanguage: "fr" };
const text = "The old cat sleeps under the big table.\n\nI am cold.\n***\nI don't understand.";
let installed, softalign, Translator, first, second, translator, spanish;

/** The same model under other languages. */
function relabelled(bytes, sourceLanguage, targetLanguage) {
  const size = Number(bytes.readBigUInt64LE());
  const header = JSON.parse(bytes.subarray(8, 8 + size));
  const config = JSON.parse(header.__metadata__.config);
  header.__metadata__.config = JSON.stringify({ ...config, source_language: sourceLanguage, target_language: targetLanguage });
  const json = Buffer.from(JSON.stringify(header));
  const padded = Buffer.concat([json, Buffer.alloc(-json.length & 63, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, bytes.subarray(8 + size)]);
}

before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
  ({ Translator } = softalign);
  softalign.setModelBase(hosted);
  spanish = relabelled(await readFile(new URL("en-fr-additive.safetensors", hosted)), "es", "en");
  await writeFile(installed.path("es-en.safetensors"), spanish);
  const entry = {
    id: "es-en-small", kind: "translation", sourceLanguage: "es", targetLanguage: "en", file: "es-en.safetensors",
    size: spanish.length, sha256: createHash("sha256").update(spanish).digest("hex"),
  };
  await softalign.addManifest({ version: 1, models: [entry] }, pathToFileURL(join(installed.folder, "/")));
  first = await Translator.create({ sourceLanguage: "es", targetLanguage: "en" });
  second = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
  translator = await Translator.create(esFr);
});
after(async () => {
  for (const one of [first, second, translator]) one?.destroy();
  await installed?.remove();
});

describe("a pair for which there are two models", () => {
  test("is available, by way of English", async () => {
    assert.equal(await Translator.availability(esFr), "available");
    assert.equal(translator.model, "es-en-small + en-fr-transformer");
    assert.deepEqual([translator.sourceLanguage, translator.targetLanguage], ["es", "fr"]);
    for (const pair of [{ sourceLanguage: "fr", targetLanguage: "es" }, { sourceLanguage: "es", targetLanguage: "es" }]) {
      assert.equal(await Translator.availability(pair), "unavailable");
      await assert.rejects(Translator.create(pair), { code: "unavailable", message: /^no model translates/ });
    }
  });

  test("is translated by one after the other, sentence by sentence", async () => {
    const parts = ["The old cat sleeps under the big table.", "I am cold.", "I don't understand."];
    const [cat, cold, understand] = await Promise.all(parts.map(async (part) => second.translate(await first.translate(part))));
    const expected = `${cat}\n\n${cold}\n***\n${understand}`;
    assert.match(expected, /\p{L}/u);
    assert.equal(await translator.translate(text), expected);
    assert.deepEqual(await translator.translate([text, "", "I am cold."]), [expected, "", cold]);
    let streamed = "";
    for await (const chunk of translator.translateStreaming(text)) streamed += chunk;
    assert.equal(streamed, expected);
    assert.match(await translator.translate("I am cold.", { prefix: "Je " }), /^Je /);
    assert.equal(await translator.measureInputUsage(text), await first.measureInputUsage(text));
    assert.equal(await translator.translate("<p>I am <b>cold</b>.</p>", { html: true }).then((html) => html.replace(/<[^>]*>/g, "")), cold);
  });

  test("has the attention of both, multiplied", async () => {
    for (const level of ["word", "piece"]) {
      const own = await translator.explain("I am cold.", { level, special: true });
      const early = await first.explain("I am cold.", { level, special: true });
      const late = await second.explain(early.translation, { level, special: true });
      const texts = (tokens) => tokens.map((token) => token.text);
      assert.deepEqual(texts(own.sourceTokens), texts(early.sourceTokens));
      assert.deepEqual(texts(own.targetTokens), texts(late.targetTokens));
      assert.equal(own.translation, late.translation);
      assert.deepEqual([...own.confidence], [...late.confidence]);
      const [S, T] = [own.sourceTokens.length, own.targetTokens.length];
      if (level === "piece") {
        const [M, N] = [early.targetTokens.length, late.targetTokens.length];
        assert.ok(Math.abs(own.score - (early.score * M + late.score * N) / (M + N)) < 1e-6, "the mean of all predictions");
      }
      // Pieces of the same text differ between two vocabularies.
      if (texts(early.targetTokens).join("|") !== texts(late.sourceTokens).join("|")) {
        assert.equal(level, "piece");
        for (let t = 0; t < T; ++t) {
          const sum = own.attention.subarray(t * S, (t + 1) * S).reduce((a, b) => a + b, 0);
          assert.ok(Math.abs(sum - 1) < 1e-4, `row ${t} sums to ${sum}`);
        }
        continue;
      }
      const M = early.targetTokens.length;
      for (let t = 0; t < T; ++t) {
        for (let s = 0; s < S; ++s) {
          let expected = 0;
          for (let m = 0; m < M; ++m) expected += late.attention[t * M + m] * early.attention[m * S + s];
          assert.ok(Math.abs(own.attention[t * S + s] - expected) < 1e-5, `${level} ${t} ${s}`);
        }
      }
    }
  });

  test("aligns and has other translations, too", async () => {
    const forced = await translator.align("I am cold.", "J'ai froid.");
    assert.deepEqual(forced.targetTokens.map((token) => token.text), ["J'ai", "froid", "."]);
    assert.equal(forced.attention.length, 3 * forced.sourceTokens.length);
    const [{ translations }] = await translator.nBest("I am cold.", { count: 3 });
    assert.ok(translations.length > 1 && translations[0].score >= translations[1].score);
  });

  test("refuses what is of one model only", async () => {
    for (const [option, ask] of [
      ["edits", () => translator.explain("I am cold.", { edits: { mask: [0] } })],
      ["heads", () => translator.explain("I am cold.", { heads: true })],
      ["heads", () => translator.align("I am cold.", "J'ai froid.", { heads: true })],
      ["tree", () => translator.nBest("I am cold.", { tree: true })],
      ["glossary", () => translator.translate("I am cold.", { glossary: { cold: "glacé" } })],
    ]) {
      await assert.rejects(ask(), { code: "argument", message: `${option} was asked of a translation by two models in a row, expected one model` });
    }
  });
});

describe("two models of one's own", () => {
  test("are taken in their order, and given back", async () => {
    const before = softalign.engineStatus().handles;
    const seen = [];
    const own = await Translator.create({
      ...esFr, model: [new Uint8Array(spanish), "en-fr-dot"],
      monitor: (m) => m.addEventListener("downloadprogress", ({ loaded }) => seen.push(loaded)),
    });
    assert.equal(own.model, "bytes + en-fr-dot");
    assert.deepEqual([seen.at(0), seen.at(-1)], [0, 1]);
    assert.deepEqual(seen, [...seen].sort((a, b) => a - b));
    assert.match(await own.translate("I am cold."), /\p{L}/u);
    own.destroy();
    await assert.rejects(own.translate("I am cold."), { code: "destroyed" });
    assert.equal(softalign.engineStatus().handles, before);
  });

  test("must be two, and fit", async () => {
    const before = softalign.engineStatus().handles;
    await assert.rejects(Translator.create({ ...esFr, model: ["en-fr-dot"] }), { code: "argument", message: /^model is a list of 1, expected one model, or two/ });
    await assert.rejects(Translator.create({ ...esFr, model: ["en-fr-dot", "en-fr-dot"] }), { code: "unavailable", message: "model en-fr-dot does not translate es to en" });
    await assert.rejects(Translator.create({ ...esFr, model: [new Uint8Array(spanish), new Uint8Array(spanish)] }), {
      code: "unavailable", message: "model bytes translates es to en, not en to fr",
    });
    assert.equal(softalign.engineStatus().handles, before);
  });
});
