import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { hosted, Installed } from "./installed.mjs";

const enFr = { sourceLanguage: "en", targetLanguage: "fr" };
let installed, softalign, bytes, headerLength;

before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
  bytes = new Uint8Array(await readFile(new URL("en-fr-additive.safetensors", hosted)));
  headerLength = Number(new DataView(bytes.buffer).getBigUint64(0, true));
});
after(() => installed?.remove());

const create = (model) => softalign.Translator.create({ ...enFr, model });

async function refused(model, message = /^model bytes: ./) {
  await assert.rejects(create(model), { name: "SoftalignError", code: "format", message });
  assert.equal(softalign.engineStatus().handles, 0);
}

test("an empty, truncated or foreign file is refused", async () => {
  const text = (string) => new TextEncoder().encode(string);
  for (const foreign of [
    new Uint8Array(0),
    text("<!doctype html><title>404</title>"),
    text("\x89PNG\r\n\x1a\n and so on"),
    new Uint8Array(1000),
    new Uint8Array(1000).fill(255),
    text(String.fromCharCode(2, 0, 0, 0, 0, 0, 0, 0) + "{}"), // safetensors, but no model
  ]) {
    await refused(foreign);
  }
  const lengths = [1, 7, 8, 9, 100, 8 + headerLength - 1, 8 + headerLength, 8 + headerLength + 1, bytes.length >> 1, bytes.length - 1];
  for (const length of lengths) await refused(bytes.subarray(0, length));
});

test("a file of another version says so", async () => {
  const header = new TextDecoder().decode(bytes.subarray(8, 8 + headerLength));
  assert.match(header, /"version"\s*:\s*"1"/);
  const other = bytes.slice();
  other.set(new TextEncoder().encode(header.replace(/("version"\s*:\s*)"1"/, '$1"9"')), 8);
  await refused(other, /version.*9/);
});

test("a flipped bit is refused or harmless, and nothing is left behind", async () => {
  // A small generator, so that every run flips the same bits.
  let state = 42;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  await create(bytes).then((translator) => translator.destroy());
  let refusals = 0;
  for (let i = 0; i < 80; ++i) {
    const flipped = bytes.slice();
    // Half of them in the length and the header, the rest anywhere.
    flipped[random(i % 2 ? 8 + headerLength : bytes.length)] ^= 1 << random(8);
    try {
      const translator = await create(flipped);
      assert.equal(typeof (await translator.translate("I am cold.")), "string");
      translator.destroy();
    } catch (error) {
      assert.ok(["format", "unavailable"].includes(error.code), String(error.stack));
      ++refusals;
    }
    assert.equal(softalign.engineStatus().handles, 0);
  }
  assert.ok(refusals >= 20, `${refusals} refusals`);
});

test("refused files do not fill the memory", async () => {
  const half = bytes.subarray(0, bytes.length - 1);
  await refused(half);
  const { heapBytes } = softalign.engineStatus();
  for (let i = 0; i < 30; ++i) await refused(half);
  assert.equal(softalign.engineStatus().heapBytes, heapBytes);
});

test("the caller's bytes stay as they are", async () => {
  const own = bytes.slice();
  const translator = await create(own);
  assert.deepEqual(own, bytes);
  own.fill(0);
  assert.equal(typeof (await translator.translate("I am cold.")), "string");
  translator.destroy();
});
