// Where markup goes, by alignments made by hand.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { alignWords, wordsOf } from "../../dist/html/align.js";
import { place, project } from "../../dist/html/project.js";

/** An alignment from rows like "0", "1 2" (all of the attention, shared) and "0:0.2 1:0.7". */
function alignment(sources, rows) {
  const weights = new Float32Array(rows.length * sources);
  rows.forEach((row, t) => {
    const links = row.split(" ").filter(Boolean);
    for (const link of links) {
      const [source, weight = 1 / links.length] = link.split(":");
      weights[t * sources + Number(source)] = Number(weight);
    }
  });
  return { sources, targets: rows.length, weights };
}
const span = (from, to, parent = -1, whole = false) => ({ from, to, parent, whole });

describe("an element goes", () => {
  test("with its words", () => {
    // the red house: la maison rouge
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(1, 2)]), [[2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(1, 3)]), [[1, 2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(0, 2)]), [[0, 2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), [span(0, 3)]), [[0, 1, 2]]);
    assert.deepEqual(project(alignment(3, ["0", "2", "1"]), []), []);
  });

  test("around words that are aligned with nothing, if both sides are its own", () => {
    assert.deepEqual(project(alignment(4, ["0", "1", "", "2", "", "3"]), [span(1, 3)]), [[1, 2, 3]]);
    assert.deepEqual(project(alignment(2, ["", "0", "1", ""]), [span(0, 1)]), [[1]]);
  });

  test("over a word that is aligned with another by little more than with it, but not over one that is another's", () => {
    assert.deepEqual(project(alignment(4, ["1", "3:0.6 2:0.4", "2", "3"]), [span(1, 3)]), [[0, 1, 2]]);
    // I do not know: je ne sais pas
    assert.deepEqual(project(alignment(4, ["0", "1", "3", "2"]), [span(1, 3)]), [[1, 3]]);
  });

  test("once, unless a word far away is clearly its own", () => {
    assert.deepEqual(project(alignment(5, ["0", "1", "2", "3", "4:0.3 1:0.7"]), [span(1, 2)]), [[1]]);
    assert.deepEqual(project(alignment(5, ["0", "1", "2", "3", "4:0.1 1:0.9"]), [span(1, 2)]), [[1, 4]]);
  });

  test("to the word that looked at it most, if none is its own", () => {
    assert.deepEqual(project(alignment(3, ["0", "2:0.8 1:0.1", "2:0.7 1:0.3"]), [span(1, 2)]), [[2]]);
    assert.deepEqual(project(alignment(3, ["0", "2:0.98 1:0.02", "2"]), [span(1, 2)]), [[]]);
    assert.deepEqual(project(alignment(3, ["", "", ""]), [span(1, 2)]), [[]]);
    assert.deepEqual(project(alignment(3, []), [span(1, 2)]), [[]]);
  });

  test("beside its siblings, each with a word of its own", () => {
    const words = ["1", "0", "2", "3"];
    assert.deepEqual(project(alignment(4, words), [span(0, 1), span(1, 2), span(2, 4)]), [[1], [0], [2, 3]]);
    // Both want the same word: who is surer has it.
    const shared = alignment(3, ["0:0.9 1:0.1", "1:0.4 0:0.6", "2"]);
    assert.deepEqual(project(shared, [span(0, 1), span(1, 2)]), [[0], [1]]);
  });

  test("inside the one around it, however its words are aligned", () => {
    const words = ["0", "1", "2", "3", "2"];
    assert.deepEqual(project(alignment(4, words), [span(1, 3), span(2, 3, 0)]), [[1, 2, 4], [2, 4]]);
    for (const [outer, inner] of [[span(1, 3), span(1, 3, 0)], [span(0, 4), span(0, 4, 0)]]) {
      const [around, within] = project(alignment(4, ["0", "1:0.5 3:0.5", "", "2", "3"]), [outer, inner]);
      assert.deepEqual(within, around, "what has the same words has the same place");
    }
    // Its best word is outside of the other.
    const far = alignment(4, ["0", "1", "1", "3:0.6 2:0.4", "3"]);
    const [outer, inner] = project(far, [span(1, 3), span(2, 3, 0)]);
    assert.deepEqual(outer, [1, 2]);
    assert.deepEqual(inner, []);
  });

  test("whole to one place, around what is its own beyond doubt, or nowhere", () => {
    const code = span(1, 3, -1, true);
    assert.deepEqual(project(alignment(4, ["0", "1", "2", "3", "1"]), [code]), [[1, 2]]);
    assert.deepEqual(project(alignment(4, ["0", "1", "", "2", "3"]), [code]), [[1]]);
    assert.deepEqual(project(alignment(4, ["0:0.6 1:0.4", "3:0.6 2:0.4", "3"]), [code]), [[]]);
    assert.deepEqual(project(alignment(2, ["0", "1"]), [span(0, 2, -1, true)]), [[0, 1]]);
  });

  test("through thousands of others", () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => span(0, 2, i - 1));
    assert.deepEqual(project(alignment(2, ["1", "0"]), chain).at(-1), [0, 1]);
  });
});

describe("what has no words goes", () => {
  // the red house is old: la maison rouge est vieille
  const words = alignment(5, ["0", "2", "1", "3", "4"]);
  const all = { from: 0, to: 5, own: [0, 1, 2, 3, 4] };

  test("before the word that is aligned with the next", () => {
    assert.deepEqual(place(words, { ...all, at: 1, clings: false }), { word: 2, clings: false });
    assert.deepEqual(place(words, { ...all, at: 2, clings: false }), { word: 1, clings: false });
    assert.deepEqual(place(words, { ...all, at: 0, clings: false }), { word: 0, clings: false });
  });

  test("after the one that it clings to, or where there is no other", () => {
    assert.deepEqual(place(words, { ...all, at: 2, clings: true }), { word: 3, clings: true });
    assert.deepEqual(place(words, { ...all, at: 5, clings: false }), { word: 5, clings: true });
    assert.deepEqual(place(words, { ...all, at: 0, clings: true }), { word: 0, clings: false });
  });

  test("by a word farther on if the next is aligned with nothing", () => {
    const gap = alignment(3, ["0", "2"]);
    assert.deepEqual(place(gap, { from: 0, to: 3, own: [0, 1], at: 1, clings: false }), { word: 1, clings: false });
    assert.deepEqual(place(alignment(2, ["", ""]), { from: 0, to: 2, own: [0, 1], at: 1, clings: false }), { word: 0, clings: false });
    assert.deepEqual(place(alignment(2, []), { from: 0, to: 2, own: [], at: 1, clings: false }), { word: 0, clings: false });
  });

  test("no farther than its element does", () => {
    assert.deepEqual(place(words, { from: 1, to: 3, own: [1, 2], at: 3, clings: false }), { word: 2, clings: true });
    assert.deepEqual(place(words, { from: 1, to: 3, own: [2], at: 2, clings: false }), { word: 3, clings: true });
  });
});

/** Pieces of a text that is written with | between them. */
function pieces(marked) {
  const text = marked.replaceAll("|", "");
  let at = 0;
  const tokens = marked.split("|").map((raw) => {
    const start = at + raw.length - raw.trimStart().length;
    at += raw.length;
    return raw.trim() === "" ? { text: raw, start: at - raw.length, end: at } : { text: raw.trim(), start, end: at };
  });
  return { text, tokens };
}

describe("words", () => {
  const cut = (marked, ...ends) => {
    const { text, tokens } = pieces(marked);
    return wordsOf(tokens, new Set(ends)).map(({ start, end }) => text.slice(start, end));
  };

  test("are cut at white space, marks, digits and after apostrophes", () => {
    assert.deepEqual(cut("J|'|adore| vrai|ment| |ça|."), ["J'", "adore", "vraiment", "ça", "."]);
    assert.deepEqual(cut("H|2|O| as|-|tu| (|non|)"), ["H", "2", "O", "as-tu", "(", "non", ")"]);
    assert.deepEqual(cut(" "), []);
    assert.deepEqual(cut("a|!|!"), ["a", "!", "!"]);
  });

  test("and where an element ends, if a piece does", () => {
    assert.deepEqual(cut("un|believ|able", 2), ["un", "believable"]);
    assert.deepEqual(cut("un|believ|able", 3), ["unbelievable"]);
  });

  const explanation = (source, translation, attention) => {
    const [from, to] = [pieces(source), pieces(translation)];
    return { source: from.text, translation: to.text, sourceTokens: from.tokens, targetTokens: to.tokens, attention };
  };

  test("are aligned as their pieces are", () => {
    const { weights, sources, targets } = alignWords(explanation("dea|r me", "cher| à| moi", Float32Array.of(0.5, 0.3, 0, 0, 0, 0)), new Set());
    assert.deepEqual([sources, targets], [1, 3]);
    assert.ok(Math.abs(weights[0] - 0.8) < 1e-6);
    assert.deepEqual([...weights.subarray(1)], [0, 0]);
    const halves = alignWords(explanation("a| b", "c|d", Float32Array.of(0.5, 0, 0, 0.25)), new Set()).weights;
    assert.ok(Math.abs(halves[0] + halves[1] - 0.375) < 1e-6, "a row says as much as its pieces did on average");
  });

  test("are rather aligned with the same word, and with one in the same place", () => {
    const even = (source, translation) => {
      const lengths = [source, translation].map((text) => text.split("|").length);
      const { weights, sources } = alignWords(explanation(source, translation, new Float32Array(lengths[0] * lengths[1]).fill(1 / lengths[0])), new Set());
      return Array.from({ length: weights.length / sources }, (_, t) => {
        const row = [...weights.subarray(t * sources, (t + 1) * sources)];
        return row.indexOf(Math.max(...row));
      });
    };
    assert.deepEqual(even("x| y| z", "a| b| c"), [0, 1, 2]);
    assert.deepEqual(even("Tom| y| z", "a| tom| b"), [0, 0, 2]);
  });

  test("of a model without attention are aligned by their place", () => {
    const { weights } = alignWords(explanation("x| y| z", "a| b| c", null), new Set());
    for (let i = 0; i < 3; ++i) assert.ok(weights[i * 4] > 0.9);
  });
});
