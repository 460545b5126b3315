import assert from "node:assert/strict";
import { test } from "node:test";
import { CapitalsReader } from "../../dist/capitals.js";

/** What the model is asked, and how its answer arrives. It says what it reads. */
async function read(text, { beginning = "", language = "en" } = {}) {
  const asked = [];
  const model = {
    ended: new AbortController().signal,
    async call(_, method, first) {
      asked.push(first);
      if (method === "translate") return first.map((request) => `Straße: ${request.text}`);
      if (method === "explain") return [{ translation: first.text, sourceRanges: Uint32Array.of(0, 1) }];
      return method;
    },
  };
  const reader = new CapitalsReader(model, language, "fr");
  const [translation] = await reader.call(undefined, "translate", [{ text, beginning, terms: [] }], 1, 0);
  const [trace] = await reader.call(undefined, "explain", { text, beginning, terms: [] }, {});
  assert.equal(asked[0][0].text, asked[1].text);
  const letters = (said) => said.toLowerCase().replaceAll("ς", "σ");
  assert.equal(letters(trace.translation), letters(asked[1].text));
  return [asked[0][0].text, translation];
}

test("a sentence in capitals is read in small letters, and answered in capitals", async () => {
  assert.deepEqual(await read("WHERE IS MY BOOK?"), ["Where is my book?", "STRAßE: WHERE IS MY BOOK?"]);
  assert.deepEqual(await read("WELCOME"), ["Welcome", "STRAßE: WELCOME"]);
  assert.deepEqual(await read("WHERE IS IT?", { beginning: "OÙ " }), ["Where is it?", "STRAßE: WHERE IS IT?"]);
  assert.deepEqual(await read("I'M COLD"), ["I'm cold", "STRAßE: I'M COLD"]);
  assert.deepEqual(await read("“I DON'T KNOW WHO I AM!”"), ["“I don't know who I am!”", "STRAßE: “I DON'T KNOW WHO I AM!”"]);
  assert.deepEqual(await read("OÙ EST L'ÉTÉ ?", { language: "fr" }), ["Où est l'été ?", "STRAßE: OÙ EST L'ÉTÉ ?"]);
});

test("anything else is read as it stands", async () => {
  for (const text of ["Where is my BOOK?", "USA", "OK.", "I A", "U.S.A.F.", "A. B. C. D.", "42 + 1", "", "DO NOT touch"]) {
    assert.deepEqual(await read(text), [text, `Straße: ${text}`]);
  }
  assert.deepEqual(await read("WHERE IS IT?", { beginning: "Où" }), ["WHERE IS IT?", "Straße: WHERE IS IT?"]);
});

test("no place moves, whatever the letters: neither in UTF-16 nor in UTF-8", async () => {
  const text = "A İSTANBUL ȺBC ẞ 🂡 ΣΑΣ";
  const [small] = await read(text);
  assert.notEqual(small, text);
  assert.equal(small.length, text.length);
  assert.equal(Buffer.byteLength(small), Buffer.byteLength(text));
});

test("two given texts are both read so; what is no sentence goes through", async () => {
  const asked = [];
  const model = { ended: new AbortController().signal, call: async (_, ...args) => asked.push(args), free: (reason) => asked.push(reason) };
  const reader = new CapitalsReader(model, "en", "de");
  await reader.call(undefined, "align", "I AM COLD", "MIR IST KALT", true, false);
  await reader.call(undefined, "pieceStarts", "I AM COLD");
  reader.free("done");
  assert.deepEqual(asked, [["align", "I am cold", "Mir ist kalt", true, false], ["pieceStarts", "I AM COLD"], "done"]);
});
