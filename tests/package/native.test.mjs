// One source, two machines: the native command and the package in WASM say the same.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root } from "./installed.mjs";

const command = join(root, "build/native/softalign");
const ids = ["en-fr-transformer", "en-fr-additive"];
const fileOf = (id) => join(root, `dist/models/${id}.safetensors`);
const missing = [command, ...ids.map(fileOf)].find((path) => !existsSync(path));

/** 200 sentences, made of parts so that their lengths and words differ. */
function sentences() {
  const subjects = ["I", "You", "She", "The old man", "My sister and her friend", "Nobody in this town", "The children", "We"];
  const verbs = ["can't find", "have never seen", "wanted to buy", "will forget", "is looking for", "don't really like"];
  const objects = ["the key", "a small house near the river", "Tom", "what you said yesterday", "it", "the 12 books"];
  const ends = [".", "!", " because it's raining.", ", but I don't want to go home yet.", " when I was young, weren't you?"];
  // 607 and the 1,440 combinations have no common factor: no sentence comes twice.
  return Array.from({ length: 200 }, (_, i) => {
    let rest = (i * 607) % 1440;
    const pick = (list) => {
      const choice = list[rest % list.length];
      rest = Math.floor(rest / list.length);
      return choice;
    };
    return `${pick(subjects)} ${pick(verbs)} ${pick(objects)}${pick(ends)}`;
  });
}

for (const id of ids) {
  test(`${id}: native and WASM translate 200 sentences identically`, { skip: missing && `${missing} is not there` }, async () => {
    const { Translator } = await import(new URL("../../dist/index.js", import.meta.url));
    const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: id });
    const sources = sentences();
    assert.equal(new Set(sources).size, 200);
    for (const [beam, count] of [[1, 200], [4, 50]]) {
      const input = sources.slice(0, count);
      const native = execFileSync(command, ["translate", "--model", fileOf(id), "--beam", `${beam}`], {
        input: `${input.join("\n")}\n`,
        encoding: "utf8",
      });
      const wasm = [];
      for (const source of input) wasm.push(await translator.translate(source, { beam }));
      assert.ok(new Set(wasm).size > count / 2, "the translations tell the sentences apart");
      assert.deepEqual(wasm, native.trimEnd().split("\n"));
    }
    translator.destroy();
  });
}
