// The manifest is true to the models' folders, and the schema and what reads manifests at run time are of one mind.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import bundled from "../../dist/manifest.js";
import { addManifest } from "../../dist/manage-models.js";
import { carried } from "../../dist/models.js";
import { manifestText } from "../../scripts/models.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const manifest = JSON.parse(read("models/manifest.json"));
const schema = JSON.parse(read("models/manifest.schema.json"));

test("the manifest says what the models' folders say (node scripts/models.mjs writes it)", () => {
  assert.equal(read("models/manifest.json"), manifestText());
  assert.deepEqual(bundled, manifest);
  assert.deepEqual(JSON.parse(read("dist/models/manifest.json")), manifest);
  assert.deepEqual(JSON.parse(read("dist/models/manifest.schema.json")), schema);
  for (const { file } of manifest.models) assert.ok(existsSync(new URL(`../../dist/models/${file}`, import.meta.url)), file);
});

test("what the package carries is taken where no model is named", () => {
  const defaults = manifest.models.filter((model) => model.default);
  const left = defaults.filter(({ id }) => !carried[id]).map(({ id }) => id);
  assert.deepEqual(left, ["en-de-transformer", "en-es-transformer"]);
  assert.equal(Object.keys(carried).length, defaults.length - left.length);
  const served = defaults.map(({ kind, sourceLanguage, targetLanguage }) => [kind, sourceLanguage, targetLanguage].join());
  assert.deepEqual(served, [...new Set(served)], "one default for each kind and its languages");
  for (const { id, file } of defaults) assert.ok(left.includes(id) || carried[id].pathname.endsWith(`/models/${file}`), file);
});

describe("a manifest", () => {
  const isValid = new Ajv2020().compile(schema);
  const add = (value) => addManifest(value, "https://example.org/models/manifest.json");

  test("may be the package's own, or say little or more", async () => {
    const [{ id, kind, sourceLanguage, targetLanguage, file, size, sha256 }] = manifest.models;
    const least = { id, kind, sourceLanguage, targetLanguage, file, size, sha256 };
    const many = [manifest, { version: 1, models: [] }, { version: 1, models: [least] }, { version: 1, models: [{ ...least, note: 1 }], more: 2 }];
    for (const each of many) {
      assert.ok(isValid(each), JSON.stringify(isValid.errors));
      await add(each);
    }
  });

  const wrong = [
    [null, /^manifest is null, expected an object/],
    [[], /^manifest is \[\], expected an object/],
    [{}, /version is undefined, expected 1/],
    [{ version: 2, models: [] }, /version is 2, expected 1/],
    [{ version: 1 }, /models is undefined, expected a list/],
    [{ version: 1, models: {} }, /models is \{\}, expected a list/],
    [{ version: 1, models: [null] }, /models\[0\] is null, expected an object/],
  ];
  const text = [undefined, "", 7, null];
  const changes = {
    id: [...text, "two words", "https://example.org"],
    kind: [...text, "translator", "toString"],
    sourceLanguage: [...text, "en-GB", "English"],
    targetLanguage: [...text, "fr-FR"],
    default: ["yes", 1, null],
    architecture: [7, null],
    attention: [false, null],
    scores: [34.5, [34.5], { bleu: "34.5" }, null],
    licence: [7, null],
    file: text,
    size: [undefined, "2819254", 0, -1, 1.5, null],
    sha256: [...text, "40124600", "4".repeat(65), "A".repeat(64)],
  };
  for (const [field, values] of Object.entries(changes)) {
    for (const value of values) {
      const models = structuredClone(manifest.models.slice(0, 2));
      models[1][field] = value;
      wrong.push([JSON.parse(JSON.stringify({ version: 1, models })), new RegExp(`^manifest, models\\[1\\]\\.${field} is .*, expected `)]);
    }
  }
  const tagger = manifest.models.find(({ kind }) => kind === "tagger");
  wrong.push([{ version: 1, models: [{ ...tagger, targetLanguage: "fr" }] }, /targetLanguage is "fr", expected none for a tagger/]);

  test(`says where it is wrong, as its schema does: ${wrong.length} times`, async () => {
    for (const [value, message] of wrong) {
      assert.equal(isValid(value), false, `the schema finds nothing wrong with ${JSON.stringify(value)}`);
      await assert.rejects(add(value), { code: "format", message });
    }
  });
});
