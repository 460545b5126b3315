// Changes of the attention as plain data, and the session that asks for what becomes of them; the engine is a double.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { importFixture } from "./build.mjs";

const {
  ChangeSession, drawGrid, drawThreads, explainChanged, fits, freedFrom, fromHash, hiddenOrShown, isNone, kFirstView, kNoChanges, kPlainView,
  letGo, readChanges, switched, toHash, viewOf, weighed, wordsAfter, writeChanges, written,
} = await importFixture("changes");

const rowOf = ({ rows }, target) => rows.find((row) => row.target === target)?.weights;

test("a weight that is set leaves the others the rest, in proportion, and hidden words nothing", () => {
  const row = [0.2, 0.6, 0.2];
  assert.deepEqual(rowOf(weighed(kNoChanges, 4, 0, 0.5, row), 4), [500, 375, 125]);
  assert.deepEqual(rowOf(weighed(kNoChanges, 4, 0, 1, row), 4), [1000, 0, 0]);
  const only = weighed(kNoChanges, 4, 0, 1, row);
  assert.deepEqual(rowOf(weighed(only, 4, 0, 0.5, rowOf(only, 4), row), 4), [500, 375, 125], "as the network had them");
  assert.deepEqual(rowOf(weighed(only, 4, 0, 0.5, rowOf(only, 4), undefined), 4), [500, 250, 250], "or all alike");
  assert.deepEqual(rowOf(weighed({ ...kNoChanges, hidden: [1] }, 4, 0, 0.5, row), 4), [500, 0, 500]);
  assert.deepEqual(rowOf(weighed({ ...kNoChanges, hidden: [1, 2] }, 4, 0, 0.1, row), 4), [1000, 0, 0], "nothing else is left to look at");
  assert.deepEqual(rowOf(weighed(kNoChanges, 0, 0, 7, row), 0), [1000, 0, 0]);
  const two = weighed(weighed(kNoChanges, 5, 0, 1, row), 2, 1, 1, row);
  assert.deepEqual(two.rows.map(({ target }) => target), [2, 5], "in the order of the sentence");
  assert.deepEqual(letGo(two, 5).rows.map(({ target }) => target), [2]);
});

test("hiding a word takes it from changed rows, and lets go those that looked at nothing else", () => {
  const changes = { ...kNoChanges, rows: [{ target: 0, weights: [0, 1000, 0] }, { target: 1, weights: [400, 600, 0] }] };
  const hidden = hiddenOrShown(changes, 1);
  assert.deepEqual(hidden, { ...kNoChanges, hidden: [1], rows: [{ target: 1, weights: [400, 0, 0] }] });
  assert.deepEqual(hiddenOrShown(hidden, 0), { ...kNoChanges, hidden: [0, 1] });
  assert.deepEqual(hiddenOrShown(hiddenOrShown(kNoChanges, 2), 2), kNoChanges);
});

test("a word that is written begins the translation, and lets go the rows from there on", () => {
  const changes = { ...kNoChanges, rows: [{ target: 0, weights: [1, 0] }, { target: 2, weights: [0, 1] }] };
  const begun = written(changes, { target: 1, before: "Le ", word: "gros" });
  assert.deepEqual([begun.begin, begun.rows.map(({ target }) => target)], ["Le gros ", [0]]);
  assert.equal(written(changes, { target: 1, before: "Oui, ", word: "l’" }).begin, "Oui, l’", "the next word leans on it");
  assert.equal(written(changes, { target: 1, before: "x".repeat(500), word: "y" }), changes, "too long for a link");
  assert.equal(freedFrom(begun, "Le ").begin, "Le ");
  assert.equal(freedFrom(begun, "Le gros chat ").begin, "Le gros ");
});

test("heads are switched off and on", () => {
  const [a, b] = [{ kind: "cross", layer: 1, head: 0 }, { kind: "encoder", layer: 0, head: 3 }];
  const both = switched(switched(kNoChanges, [b], true), [a, b], true);
  assert.deepEqual(both.off, [a, b]);
  assert.deepEqual(switched(both, [{ ...a }], false).off, [b]);
});

describe("a link", () => {
  const shown = { text: "I am cold.", to: "fr", model: "transformer", level: "word", view: { ...kFirstView } };
  const changes = {
    hidden: [0, 2], rows: [{ target: 1, weights: [0, 333, 0, 667] }, { target: 12, weights: [0, 1000, 0, 0] }],
    off: [{ kind: "cross", layer: 1, head: 0 }, { kind: "decoder", layer: 0, head: 11 }], uniform: true, begin: "J’ai & « froid » ",
  };

  test("has just what is changed", () => {
    assert.deepEqual(fromHash(toHash({ ...shown, changes, at: 3 })), { ...shown, changes, at: 3 });
    for (const [name, value] of Object.entries(changes)) {
      const one = { ...kNoChanges, [name]: value };
      assert.ok(!isNone(one), name);
      assert.deepEqual(fromHash(toHash({ ...shown, changes: one })).changes, one, name);
    }
    assert.deepEqual(fromHash(toHash({ ...shown, changes: kNoChanges, at: 3 })), { ...shown, at: 3 });
    assert.deepEqual(fromHash(toHash({ ...shown, at: 0 })), shown);
    assert.doesNotMatch(toHash({ ...shown, text: "x".repeat(2001), changes }), /hide|look/, "without its text they make no sense");
  });

  test("takes nothing that is no change", () => {
    const read = (fields) => readChanges(new URLSearchParams(fields));
    for (const fields of [
      "hide=", "hide=1.x", "hide=-1", "hide=1e3", "hide=1000", "hide=0.5.", "look=1", "look=1.2.1001", "look=0.1_0.1", "look=1..2", "look=_", "look=1.-2",
      "off=c0", "off=c0.0_x1.1", "off=cross0.0", "off=c000.0", "uniform=true", `begin=${"x".repeat(501)}`, "hide=__proto__", "look=NaN.NaN",
    ]) assert.deepEqual(read(fields), kNoChanges, fields);
    assert.deepEqual(read("hide=2.2.0").hidden, [0, 2]);
    assert.deepEqual(read("look=3.0.1000_1.5.5").rows.map(({ target }) => target), [1, 3]);
  });

  test("fits a sentence of as many words", () => {
    assert.ok(fits(changes, 4));
    assert.ok(!fits(changes, 5));
    assert.ok(!fits({ ...kNoChanges, hidden: [4] }, 4));
    assert.ok(!fits({ ...kNoChanges, hidden: [1], rows: [{ target: 0, weights: [0, 9, 0, 0] }] }, 4), "that looks only at what is hidden");
  });

  test("is written as it is read", () => {
    const fields = new URLSearchParams();
    writeChanges(changes, fields);
    assert.deepEqual(readChanges(fields), changes);
  });
});

/** Translates word by word, in capitals; of a changed row the word is "row" and what it looks at most. */
function translator(asked) {
  const explain = async (text, { prefix, edits, ...options }) => {
    asked.push({ prefix, rows: edits.rows.map(({ target }) => target), ...options });
    const source = text.split(" ").filter((_, i) => !edits.mask.includes(i));
    const words = source.map((word, i) => {
      const row = edits.rows.find(({ target }) => target === i);
      return row ? `row${row.weights.indexOf(Math.max(...row.weights))}` : word.toUpperCase();
    });
    prefix.trim().split(" ").filter(Boolean).forEach((word, i) => (words[i] = word));
    let at = 0;
    const targetTokens = words.map((word) => ({ text: word, start: at, end: (at += word.length + 1) - 1 }));
    const sourceTokens = text.split(" ").map((word) => ({ text: word, start: 0, end: 0 }));
    return { translation: words.join(" "), sourceTokens, targetTokens, attention: new Float32Array(words.length * sourceTokens.length).fill(asked.length) };
  };
  return { explain };
}

test("rows come one after the other, each behind what stood before it; rows without a place are left out", async () => {
  const asked = [];
  const changes = { ...kNoChanges, hidden: [3], rows: [{ target: 1, weights: [1000, 0, 0, 0] }, { target: 2, weights: [0, 9, 0, 0] }, { target: 3, weights: [9, 0, 0, 0] }] };
  const changed = await explainChanged(translator(asked), { sentence: "a b c d", level: "word", changes, heads: false }, 4);
  assert.deepEqual(asked.map(({ prefix, rows }) => [prefix, rows]), [["", []], ["A ", [1]], ["A row0 ", [1, 2]]]);
  assert.deepEqual(changed.changes.rows.map(({ target }) => target), [1, 2], "the fourth word is hidden, and with it its place");
  assert.equal(asked[2].beam, 4);
  // Each row's attention is from when it was written.
  assert.deepEqual([...changed.attention].filter((_, i) => i % 4 === 0), [1, 2, 3]);
  asked.length = 0;
  await explainChanged(translator(asked), { sentence: "a b c d", level: "word", changes: { ...changes, hidden: [], begin: "X Y Z " }, heads: true }, 4);
  assert.ok(asked.every(({ prefix, heads }) => prefix === "X Y Z " && heads));
});

test("words that might follow are each said once, whole, likeliest first", async () => {
  const nBest = async (text, { prefix }) => [{ translations: ["un bel arbre", "une maison", "un beau jour", "l’arbre", "!"].map((end) => ({ translation: prefix + end })) }];
  assert.deepEqual(await wordsAfter({ nBest }, { sentence: "x", begin: "C’est " }), ["un", "une", "l’arbre"]);
});

describe("a session", () => {
  function start() {
    const asked = [];
    const steps = [];
    const session = new ChangeSession({
      whatIf: (request) => new Promise((resolve, reject) => asked.push({
        request, reject,
        answer: (translation, changes = request.changes) => resolve({ translation, sourceTokens: [], targetTokens: [], attention: new Float32Array(), changes, heads: null }),
      })),
    }, (step) => steps.push(step));
    const at = (text) => ({ sentence: { translation: text, attention: new Float32Array(), sourceTokens: [{}, {}] }, text, index: 0, model: "dot", level: "word" });
    return { asked, steps, session, at };
  }
  const settle = () => new Promise((done) => setTimeout(done));
  const hide = (...hidden) => ({ ...kNoChanges, hidden });

  test("an answer that comes when its sentence has gone is nobody's", async () => {
    const { asked, session, at } = start();
    session.begin(at("a"));
    session.change(hide(0));
    session.load(kNoChanges); // another link, whose sentence is not there yet
    asked[0].answer("late");
    await settle();
    session.begin(at("b"));
    assert.equal(session.sentence.translation, "b");
    session.change(hide(1));
    assert.equal(asked.length, 2);
  });

  test("asks one thing at a time, and after a drag only for its end", async () => {
    const { asked, session, at } = start();
    session.begin(at("a"));
    assert.equal(asked.length, 0, "nothing is changed");
    for (const hidden of [[0], [1], [0, 1]]) session.change(hide(...hidden), hidden.length === 2);
    assert.equal(asked.length, 1);
    asked[0].answer("old");
    await settle();
    assert.deepEqual(asked.map(({ request }) => request.changes.hidden), [[0], [0, 1]]);
    assert.equal(session.sentence.translation, "a", "not an answer to what is not asked any more");
    asked[1].answer("new");
    await settle();
    assert.equal(session.sentence.translation, "new");
    session.undo();
    assert.ok(isNone(session.changes), "a drag is one step");
    assert.equal(session.sentence.translation, "a");
    assert.ok(!session.canUndo);
  });

  test("belongs to one sentence: an answer about another is dropped, and so are the changes", async () => {
    const { asked, session, at } = start();
    session.begin(at("a"));
    session.change(hide(0));
    assert.ok(session.begin(at("b")));
    asked[0].answer("of a");
    await settle();
    assert.equal(session.sentence.translation, "b");
    assert.ok(isNone(session.changes) && !session.canUndo);
    session.change(hide(0));
    assert.ok(!session.begin(at("b")), "the same again");
    asked[1].answer("of b");
    await settle();
    assert.equal(session.sentence.translation, "of b");
  });

  test("has the changes of a sentence wait for it, and what is off go on; another model begins anew", async () => {
    const { session, at } = start();
    const off = [{ kind: "cross", layer: 0, head: 0 }];
    session.begin(at("a"));
    session.change({ ...hide(0), off, uniform: true });
    session.begin(at("b"));
    assert.deepEqual(session.changes, { ...kNoChanges, off, uniform: true });
    session.change({ ...kNoChanges, off });
    session.begin(at("a"));
    assert.deepEqual(session.changes, { ...hide(0), off }, "attention was switched on again meanwhile");
    session.begin({ ...at("a"), model: "additive" });
    assert.ok(isNone(session.changes));
    session.begin({ ...at("b"), model: "additive" });
    session.begin({ ...at("a"), model: "additive" });
    assert.ok(isNone(session.changes), "those of the other model are none of this one's");
    session.begin(at("b"));
    session.begin(at("a"));
    assert.deepEqual(session.changes.hidden, [0]);
    session.reset();
    session.begin(at("b"));
    session.begin(at("a"));
    assert.ok(isNone(session.changes), "what was taken back does not come back");
  });

  test("takes a link's changes if they fit, tells of what is left out, and survives failures", async () => {
    const { asked, steps, session, at } = start();
    session.load(hide(7));
    session.begin(at("a"));
    assert.deepEqual([steps.at(-1), asked.length], ["dropped", 0]);
    session.load(hide(1));
    session.begin(at("a"));
    assert.deepEqual(asked[0].request.changes.hidden, [1]);
    asked[0].answer("less", kNoChanges);
    await settle();
    assert.equal(steps.at(-1), "dropped");
    for (const [code, step] of [["argument", "dropped"], ["internal", "failed"]]) {
      session.change(hide(0));
      asked.at(-1).reject({ code, message: "" });
      await settle();
      assert.equal(steps.at(-1), step);
      assert.ok(isNone(session.changes));
      assert.equal(session.sentence.translation, "a");
    }
    session.change(hide(0));
    session.reset();
    assert.ok(isNone(session.changes));
    session.undo();
    assert.deepEqual(session.changes.hidden, [0], "a reset can be taken back");
  });
});

test("pictures to take away show what was changed", () => {
  const data = { source: ["a", "b"], target: ["P", "Q"], weights: Float32Array.of(1, 0, 0.5, 0.5) };
  const view = viewOf(data, { ...kPlainView, order: "target" }, null, { rows: [1, 9], columns: [0] });
  assert.deepEqual([[...view.edited.rows], [...view.edited.columns]], [[1], [0]]);
  assert.equal(view.marks(1, 0).changed && view.marks(1, 0).hidden && !view.marks(0, 1).changed && !view.marks(0, 1).hidden, true);
  const given = viewOf(data, { ...kPlainView, order: "target" }, null, { rows: [], columns: [], words: [1] });
  assert.deepEqual([given.marks(1, 0).written, given.marks(0, 0).written], [true, false]);
  const measure = (text) => 8 * text.length;
  for (const draw of [drawGrid, drawThreads]) {
    const count = (edited) => draw(viewOf(data, kPlainView, null, edited), "light", "serif", measure).strokes.length;
    const labels = draw(view, "light", "serif", measure).labels.map(({ text }) => text);
    assert.ok(labels.includes("✎ Q") && labels.includes("P"), labels.join());
    assert.equal(count({ rows: [], columns: [0] }) - count(null), 1);
    assert.equal(count({ rows: [], columns: [], words: [0, 1, 9] }) - count({ rows: [], columns: [] }), 2);
  }
});
