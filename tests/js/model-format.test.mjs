// models/README.md, which says what a model file holds, against the files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const read = (path) => readFileSync(new URL(`../../models/${path}`, import.meta.url));

function header(path) {
  const bytes = read(path);
  const length = Number(bytes.readBigUInt64LE(0));
  const { __metadata__: metadata, ...tensors } = JSON.parse(bytes.subarray(8, 8 + length).toString());
  return { config: JSON.parse(metadata.config), tensors };
}

/** "a.{b,c}.d" in all its forms, N from 0 to below `layers`. */
function spellOut(name, layers) {
  const choice = name.match(/\{([^}]*)\}/);
  if (choice) return choice[1].split(",").flatMap((word) => spellOut(name.replace(choice[0], word), layers));
  return name.includes(".N.") ? Array.from({ length: layers }, (_, n) => name.replace(".N.", `.${n}.`)) : [name];
}

/** Name and shape of each tensor by the section of an architecture. */
function documented(architecture, { layers, sizes, attention }) {
  const [, section] = read("README.md").toString().split(`\`architecture\`: \`${architecture}\`\n`);
  const rows = section.split("\n### ")[0].matchAll(/^\| `([^`]+)` \| \[([^\]]+)\] (?:\| ([\w, ]+) )?\|$/gm);
  const shapes = new Map();
  for (const [, name, shape, of = "all"] of rows) {
    if (of !== "all" && !of.split(", ").includes(attention)) continue;
    const dims = shape.split(", ").map((dim) => Number(dim.match(/^\d*/)[0] || 1) * sizes[dim.at(-1)]);
    for (const each of spellOut(name, layers[name.split(".")[0]])) shapes.set(each, dims);
  }
  return shapes;
}

for (const model of ["en-fr-transformer", "en-fr-additive", "en-fr-dot", "en-fr-plain"]) {
  test(`${model} holds what its documentation says`, () => {
    const { config, tensors } = header(`${model}/model.safetensors`);
    const shapes = documented(config.architecture, {
      attention: config.attention,
      layers: { encoder: config.encoder_layers, decoder: config.decoder_layers },
      sizes: {
        V: config.vocabulary, D: config.width, F: config.feed_forward, E: config.embedding, H: config.encoder, S: config.decoder,
        A: config.alignment,
      },
    });
    const { "tokenizer.sentencepiece": tokenizer, ...weights } = tensors;
    assert.equal(tokenizer.dtype, "U8");
    const expected = {};
    for (const [name, { dtype, shape }] of Object.entries(weights)) {
      if (name.endsWith(".scale")) continue;
      expected[name] = shape;
      if (dtype !== "I8") continue;
      const scale = weights[`${name}.scale`];
      assert.deepEqual([scale.dtype, scale.shape], ["F32", [shape[0]]]);
    }
    assert.deepEqual(Object.fromEntries([...shapes].sort()), Object.fromEntries(Object.entries(expected).sort()));
  });
}
