// What every head looked at, and what becomes of a translation whose attention is edited.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hosted, Installed } from "./installed.mjs";

const enFr = { sourceLanguage: "en", targetLanguage: "fr" };
const text = "The old cat sleeps under the big table.";
let installed, translator, additive, dot, plain;

before(async () => {
  installed = await Installed.install();
  const { Translator, setModelBase } = await installed.import();
  setModelBase(hosted);
  translator = await Translator.create(enFr);
  [additive, dot, plain] = await Promise.all(["additive", "dot", "plain"].map((name) => Translator.create({ ...enFr, model: `en-fr-${name}` })));
});
after(async () => {
  for (const one of [translator, additive, dot, plain]) one?.destroy();
  await installed?.remove();
});

const row = (weights, columns, r) => [...weights.subarray(r * columns, (r + 1) * columns)];
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const near = (a, b, error = 1e-5) => assert.ok(Math.abs(a - b) <= error, `${a} is not ${b}`);
const argumentError = (message) => ({ code: "argument", message });
/** Weights of the source tokens of an explanation, all of it on some. */
const on = ({ sourceTokens }, ...tokens) => sourceTokens.map((_, s) => Number(tokens.includes(s)));

test("signs that the model does not know shift no place", async () => {
  const text = "I \u2192 am cold \u{1F600} now. I am late.";
  for (const level of ["word", "piece"]) {
    const plain = await translator.explain(text, { level });
    const rows = [{ target: 0, weights: on(plain, 2) }];
    const { attention, sourceTokens } = await translator.explain(text, { level, edits: { rows, mask: [plain.sourceTokens.length - 1] } });
    assert.deepEqual([...row(attention, sourceTokens.length, 0)].map((weight) => weight > 0.99), rows[0].weights.map(Boolean));
  }
  const { sourceTokens } = await translator.explain(text, { level: "piece" });
  assert.equal(await translator.measureInputUsage(text), sourceTokens.length);
});

describe("heads", () => {
  test("are all there, each as large as its tokens", async () => {
    for (const level of ["word", "piece"]) {
      for (const special of [true, false]) {
        for (const explain of [(options) => translator.explain("I don't understand.", options), (options) => translator.align("I don't understand.", "Je ne comprends pas.", options)]) {
          const { heads, sourceTokens, targetTokens } = await explain({ heads: true, level, special });
          assert.deepEqual(
            heads.map(({ kind, layer, head }) => `${kind} ${layer} ${head}`),
            [["cross", 2], ["encoder", 3], ["decoder", 2]].flatMap(([kind, layers]) => Array.from({ length: layers * 4 }, (_, i) => `${kind} ${i >> 2} ${i & 3}`)),
          );
          for (const { kind, rows, columns, weights } of heads) {
            assert.equal(rows, (kind === "encoder" ? sourceTokens : targetTokens).length);
            assert.equal(columns, (kind === "decoder" ? targetTokens : sourceTokens).length);
            assert.equal(weights.length, rows * columns);
            assert.ok(weights.every((weight) => weight >= 0 && weight < 1.0001));
            for (let r = 0; r < rows; ++r) {
              const total = sum(row(weights, columns, r));
              assert.ok(special ? Math.abs(total - 1) < 1e-4 : total < 1.0001, `${kind}: ${total}`);
              // A word sees those before it, and within a word pieces do.
              const from = level === "piece" ? r : r + 1;
              if (kind === "decoder") assert.equal(sum(row(weights, columns, r).slice(from, columns - Number(special))), 0);
            }
          }
        }
      }
    }
  });

  test("are merged to words as attention is", async () => {
    const options = { heads: true, special: true };
    const [words, pieces] = [await translator.explain("Unbelievable houses.", options), await translator.explain("Unbelievable houses.", { ...options, level: "piece" })];
    const members = (side) => words[side].map((word, i) => pieces[side].flatMap((piece, k) => (i === words[side].length - 1 ? k === pieces[side].length - 1 : piece.text && piece.start >= word.start && piece.end <= word.end) ? [k] : []));
    const [source, target] = [members("sourceTokens"), members("targetTokens")];
    assert.ok(source.some(({ length }) => length > 1) && target.some(({ length }) => length > 1));
    words.heads.forEach(({ kind, weights, columns }, i) => {
      const [rowsOf, columnsOf] = [kind === "encoder" ? source : target, kind === "decoder" ? target : source];
      rowsOf.forEach((ofRow, r) => columnsOf.forEach((ofColumn, c) => {
        const cells = ofRow.map((p) => sum(ofColumn.map((q) => pieces.heads[i].weights[p * pieces.heads[i].columns + q])));
        near(weights[r * columns + c], sum(cells) / cells.length, 1e-5);
      }));
    });
  });

  test("hold the attention that is shown", async () => {
    const { attention, heads, sourceTokens, targetTokens } = await translator.explain(text, { heads: true, level: "piece", special: true });
    const S = sourceTokens.length;
    // A word's alignment is read one step later.
    const shown = heads.filter(({ kind, weights }) => kind === "cross" && targetTokens.slice(1).every((_, t) => row(weights, S, t + 1).every((w, s) => Math.abs(w - attention[t * S + s]) < 1e-4)));
    assert.equal(shown.length, 1);
    for (const model of [additive, dot]) {
      const recurrent = await model.explain(text, { heads: true });
      assert.equal(recurrent.heads.length, 1);
      const { weights, ...head } = recurrent.heads[0];
      assert.deepEqual(head, { kind: "cross", layer: 0, head: 0, rows: recurrent.targetTokens.length, columns: recurrent.sourceTokens.length });
      weights.forEach((weight, i) => near(weight, recurrent.attention[i], 1e-4));
    }
    assert.deepEqual((await plain.explain(text, { heads: true })).heads, []);
    assert.deepEqual((await translator.explain("…", { heads: true })).heads, []);
    assert.equal("heads" in (await translator.explain(text)), false);
    assert.equal("heads" in (await translator.align(text, "Le chat.")), false);
  });

  test("see no other sentence", async () => {
    const two = await translator.explain("I am cold. The cat is old.", { heads: true });
    const one = await translator.explain("I am cold.", { heads: true });
    two.heads.forEach(({ weights, columns, rows }, i) => {
      const first = one.heads[i];
      for (let r = 0; r < rows; ++r) {
        const here = row(weights, columns, r);
        if (r >= first.rows) assert.equal(sum(here.slice(0, first.columns)), 0);
        else assert.deepEqual(here, [...row(first.weights, first.columns, r), ...here.slice(first.columns).fill(0)]);
      }
    });
    await assert.rejects(translator.explain("I am cold. ".repeat(300), { heads: true }), argumentError(/too long to explain/));
  });
});

describe("edits", () => {
  test("of nothing change nothing", async () => {
    for (const model of [translator, additive, dot, plain]) {
      for (const options of [{}, { level: "piece", special: true, beam: 3 }]) {
        const expected = await model.explain(text, options);
        for (const edits of [{}, { mask: [], off: [], rows: [], uniform: false }]) {
          assert.deepEqual(await model.explain(text, { ...options, edits }), expected);
        }
      }
    }
  });

  test("hide a word", async () => {
    assert.equal((await translator.explain(text)).translation, "Le vieux chat dort sous la grosse table.");
    assert.equal((await translator.explain(text, { edits: { mask: [1] } })).translation, "Le chat dort sous la grosse table.");
    for (const model of [translator, additive, dot]) {
      for (const masked of [1, 3, 7]) {
        const { heads, attention, sourceTokens } = await model.explain(text, { heads: true, edits: { mask: [masked] } });
        const S = sourceTokens.length;
        assert.ok(attention.every((weight, i) => i % S !== masked || weight === 0));
        for (const { kind, weights } of heads) assert.ok(kind === "decoder" || weights.every((weight, i) => i % S !== masked || weight === 0));
      }
    }
    // Whatever it is, for a transformer.
    const without = async (adjective) => {
      const { translation, attention, confidence } = await translator.explain(text.replace("old", adjective), { edits: { mask: [1] } });
      return { translation, attention, confidence };
    };
    assert.deepEqual(await without("big"), await without("old"));
    const everything = await translator.explain(text, { edits: { mask: text.match(/\w+|\./g).map((_, i) => i) } });
    assert.equal(sum(everything.attention), 0, "all went to the end of the sentence");
    const withEnd = await translator.explain(text, { special: true, edits: { mask: [9], rows: [{ target: 9, weights: on(everything, 0).concat(0) }] } });
    assert.ok(withEnd.attention.every((weight, i) => i % 10 !== 9 || weight === 0), "which may be hidden, too");
  });

  test("make a word look elsewhere", async () => {
    for (const model of [translator, additive, dot]) {
      for (const options of [{}, { level: "piece" }, { special: true }, { beam: 4 }]) {
        const free = await model.explain(text, options);
        const weights = on(free, 2).map((weight, s) => 3 * weight + Number(s === 7));
        const edited = await model.explain(text, { ...options, edits: { rows: [{ target: 1, weights }] } });
        row(edited.attention, weights.length, 1).forEach((weight, s) => near(weight, weights[s] / 4));
        assert.equal(edited.targetTokens[0].text, free.targetTokens[0].text);
      }
    }
    const free = await translator.explain(text);
    const edited = (rows) => translator.explain(text, { edits: { rows } }).then(({ translation }) => translation);
    assert.equal(await edited([{ target: 1, weights: on(free, 6) }]), "Le gros chat dort sous la grosse table.");
    assert.equal(await edited([{ target: 7, weights: on(free, 2) }]), "Le vieux chat dort sous la grosse cha chatte table.");
    assert.equal(await edited([{ target: 7, weights: on(free, 2) }, { target: 1, weights: Float32Array.from(on(free, 6)) }]), "Le gros chat dort sous la grosse chatte table.");
    const { heads } = await translator.explain(text, { heads: true, edits: { rows: [{ target: 4, weights: on(free, 0), head: { kind: "cross", layer: 1, head: 2 } }] } });
    for (const { kind, layer, head, weights, columns } of heads) {
      if (kind === "cross" && layer < 2) assert.equal(row(weights, columns, 4)[0] === 1, layer === 1 && head === 2);
    }
  });

  test("switch heads off, or attention as a whole", async () => {
    const off = { kind: "encoder", layer: 1, head: 3 };
    const { heads } = await translator.explain(text, { heads: true, edits: { off: [off] } });
    for (const { weights, ...head } of heads) {
      const isOff = head.kind === off.kind && head.layer === off.layer && head.head === off.head;
      assert.equal(sum(weights) === 0, isOff);
    }
    const { heads: all } = await translator.explain(text, { heads: true });
    for (const kind of ["cross", "encoder", "decoder"]) {
      const without = await translator.explain(text, { edits: { off: all.filter((head) => head.kind === kind) } });
      assert.notEqual(without.translation, "Le vieux chat dort sous la grosse table.");
      if (kind === "cross") assert.equal(sum(without.attention), 0);
    }
    for (const model of [translator, additive, dot]) {
      const uniform = await model.explain(text, { level: "piece", special: true, edits: { uniform: true } });
      for (const weight of uniform.attention) near(weight, 1 / uniform.sourceTokens.length);
      assert.notEqual(uniform.translation, (await model.explain(text)).translation);
    }
  });

  test("count tokens through the whole text", async () => {
    const two = "\n I am cold.  The cat is old…\n\n… Yes!";
    for (const special of [false, true]) {
      const free = await translator.explain(two, { special });
      const at = (side, text) => free[side].findIndex((token) => token.text === text);
      const [cat, chat] = [at("sourceTokens", "cat"), at("targetTokens", "chat")];
      const masked = await translator.explain(two, { special, edits: { mask: [cat] } });
      assert.match(masked.translation, /^\n J'ai froid\. (?!.*chat)/);
      assert.ok(masked.attention.every((weight, i) => i % free.sourceTokens.length !== cat || weight === 0));
      const rows = [{ target: chat, weights: on(free, cat + 2) }, { target: 0, weights: on(free, 2) }];
      const one = await translator.explain(two, { special, edits: { rows: rows.slice(0, 1) } });
      assert.match(one.translation, /^\n J'ai froid\. (?!.*chat)/);
      // Also where the first sentence, edited, has other tokens.
      const both = await translator.explain(two, { special, edits: { rows } });
      for (const { target, weights } of rows) assert.deepEqual(row(both.attention, weights.length, target), weights);
      if (special) assert.equal((await translator.explain(two, { special, edits: { mask: [4] } })).sourceTokens[4].text, "");
    }
  });

  test("go with a prefix and a glossary", async () => {
    const free = await translator.explain(text, { prefix: "Sous la" });
    const edited = await translator.explain(text, { prefix: "Sous la", edits: { mask: [6] } });
    assert.match(free.translation, /^Sous la .* sous la grande table\.$/);
    assert.match(edited.translation, /^Sous la .* sous la table\.$/);
    const term = await translator.explain(text, { glossary: { cat: "minet" }, edits: { mask: [1] } });
    assert.match(term.translation, /minet/);
    assert.ok(term.attention.every((weight, i) => i % term.sourceTokens.length !== 1 || weight === 0));
  });

  test("name what is wrong with them", async () => {
    const weights = on(await translator.explain(text), 2);
    const rejects = (edits, message, model = translator) => assert.rejects(model.explain(text, { edits }), argumentError(message));
    await rejects({ mask: 3 }, "edits.mask is 3, expected an array");
    await rejects({ mask: [0, -1] }, "edits.mask[1] is -1, expected a whole number from 0");
    await rejects({ mask: [9] }, "edits.mask[0] is 9, expected the index of one of 9 source tokens");
    await rejects({ rows: [{ target: 99, weights }] }, "edits.rows[0].target is 99, expected the index of one of 9 target tokens");
    await rejects({ rows: [{ target: 0.5, weights }] }, "edits.rows[0].target is 0.5, expected a whole number from 0");
    await rejects({ rows: [{ target: 0, weights: [1, 2] }] }, "edits.rows[0].weights has 2 numbers, expected one for each of 9 source tokens");
    await rejects({ rows: [{ target: 0 }] }, /weights/);
    await rejects({ rows: [{ target: 0, weights: weights.with(4, -1) }] }, "edits.rows[0].weights[4] is -1, expected a number of at least 0");
    await rejects({ rows: [{ target: 0, weights: weights.with(4, "a") }] }, "edits.rows[0].weights[4] is a, expected a number of at least 0");
    await rejects({ mask: [2], rows: [{ target: 0, weights }] }, /^edits: the weights of a row sum to 0\.0* over/);
    await rejects({ off: [{ kind: "self", layer: 0, head: 0 }] }, 'edits.off[0].kind is "self", expected "cross", "encoder" or "decoder"');
    await rejects({ off: [{ kind: "cross", layer: 0 }] }, "edits.off[0].head is undefined, expected a whole number from 0");
    await rejects({ off: [{ kind: "cross", layer: 2, head: 0 }] }, "edits: head is 0 of layer 2, cross, expected a head below 4 and a layer below 2");
    await rejects({ off: [{ kind: "encoder", layer: 0, head: 0 }] }, /^edits: head is 0 of layer 0, encoder, expected another kind/, additive);
    await rejects({ uniform: true }, "edits: the model has no attention, expected one that can be edited", plain);
    assert.match((await translator.explain("I am cold.")).translation, /froid/);
  });
});
