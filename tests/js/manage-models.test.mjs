// softalign/models: which models there are, where they come from, and which are kept.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { readSafetensors, Translator } from "../../dist/index.js";
import { addManifest, deleteAllModels, deleteModel, listModels, modelBytes, prefetchModel, setModelBase } from "../../dist/manage-models.js";

const fileOf = (id) => new URL(`../../dist/models/${id}.safetensors`, import.meta.url);
const ids = async (filter) => (await listModels(filter)).map(({ id }) => id);
const one = async (id) => (await listModels()).find((model) => model.id === id);

let server, base, folder, requests, files;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "softalign-"));
  process.env.SOFTALIGN_CACHE = folder;
  server = createServer(async (request, response) => {
    requests.push(request.url);
    const name = request.url.replace("/models/", "");
    const bytes = files[name] ?? (await readFile(fileOf(name.replace(".safetensors", ""))).catch(() => undefined));
    if (bytes === undefined) return response.writeHead(404).end();
    response.writeHead(200, { "content-length": bytes.length }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}/models`;
});
after(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => {
  requests = [];
  files = {};
});
afterEach(async () => {
  setModelBase(undefined);
  await deleteAllModels();
});

describe("listModels", () => {
  test("lists what there is, with what the manifest says of it", async () => {
    const { models } = JSON.parse(await readFile(new URL("../../models/manifest.json", import.meta.url), "utf8"));
    assert.deepEqual(await ids(), models.map(({ id }) => id));
    const { file, ...entry } = models[0];
    assert.deepEqual(await one("en-fr-transformer"), { ...entry, url: fileOf(entry.id).href, availability: "available", cached: false });
  });

  test("chooses by kind and languages", async () => {
    assert.deepEqual(await ids({ kind: "tagger" }), ["en-tagger"]);
    assert.equal((await ids({ sourceLanguage: "en-GB" })).length, 13);
    assert.equal((await ids({ sourceLanguage: "en", targetLanguage: "FR" })).length, 5);
    assert.deepEqual(await ids({ sourceLanguage: "fr" }), []);
    await assert.rejects(listModels({ targetLanguage: "?" }), { name: "RangeError", message: /^targetLanguage is "\?"/ });
  });
});

describe("setModelBase", () => {
  test("says where models are fetched that are not on this machine", async () => {
    for (const address of [base, `${base}/`, new URL(base)]) {
      setModelBase(address);
      assert.equal((await one("en-fr-dot")).url, `${base}/en-fr-dot.safetensors`);
      assert.equal((await one("en-fr-transformer")).url, fileOf("en-fr-transformer").href);
    }
    setModelBase(undefined);
    assert.equal((await one("en-fr-dot")).url, fileOf("en-fr-dot").href);
    assert.throws(() => setModelBase("models/"), { code: "argument", message: 'base is "models/", expected an address' });
  });

  test("is where create finds a model, once", async () => {
    setModelBase(base);
    const expected = [];
    for (let i = 0; i < 2; ++i) {
      const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: "en-fr-plain" });
      assert.equal(translator.model, "en-fr-plain");
      expected.push(await translator.translate("I am cold."));
      translator.destroy();
    }
    assert.deepEqual(requests, ["/models/en-fr-plain.safetensors"]);
    assert.equal(expected[0], expected[1]);
  });

  test("knows its models by their address, too", async () => {
    setModelBase(base);
    const pair = { sourceLanguage: "en", targetLanguage: "fr" };
    const create = async (model) => (await Translator.create({ ...pair, model })).destroy();
    await create(`${base}/en-fr-plain.safetensors`);
    await create(new URL(`${base}/en-fr-plain.safetensors`));
    assert.equal(requests.length, 1);
    // Any other address is that of bytes of which nothing is known.
    files["mine"] = await readFile(fileOf("en-fr-plain"));
    for (let i = 0; i < 2; ++i) await create(`${base}/mine`);
    assert.equal(requests.length, 3);
  });
});

describe("prefetchModel", () => {
  test("keeps a model for later, with progress", async () => {
    setModelBase(base);
    assert.deepEqual([(await one("en-fr-dot")).availability, (await one("en-fr-dot")).cached], ["downloadable", false]);
    const seen = [];
    await prefetchModel("en-fr-dot", { onProgress: (fraction) => seen.push(fraction) });
    assert.ok(seen.length > 1);
    assert.equal(seen.at(-1), 1);
    assert.deepEqual([(await one("en-fr-dot")).availability, (await one("en-fr-dot")).cached], ["available", true]);
    await prefetchModel("en-fr-dot");
    assert.equal(requests.length, 1);
  });

  test("has nothing to do for what is on disk", async () => {
    setModelBase(base);
    await prefetchModel("en-fr-transformer");
    assert.deepEqual(requests, []);
    assert.deepEqual(await readdir(folder), []);
  });

  test("says what is wrong", async () => {
    await assert.rejects(prefetchModel("en-fr-none"), { code: "argument", message: /^id is "en-fr-none", expected one of en-fr-transformer, / });
    setModelBase(`${base}/none`);
    await assert.rejects(prefetchModel("en-fr-dot"), { code: "network", message: /none\/en-fr-dot\.safetensors: 404/ });
    await assert.rejects(prefetchModel("en-fr-dot", { signal: AbortSignal.abort("no") }), (reason) => reason === "no");
    setModelBase(base);
    process.env.SOFTALIGN_CACHE = join(folder, "file");
    await writeFile(process.env.SOFTALIGN_CACHE, "no folder");
    await assert.rejects(prefetchModel("en-fr-dot"), { code: "unavailable", message: /en-fr-dot was downloaded, but .* cannot keep it/ });
    process.env.SOFTALIGN_CACHE = folder;
    await rm(join(folder, "file"));
  });
});

describe("modelBytes", () => {
  test("gives the file, from the host once and then from what is kept", async () => {
    setModelBase(base);
    const seen = [];
    const bytes = await modelBytes("en-fr-dot", { onProgress: (fraction) => seen.push(fraction) });
    assert.deepEqual(Buffer.from(bytes), await readFile(fileOf("en-fr-dot")));
    assert.equal(seen.at(-1), 1);
    assert.deepEqual((await readSafetensors(bytes))["attention.key.weight"].shape, [192, 320]);
    await modelBytes("en-fr-dot");
    assert.equal(requests.length, 1);
    assert.ok((await modelBytes("en-fr-transformer")).length > 1e6, "on disk");
  });

  test("says what is wrong", async () => {
    await assert.rejects(modelBytes("en-fr-none"), { code: "argument", message: /^id is "en-fr-none"/ });
    setModelBase(`${base}/none`);
    await assert.rejects(modelBytes("en-fr-dot"), { code: "network", message: /none\/en-fr-dot\.safetensors: 404/ });
    await assert.rejects(modelBytes("en-fr-dot", { signal: AbortSignal.abort("no") }), (reason) => reason === "no");
  });
});

describe("deleting", () => {
  test("takes a model, or all, and nothing else", async () => {
    setModelBase(base);
    for (const id of ["en-fr-dot", "en-fr-plain"]) await prefetchModel(id);
    const [first] = await readdir(folder);
    await writeFile(join(folder, `${first}.unfinished`), "left by a process that was killed");
    await writeFile(join(folder, "notes.txt"), "not ours");
    assert.equal(await deleteModel("en-fr-dot"), true);
    assert.equal(await deleteModel("en-fr-dot"), false);
    assert.deepEqual([(await one("en-fr-dot")).cached, (await one("en-fr-plain")).cached], [false, true]);
    await deleteAllModels();
    assert.equal((await one("en-fr-plain")).cached, false);
    assert.deepEqual(await readdir(folder), ["notes.txt"]);
    await rm(join(folder, "notes.txt"));
    assert.equal(await deleteModel("en-fr-transformer"), false);
    await assert.rejects(deleteModel("en-fr-none"), { code: "argument" });
  });

  test("has nothing to do where nothing was ever kept", async () => {
    process.env.SOFTALIGN_CACHE = join(folder, "none");
    await deleteAllModels();
    assert.equal(await deleteModel("en-fr-dot"), false);
    process.env.SOFTALIGN_CACHE = folder;
  });
});

describe("addManifest", () => {
  const entry = (bytes, more) => ({
    id: "mine", kind: "translation", sourceLanguage: "en", targetLanguage: "fr",
    file: "mine.safetensors", size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex"), ...more,
  });

  test("adds models by an address", async () => {
    const bytes = await readFile(fileOf("en-fr-plain"));
    files = { "mine.safetensors": bytes, "manifest.json": Buffer.from(JSON.stringify({ version: 1, models: [entry(bytes)] })) };
    await addManifest(`${base}/manifest.json`);
    assert.equal((await one("mine")).url, `${base}/mine.safetensors`);
    const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: "mine" });
    assert.equal(translator.model, "mine");
    translator.destroy();
    assert.equal((await one("mine")).cached, true);
  });

  test("adds language pairs, and defaults that come first", async () => {
    const pair = { sourceLanguage: "de", targetLanguage: "fr" };
    assert.equal(await Translator.availability(pair), "unavailable");
    const bytes = Buffer.from("no model");
    files["mine.safetensors"] = bytes;
    const models = [entry(bytes, { id: "de-fr", sourceLanguage: "de" }), entry(bytes, { id: "own", default: true })];
    await addManifest({ version: 1, models }, `${base}/manifest.json`);
    assert.equal(await Translator.availability(pair), "downloadable");
    await assert.rejects(Translator.create(pair), { code: "format", message: /^model de-fr: / });
    await assert.rejects(Translator.create({ ...pair, sourceLanguage: "en" }), { message: /^model own: / });
    // The last word is that of the manifest that came last.
    const newer = [{ ...models[1], id: "other", default: false }, { ...models[1], id: "newest" }, { ...models[0], file: "https://example.org/m" }];
    await addManifest({ version: 1, models: newer }, base);
    await assert.rejects(Translator.create({ ...pair, sourceLanguage: "en" }), { message: /^model newest: / });
    assert.deepEqual((await listModels({ sourceLanguage: "de" })).map(({ url }) => url), ["https://example.org/m"]);
  });

  test("says what is no manifest", async () => {
    files = { html: Buffer.from("<!doctype html>"), old: Buffer.from('{ "version": 0 }') };
    await assert.rejects(addManifest(`${base}/html`), { code: "format", message: /\/html is not JSON: / });
    await assert.rejects(addManifest(`${base}/old`), { code: "format", message: `${base}/old, version is 0, expected 1` });
    await assert.rejects(addManifest(`${base}/none`), { code: "network", message: /404/ });
    await assert.rejects(addManifest({ version: 1, models: [] }), { code: "argument", message: "address is undefined, expected an address" });
  });
});
