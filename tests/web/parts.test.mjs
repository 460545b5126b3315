import assert from "node:assert/strict";
import { test } from "node:test";
import { importFixture } from "./build.mjs";

const {
  compareWords, countWords, drawGrid, examples, fromHash, kLargestCell, kLongestPassage, kPlainView, kSmallestCell, kSteps, layoutGrid, passagesOf,
  optionsFrom, problemOf, ramp, rampStep, toCsv, toHash, toJson, toSvg, viewOf,
} = await importFixture("parts");

/** OKLab's lightness of sRGB bytes, by its own matrices rather than by inverting ours. */
function lightness([r, g, b]) {
  const [R, G, B] = [r, g, b].map((byte) => {
    const x = byte / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * R + 0.5363325363 * G + 0.0514459929 * B);
  const m = Math.cbrt(0.2119034982 * R + 0.6806995451 * G + 0.1073969566 * B);
  const s = Math.cbrt(0.0883024619 * R + 0.2817188376 * G + 0.6299787005 * B);
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
}

for (const scheme of ["light", "dark"]) {
  test(`the ${scheme} ramp's lightness runs evenly from end to end`, () => {
    const colours = ramp(scheme);
    const values = Array.from({ length: kSteps }, (_, i) => lightness(colours.slice(3 * i, 3 * i + 3)));
    const step = (values.at(-1) - values[0]) / (kSteps - 1);
    assert.ok(Math.abs(step * kSteps) > 0.6, "the ends are far apart");
    values.forEach((value, i) => assert.ok(
      Math.abs(value - (values[0] + i * step)) < 0.012, `step ${i}: lightness ${value}, expected ${values[0] + i * step}`));
  });
}

test("a weight's step stays on the ramp whatever the weight", () => {
  assert.deepEqual([0, 1, -1, 2, NaN, Infinity].map(rampStep), [0, 255, 0, 255, 0, 255]);
  assert.equal(rampStep(0.5), 128);
});

const labels = (columns, rows) => ({ columns, rows, fontSize: 16 });

test("short words over few columns lie flat in large cells", () => {
  const { cell, turn, overhang } = layoutGrid(labels([10, 30, 25], [40, 40]), { width: 900, height: 600 });
  assert.deepEqual({ cell, turn, overhang }, { cell: kLargestCell, turn: 0, overhang: 0 });
});

test("long words are slanted, and what reaches past the cells has room", () => {
  const layout = layoutGrid(labels(Array(15).fill(90), Array(15).fill(60)), { width: 900, height: 900 });
  assert.equal(layout.turn, 45);
  assert.ok(layout.overhang > 0);
  assert.ok(layout.headWidth + 15 * layout.cell + layout.overhang <= 900);
});

test("many words on a phone stand upright in cells that fit", () => {
  const layout = layoutGrid(labels(Array(13).fill(50), Array(13).fill(60)), { width: 328, height: 560 });
  assert.equal(layout.turn, 90);
  assert.ok(layout.headWidth + 13 * layout.cell <= 328, JSON.stringify(layout));
});

test("labels beside small cells are small, and take less room", () => {
  const words = labels(Array(60).fill(100), Array(60).fill(100));
  const layout = layoutGrid(words, { width: 1000, height: 600 });
  assert.ok(layout.labelSize <= layout.cell - 2);
  assert.ok(layout.headHeight < 100 && layout.headWidth < 120, JSON.stringify(layout));
});

test("cells never become smaller than can be seen", () => {
  assert.equal(layoutGrid(labels(Array(200).fill(50), Array(200).fill(60)), { width: 328, height: 560 }).cell, kSmallestCell);
});

test("an empty grid has a layout too", () => {
  assert.ok(layoutGrid(labels([], []), { width: 0, height: 0 }).cell > 0);
});

const joined = ({ list, after }) => list.map(({ before, text }) => before + text).join("") + after;

test("passages put together are the text", () => {
  const texts = [
    "", " ", "Hello. How are you?\n\n  Fine, thanks. ", "🙂🙂 !!! 42", "No end", "x".repeat(2500), "🙂".repeat(1100) + "a",
    "word ".repeat(900), "\ud800 lone\udc00", "مرحبا بالعالم. كيف حالك؟",
  ];
  for (const text of texts) {
    const passages = passagesOf(text, "en");
    assert.equal(joined(passages), text);
    for (const { text: passage, start } of passages.list) {
      assert.equal(text.slice(start, start + passage.length), passage);
      assert.ok(passage.length <= kLongestPassage);
    }
  }
});

test("sentences are separate passages; blank text has none", () => {
  assert.deepEqual(passagesOf("I am cold. Are you?", "en").list.map(({ text }) => text), ["I am cold.", "Are you?"]);
  assert.deepEqual(passagesOf(" \n ", "en"), { list: [], after: " \n " });
});

test("a long passage is cut between words and not inside a surrogate pair", () => {
  for (const { text } of passagesOf("word ".repeat(900), "en").list) assert.match(text.trim(), /^(word ?)+$/);
  for (const { text } of passagesOf("a" + "🙂".repeat(1100) + "b", "en").list) assert.ok(text.isWellFormed());
});

test("comparing words marks what only one side has", () => {
  const marks = (a, b) => compareWords(a, b).filter(({ shared }) => !shared).map(({ text }) => text.trim());
  assert.deepEqual(marks("J'ai froid, mais je rentre.", "J'ai froid mais je reste."), ["rentre."]);
  assert.deepEqual(marks("a b c d", "b d"), ["a", "c"]);
  assert.deepEqual(marks("x a", "a x a"), []);
  assert.deepEqual(marks("", "a"), []);
  assert.equal(compareWords("a  b\nc", "z").map(({ text }) => text).join(""), "a  b\nc");
});

test("the address brings back what was shown", () => {
  const shown = { text: "Où? 1+1=2 & «100 %»\n\"#\"", model: "dot", level: "piece" };
  assert.deepEqual(fromHash(toHash(shown)), shown);
});

test("an address that was cut or made up gives what can be used of it", () => {
  assert.deepEqual(fromHash(""), {});
  assert.deepEqual(fromHash("#model=<script>&level=word&x=%E0%A4%A"), { level: "word" });
});

test("a long text is left out of the address", () => {
  assert.deepEqual(fromHash(toHash({ text: "x".repeat(2001), model: "plain", level: "word" })), { model: "plain", level: "word" });
});

test("the examples grow", () => {
  const lengths = examples.map(countWords);
  assert.deepEqual(lengths, [...lengths].sort((a, b) => a - b));
  assert.ok(examples.includes("I am cold, but I don't want to go home yet."));
});

test("each failure has its own plain words, without jargon", () => {
  const codes = ["network", "format", "unavailable", "out_of_memory", "worker", "internal"];
  const titles = codes.map((code) => problemOf({ code, message: "TypeError: x is not a function" }).title);
  assert.equal(new Set(titles).size, codes.length);
  for (const title of titles) assert.doesNotMatch(title, /TypeError|undefined|exception/i);
  assert.equal(problemOf({ code: "unavailable", message: "" }).retry, null, "nothing to try again in this browser");
  assert.deepEqual(problemOf({ code: "anything", message: "" }), problemOf({ code: "internal", message: "" }));
});

const shown = {
  source: ["I", 'say "no"', "<b>&", "a,b"],
  target: ["Je", "dis\u0000", "non"],
  weights: Float32Array.from([1, 0, 0, 0, 0.1, 0.6, 0.25, 0.05, 0, 0.333333343, 0.6666667, NaN]),
};

const plain = (data) => viewOf(data, kPlainView, null);

test("a picture has a rectangle for each weight, in its colour, inside its frame and beside its words", () => {
  for (const scheme of ["light", "dark"]) {
    const { width, height, rectangles, labels } = drawGrid(plain(shown), scheme, "serif", (text) => 9 * text.length);
    const [ground, ...cells] = rectangles;
    assert.deepEqual([ground.width, ground.height], [width, height]);
    assert.equal(cells.length, 12);
    const colours = ramp(scheme);
    cells.forEach(({ x, y, width: w, height: h, fill }, i) => {
      const step = 3 * rampStep(shown.weights[i]);
      assert.equal(fill, `#${Buffer.from(colours.slice(step, step + 3)).toString("hex")}`);
      assert.ok(x > 0 && y > 0 && x + w < width && y + h < height);
    });
    const words = labels.filter(({ text }) => [...shown.source, ...shown.target].includes(text));
    assert.equal(words.length, 7);
    for (const { text, x, y, anchor, turn } of words) {
      const reach = 9 * text.length * (turn === 0 ? 1 : Math.SQRT1_2);
      const [left, right] = { start: [x, x + reach], middle: [x - reach / 2, x + reach / 2], end: [x - reach, x] }[anchor];
      assert.ok(left >= 0 && right <= width && y - (turn === 0 ? 0 : reach) >= 0, `${text} is within the picture`);
    }
    const numbers = labels.map(({ text }) => text).filter((text) => /^[.1]|NaN/.test(text));
    assert.deepEqual(numbers, ["1.00", ".10", ".60", ".25", ".05", ".33", ".67"]);
  }
});

test("a picture of nothing is still one", () => {
  const { width, height } = drawGrid(plain({ source: [], target: [], weights: new Float32Array() }), "light", "serif", () => 0);
  assert.ok(width > 0 && height > 0 && Number.isFinite(width + height));
});

test("an SVG holds any word", () => {
  const svg = toSvg(drawGrid(plain(shown), "light", '"A <font>", serif', (text) => 9 * text.length));
  assert.match(svg, />say &quot;no&quot;<\/text>/);
  assert.match(svg, />&lt;b&gt;&amp;<\/text>/);
  assert.match(svg, />dis<\/text>/);
  assert.match(svg, /font-family="&quot;A &lt;font&gt;&quot;, serif"/);
});

test("a table quotes what would part its fields", () => {
  assert.deepEqual(toCsv(shown).split("\r\n"), [
    ',I,"say ""no""",<b>&,"a,b"', "Je,1,0,0,0", "dis\u0000,0.1,0.6,0.25,0.05", "non,0,0.333333,0.666667,NaN", "",
  ]);
});

test("JSON is what a grid takes", () => {
  const { source, target, attention } = JSON.parse(toJson(shown));
  assert.deepEqual([source, target], [shown.source, shown.target]);
  assert.deepEqual(attention, [[1, 0, 0, 0], [0.1, 0.6, 0.25, 0.05], [0, 0.333333, 0.666667, null]]);
});
