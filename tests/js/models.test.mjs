import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalTag, languageOf } from "../../dist/language-tags.js";
import { modelFor, resolveModels } from "../../dist/models.js";

const resolveModel = (...asked) => {
  const [model, ...others] = resolveModels(...asked);
  assert.deepEqual(others, []);
  return model;
};

test("tags are read as languages", () => {
  assert.equal(canonicalTag("EN-us-x-Own", "sourceLanguage"), "en-US-x-own");
  assert.equal(canonicalTag("iw", "sourceLanguage"), "he");
  assert.equal(languageOf("en-US-x-own"), "en");
  assert.equal(languageOf("fr"), "fr");
  for (const tag of ["", "not a tag", null, 3]) {
    assert.throws(() => canonicalTag(tag, "sourceLanguage"), { name: "RangeError", message: /^sourceLanguage is / });
  }
  assert.throws(() => canonicalTag(undefined, "targetLanguage"), { name: "TypeError", message: /^targetLanguage is missing/ });
});

test("a pair's default model is the one in the package", () => {
  assert.equal(modelFor("en", "fr").id, "en-fr-transformer");
  assert.equal(modelFor("fr", "en"), undefined);
  const { name, url } = resolveModel(undefined, "en", "fr");
  assert.equal(name, "en-fr-transformer");
  assert.match(url.pathname, /\/models\/en-fr-transformer\.safetensors$/);
});

test("a model is an id, an address or bytes", () => {
  assert.match(resolveModel("en-fr-dot", "en", "fr").url.pathname, /\/models\/en-fr-dot\.safetensors$/);
  assert.equal(resolveModel("https://example.org/m", "de", "fr").url.href, "https://example.org/m");
  assert.equal(resolveModel(new URL("https://example.org/m"), "de", "fr").name, "https://example.org/m");
  const bytes = Uint8Array.of(1, 2, 3, 4);
  assert.deepEqual(resolveModel(bytes.subarray(1, 3), "en", "fr"), { name: "bytes", bytes: Uint8Array.of(2, 3) });
  assert.deepEqual(resolveModel(bytes.buffer, "en", "fr").bytes, bytes);
});

test("what is neither says what there is", () => {
  assert.throws(() => resolveModel("en-fr-aditive", "en", "fr"), { code: "argument", message: /en-fr-aditive.*en-fr-transformer, en-fr-additive, en-fr-dot/ });
  assert.throws(() => resolveModel("models/mine", "en", "fr"), { code: "argument" }); // Node has no base address
  assert.throws(() => resolveModel(7, "en", "fr"), { code: "argument", message: /number/ });
  assert.throws(() => resolveModel(undefined, "fr", "en"), { code: "unavailable", message: /fr to en.*en to fr/ });
  for (const [from, to] of [["fr", "en"], ["de", "fr"], ["en", "de"]]) {
    assert.throws(() => resolveModel("en-fr-dot", from, to), { code: "unavailable", message: `model en-fr-dot does not translate ${from} to ${to}` });
  }
});

test("two models are one into English and one out of it", () => {
  assert.throws(() => resolveModels(["https://example.org/m"], "es", "fr"), { code: "argument", message: /^model is a list of 1/ });
  assert.deepEqual(resolveModels(["https://example.org/m", "en-fr-dot"], "es", "fr").map(({ name }) => name), ["https://example.org/m", "en-fr-dot"]);
  assert.throws(() => resolveModels(["en-fr-dot", "en-fr-dot"], "es", "fr"), { message: "model en-fr-dot does not translate es to en" });
});

test("addresses may be relative to the page, but a bare word is an id", (t) => {
  globalThis.location = { href: "https://example.org/page/" };
  t.after(() => delete globalThis.location);
  assert.equal(resolveModel("models/mine", "en", "fr").url.href, "https://example.org/page/models/mine");
  assert.equal(resolveModel("mine.safetensors", "en", "fr").url.href, "https://example.org/page/mine.safetensors");
  assert.throws(() => resolveModel("mine", "en", "fr"), { code: "argument" });
});
