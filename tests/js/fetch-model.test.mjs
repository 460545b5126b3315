// How a model of a manifest is fetched, checked and kept, with a server of our own and a folder of our own.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { availabilityOf, fetchModel } from "../../dist/fetch-model.js";

const body = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251));
const other = Buffer.from(body).reverse();
const sha256 = createHash("sha256").update(body).digest("hex");

let server, model, scratch, folder, requests, answer;

async function listen() {
  server = createServer((request, response) => {
    requests.push(request);
    answer(response, request);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}
async function close() {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

before(async () => (scratch = await mkdtemp(join(tmpdir(), "softalign-"))));
after(() => rm(scratch, { recursive: true }));
beforeEach(async (t) => {
  folder = join(scratch, t.name.replaceAll(/\W+/g, "-"), "cache");
  process.env.SOFTALIGN_CACHE = folder;
  requests = [];
  answer = whole;
  await listen();
  const url = new URL(`http://127.0.0.1:${server.address().port}/mine.safetensors`);
  model = { id: "mine", kind: "translation", file: "mine.safetensors", url, guessed: false, size: body.length, sha256 };
});
afterEach(close);

const whole = (response) => response.writeHead(200, { "content-length": body.length }).end(body);
const kept = () => readdir(folder).catch(() => []);
const keptFile = () => join(folder, `${sha256}.safetensors`);
const bytes = async (options) => Buffer.from(await fetchModel(model, options));

/** Half of the model is sent; the rest when what this returns is called. */
function half() {
  let finish;
  const told = new Promise((resolve) => (finish = resolve));
  answer = async (response) => {
    response.writeHead(200, { "content-length": body.length });
    response.write(body.subarray(0, 150_000));
    await told;
    response.end(body.subarray(150_000));
  };
  return finish;
}

describe("a model", () => {
  test("is fetched once, kept, and there without a network", async () => {
    assert.equal(await availabilityOf(model), "downloadable");
    const seen = [];
    assert.deepEqual(await bytes({ onProgress: (fraction) => seen.push(fraction) }), body);
    assert.ok(seen.length > 0);
    assert.deepEqual(await kept(), [`${sha256}.safetensors`]);
    assert.deepEqual(await readFile(keptFile()), body);
    assert.equal(await availabilityOf(model), "available");
    await close();
    assert.deepEqual(await bytes(), body);
    assert.equal(requests.length, 1);
    await listen();
  });

  test("of another version is another entry", async () => {
    await bytes();
    answer = (response) => response.end(other);
    const next = { ...model, sha256: createHash("sha256").update(other).digest("hex") };
    assert.deepEqual(Buffer.from(await fetchModel(next)), other);
    assert.equal((await kept()).length, 2);
  });

  test("that is another file is refused and not kept", async () => {
    answer = (response) => response.end(other);
    const hash = createHash("sha256").update(other).digest("hex");
    await assert.rejects(bytes(), {
      code: "format",
      message: `${model.url} is not model mine: its SHA-256 is ${hash}, expected ${sha256}`,
    });
    answer = (response) => response.end("<!doctype html><title>Not found</title>");
    await assert.rejects(bytes(), { code: "format", message: /it has 39 bytes, expected 300000$/ });
    assert.deepEqual(await kept(), []);
    answer = whole;
    assert.deepEqual(await bytes(), body);
  });

  test("is asked for past the browser's cache if that had another file", async (t) => {
    const caches = [];
    t.mock.method(globalThis, "fetch", async (_, { cache }) => {
      caches.push(cache);
      const bytes = cache === "reload" ? body : other;
      return new Response(ReadableStream.from([0, 1, 2].map((i) => bytes.subarray(i * 100_000, (i + 1) * 100_000))));
    });
    const seen = [];
    assert.deepEqual(await bytes({ onProgress: (fraction) => seen.push(fraction) }), body);
    assert.deepEqual(caches, ["default", "reload"]);
    assert.deepEqual(seen, [1 / 3, 2 / 3], "progress does not go back");
    assert.deepEqual(await readFile(keptFile()), body);
  });

  test("that was damaged on disk is fetched anew", async () => {
    await bytes();
    for (const damage of [other, Buffer.alloc(0), body.subarray(1)]) {
      await writeFile(keptFile(), damage);
      assert.deepEqual(await bytes(), body);
      assert.deepEqual(await readFile(keptFile()), body);
    }
    assert.equal(requests.length, 4);
    await writeFile(keptFile(), other);
    answer = (response) => response.writeHead(404).end();
    await assert.rejects(bytes(), { code: "network" });
    assert.deepEqual(await kept(), []);
  });

  test("of which the connection breaks is kept whole or not at all", async () => {
    answer = (response, { headers }) => {
      const from = Number(headers.range?.match(/\d+/)[0] ?? 0);
      const range = { "content-range": `bytes ${from}-${body.length - 1}/${body.length}` };
      response.writeHead(from ? 206 : 200, { "content-length": body.length - from, etag: '"1"', ...(from && range) });
      response.write(body.subarray(from, from + 120_000), () => (from + 120_000 < body.length ? response.destroy() : response.end()));
    };
    assert.deepEqual(await bytes(), body);
    assert.ok(requests.length > 1);
    await rm(folder, { recursive: true });
    answer = (response) => {
      response.writeHead(200, { "content-length": body.length });
      response.write(body.subarray(0, 1000), () => response.destroy());
    };
    await assert.rejects(bytes(), { code: "network" });
    assert.deepEqual(await kept(), []);
  });

  test("leaves nothing behind when aborted, and comes when asked for again", async () => {
    half();
    const controller = new AbortController();
    const reason = new Error("mine");
    const aborted = bytes({ signal: controller.signal, onProgress: () => controller.abort(reason) });
    await assert.rejects(aborted, (error) => error === reason);
    if (!requests[0].destroyed) await new Promise((resolve) => requests[0].once("close", resolve)); // nobody reads on
    assert.deepEqual(await kept(), []);
    answer = whole;
    assert.deepEqual(await bytes(), body);
  });
});

describe("the same model for two", () => {
  test("is fetched once", async () => {
    const seen = [[], []];
    const both = await Promise.all(seen.map((list) => bytes({ onProgress: (fraction) => list.push(fraction) })));
    assert.deepEqual(both, [body, body]);
    assert.equal(requests.length, 1);
    assert.ok(seen.every((list) => list.length > 0));
  });

  test("comes even if one gives up, or stumbles over its own listener", async () => {
    const finish = half();
    const controller = new AbortController();
    const thrown = new RangeError("mine");
    const throws = () => {
      throw thrown;
    };
    const three = [bytes({ signal: controller.signal }), bytes({ onProgress: throws }), bytes()];
    const two = Promise.allSettled(three.slice(0, 2));
    setTimeout(() => controller.abort("enough"), 50);
    assert.deepEqual((await two).map(({ reason }) => reason), ["enough", thrown]);
    finish();
    assert.deepEqual(await three[2], body);
    assert.equal(requests.length, 1);
  });

  test("is fetched anew for who comes after all have given up", async () => {
    half();
    const controller = new AbortController();
    const first = bytes({ signal: controller.signal, onProgress: () => controller.abort() });
    await assert.rejects(first, { name: "AbortError" });
    answer = whole;
    assert.deepEqual(await bytes(), body);
    assert.equal(requests.length, 2);
  });

  test("may be fetched by two processes at once", async () => {
    const script = `
      import { fetchModel } from ${JSON.stringify(new URL("../../dist/fetch-model.js", import.meta.url))};
      const model = JSON.parse(process.argv[1]);
      const bytes = await fetchModel({ ...model, url: new URL(model.url) });
      console.log(bytes.length);
    `;
    const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script, JSON.stringify(model)]);
    for (const { stdout, stderr } of await Promise.all([run(), run()])) assert.deepEqual([stdout, stderr], ["300000\n", ""]);
    assert.deepEqual(await kept(), [`${sha256}.safetensors`]);
    assert.deepEqual(await readFile(keptFile()), body);
  });
});

describe("where nothing can be kept", () => {
  test("models work all the same", async () => {
    await mkdir(join(folder, ".."), { recursive: true });
    await writeFile(folder, "no folder");
    for (let i = 0; i < 2; ++i) assert.deepEqual(await bytes(), body);
    assert.equal(requests.length, 2);
    assert.equal(await availabilityOf(model), "downloadable");
  });

  test("and hashed, their length is checked", async (t) => {
    const { crypto } = globalThis;
    t.after(() => Object.defineProperty(globalThis, "crypto", { value: crypto }));
    Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true, writable: true });
    answer = (response) => response.end(other);
    assert.deepEqual(await bytes(), other);
    answer = (response) => response.end(body.subarray(1));
    await assert.rejects(bytes(), { code: "format", message: /it has 299999 bytes, expected 300000$/ });
  });
});

describe("a model on disk", () => {
  test("is read where it is, and kept nowhere else", async () => {
    const path = join(scratch, "mine.safetensors");
    await writeFile(path, body);
    model.url = pathToFileURL(path);
    assert.equal(await availabilityOf(model), "available");
    assert.deepEqual(await bytes(), body);
    assert.deepEqual(await kept(), []);
    // Models of the same hash share what they are made into.
    await writeFile(path, Buffer.from(body).reverse());
    await assert.rejects(bytes(), { code: "format", message: /mine\.safetensors is not model mine: its SHA-256 is/ });
  });

  test("that is not there may have been kept", async () => {
    const { url } = model;
    model.url = pathToFileURL(join(scratch, "none.safetensors"));
    assert.equal(await availabilityOf(model), "unavailable");
    await assert.rejects(bytes(), { code: "unavailable", message: /^could not read .*none\.safetensors: ENOENT/ });
    await fetchModel({ ...model, url });
    assert.equal(await availabilityOf(model), "available");
    assert.deepEqual(await bytes(), body);
  });
});

test("a model that is neither in the package nor beside it says what to do", async () => {
  model.guessed = true;
  answer = (response) => response.writeHead(404).end();
  const advice = { name: "NotSupportedError", code: "unavailable", message: /^model mine is not in the package: .*mine\.safetensors.*setModelBase\(.*404/ };
  await assert.rejects(bytes(), advice);
  const { url } = model;
  model.url = pathToFileURL(join(scratch, "none.safetensors"));
  await assert.rejects(bytes(), { ...advice, message: /^model mine is not in the package: .*ENOENT/ });
  // Where nobody answers nobody knows.
  model.url = url;
  answer = (response) => response.writeHead(503).end();
  await assert.rejects(bytes(), { code: "network", message: /^model mine is not in the package: .*503/ });
  await close();
  await assert.rejects(bytes(), { code: "network", message: /^model mine is not in the package: .*fetch failed/ });
  await listen();
});

test("the folder is where the system wants caches", async (t) => {
  const { platform } = process;
  const saved = { ...process.env };
  t.after(() => {
    Object.defineProperty(process, "platform", { value: platform });
    for (const name of ["HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"]) delete process.env[name];
    Object.assign(process.env, saved);
  });
  const home = join(scratch, "home");
  const cases = [
    ["linux", { SOFTALIGN_CACHE: `${home}/own`, XDG_CACHE_HOME: `${home}/xdg` }, "own"],
    ["linux", { XDG_CACHE_HOME: `${home}/xdg` }, "xdg/softalign"],
    ["linux", {}, ".cache/softalign"],
    ["darwin", {}, "Library/Caches/softalign"],
    ["win32", { LOCALAPPDATA: `${home}/AppData/Local` }, "AppData/Local/softalign"],
  ];
  for (const [system, variables, place] of cases) {
    Object.defineProperty(process, "platform", { value: system });
    for (const name of ["SOFTALIGN_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"]) delete process.env[name];
    Object.assign(process.env, { HOME: home }, variables);
    await bytes();
    assert.deepEqual(await readdir(join(home, place)), [`${sha256}.safetensors`], `${system} ${place}`);
    await rm(home, { recursive: true });
  }
});
