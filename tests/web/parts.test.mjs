import assert from "node:assert/strict";
import { test } from "node:test";
import { importFixture } from "./build.mjs";

const {
  checkGold, compareWords, countWords, drawGrid, drawThreads, examples, fromHash, goldOf, kFirstView, kLargestCell, kLongestPassage, kPlainView,
  kSmallestCell, kSteps, layoutGrid, layoutThreads, optionsFrom, passagesOf, problemOf, progressAt, ramp, rampStep, threadPath, threadsOf, toCsv,
  toHash, toJson, toSvg, viewOf,
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
  const shown = { text: "Où? 1+1=2 & «100 %»\n\"#\"", to: "fr", model: "dot", level: "piece", view: kFirstView };
  assert.deepEqual(fromHash(toHash(shown)), shown);
  assert.doesNotMatch(toHash(shown), /picture|threshold|links|order|sums|gold/, "what is as at first needs no room");
  const view = { picture: "threads", threshold: 0.15, links: "hard", order: "source", sums: true, gold: true };
  assert.deepEqual(fromHash(toHash({ ...shown, view })), { ...shown, view });
  for (const [name, value] of Object.entries(view)) {
    const one = { ...kFirstView, [name]: value };
    assert.deepEqual(fromHash(toHash({ ...shown, view: one })).view, one, name);
  }
});

test("an address that was cut or made up gives what can be used of it", () => {
  const view = kFirstView;
  assert.deepEqual(fromHash(""), { to: "fr", view });
  assert.deepEqual(fromHash("#model=<script>&level=word&x=%E0%A4%A"), { to: "fr", level: "word", view });
  for (const odd of [
    "picture=<img src=x>&order=__proto__&links=toString&sums=yes&gold=true", "threshold=NaN", "threshold=-1", "threshold=1e9", "threshold=Infinity",
    "threshold=0.5px", "sums=", "sums=0", "sums", "picture=grid&picture=threads", "%", "&&==&", "constructor=1&__proto__=2",
  ]) assert.deepEqual(fromHash(`#${odd}`), { to: "fr", view }, odd);
  assert.deepEqual(fromHash(`#level=word&text=${"x".repeat(2001)}`), { to: "fr", level: "word", view }, "longer than any text of ours");
  assert.deepEqual(fromHash(`#level=word&x=${"y".repeat(1e6)}`), { to: "fr", view }, "longer than any link of ours");
});

test("a link names its language, French excepted, and a network that there is for it", () => {
  const german = { text: "Hello.", to: "de", model: "additive", level: "word", view: kFirstView };
  assert.match(toHash(german), /&to=de&/);
  assert.deepEqual(fromHash(toHash(german)), german);
  assert.doesNotMatch(toHash({ ...german, to: "fr" }), /to=/);
  assert.deepEqual(fromHash("#to=de&model=plain"), { to: "de", view: kFirstView });
  for (const odd of ["to=it", "to=", "to=__proto__", "to=de&to=%E0%A4%A"]) assert.ok(["fr", "de"].includes(fromHash(`#${odd}`).to), odd);
});

test("a long text is left out of the address", () => {
  assert.deepEqual(fromHash(toHash({ text: "x".repeat(2001), to: "fr", model: "plain", level: "word", view: kFirstView })), {
    to: "fr", model: "plain", level: "word", view: kFirstView,
  });
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

const data = {
  source: ["a", "b", "c", "d"],
  target: ["P", "Q", "R"],
  weights: Float32Array.from([0, 0.25, 0.5, 0.25, 0.75, 0.25, 0, 0, 0.5, 0.5, 0, 0]),
};
const view = (options = {}, gold = null) => viewOf(data, { ...kPlainView, ...options }, gold);

test("a plain view is the data, with its sums", () => {
  const { source, target, weights, strengths, rowSums, columnSums } = view();
  assert.deepEqual([source, target, weights, strengths], [data.source, data.target, data.weights, data.weights]);
  assert.deepEqual([...rowSums], [1, 1, 1]);
  assert.deepEqual([...columnSums], [1.25, 1, 0.5, 0.25]);
});

test("hard links are the largest weight of each row, the first of equals, and none in a row of nothing", () => {
  const { strengths, weights, marks, columnSums } = view({ links: "hard" });
  assert.deepEqual([...strengths], [0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  assert.deepEqual([weights, [...columnSums]], [data.weights, [1.25, 1, 0.5, 0.25]], "weights and sums stay");
  assert.deepEqual([marks(0, 2).linked, marks(0, 3).linked, marks(2, 1).linked], [true, false, false]);
  const nothing = viewOf({ source: ["a", "b"], target: ["P"], weights: Float32Array.of(0, NaN) }, { ...kPlainView, links: "hard" }, null);
  assert.deepEqual([...nothing.strengths], [0, 0]);
});

test("what is below the threshold fades, what is at it does not", () => {
  const { marks } = view({ threshold: 0.5 });
  assert.deepEqual([0, 1, 2, 3].map((column) => marks(0, column).faded), [true, true, false, true]);
  assert.equal(view().marks(0, 0).faded, false, "without a threshold nothing fades");
});

test("sorted columns stand where they were looked at most, and places go back and forth", () => {
  const { source, target, weights, toData, toView, columnSums } = view({ order: "source" });
  assert.deepEqual(source, ["c", "d", "a", "b"]);
  assert.deepEqual(target, data.target);
  assert.deepEqual([...weights.subarray(0, 4)], [0.5, 0.25, 0, 0.25]);
  assert.deepEqual([...columnSums], [0.5, 0.25, 1.25, 1]);
  assert.deepEqual(toData({ row: 1, column: 0 }), { row: 1, column: 2 });
  assert.deepEqual(toView({ row: null, column: 2 }), { row: null, column: 0 });
  assert.deepEqual(toView({ row: 9, column: 9 }), { row: null, column: null });
  const cycle = { source: ["a", "b", "c"], target: ["P", "Q", "R"], weights: Float32Array.of(0, 0, 1, 1, 0, 0, 0, 1, 0) };
  const turned = viewOf(cycle, { ...kPlainView, order: "source" }, null);
  assert.deepEqual(turned.source, ["c", "a", "b"]);
  assert.deepEqual([0, 1, 2].map((column) => turned.toView({ row: null, column }).column), [1, 2, 0]);
  assert.deepEqual([0, 1, 2].map((column) => turned.toData({ row: null, column }).column), [2, 0, 1]);
});

test("sorted rows stand where they looked most; words without weight come last", () => {
  assert.deepEqual(view({ order: "target" }).target, ["Q", "R", "P"]);
  const blank = viewOf({ source: ["x", "y"], target: ["P"], weights: Float32Array.of(0, 1) }, { ...kPlainView, order: "source" }, null);
  assert.deepEqual(blank.source, ["y", "x"]);
});

test("links by hand move with their words; what the data does not have is left out; sure wins over possible", () => {
  const gold = { sure: [[0, 2], [1, 0]], possible: [[1, 0], [2, 1], [7, 7]] };
  const shown = view({ order: "source" }, gold);
  const sorted = shown.gold.map(({ row, column, kind }) => `${shown.source[column]}${shown.target[row]} ${kind}`).sort();
  assert.deepEqual(sorted, ["aQ sure", "bR possible", "cP sure"]);
  assert.deepEqual([shown.marks(0, 0).gold, shown.marks(2, 3).gold, shown.marks(0, 1).gold], ["sure", "possible", null]);
  for (const wrong of [[0], [0, 1, 2], [0, -1], [0.5, 1], ["0", 1]]) {
    assert.throws(() => checkGold({ sure: [wrong] }, "x"), { name: "TypeError", message: /^x: gold.sure has .*expected \[target, source\]/ });
  }
});

test("options as attributes have them, and nothing else", () => {
  const read = (attributes) => optionsFrom((name) => attributes[name] ?? null);
  assert.deepEqual(read({}), kPlainView);
  assert.deepEqual(read({ threshold: "0.2", links: "hard", order: "target", sums: "" }), { threshold: 0.2, links: "hard", order: "target", sums: true });
  assert.deepEqual(read({ threshold: "2", links: "Hard", order: "random" }), kPlainView);
});

test("words that fit lie in two lines, more stand in two columns, and all are inside", () => {
  const sizes = (count, width) => ({ source: Array(count).fill(width), target: Array(count - 1).fill(width), fontSize: 16 });
  for (const [count, room, direction] of [[8, 900, "across"], [30, 900, "down"], [10, 328, "down"], [200, 328, "down"]]) {
    const layout = layoutThreads(sizes(count, 60), { width: room });
    assert.equal(layout.direction, direction);
    assert.ok(layout.width <= room, `${layout.width} of ${room}`);
    const long = direction === "across" ? layout.width : layout.height;
    for (const line of [layout.source, layout.target]) {
      assert.ok(line.every((place, index) => place > 0 && place < long && (index === 0 || place - line[index - 1] > 18)), line.join(" "));
    }
  }
  const cut = layoutThreads(sizes(10, 400), { width: 328 });
  assert.ok(cut.longest.source < 100 && cut.to - cut.from >= 72 && cut.width <= 328, JSON.stringify(cut));
});

test("a pointer is as far along a thread as the path says", () => {
  const layout = layoutThreads({ source: [40, 40], target: [40, 40], fontSize: 16 }, { width: 900 });
  const [x0, y0, , y1, , , x3, y3] = threadPath(layout, 1, 0).match(/[\d.]+/g).map(Number);
  for (const t of [0, 0.2, 0.5, 0.9, 1]) {
    const bezier = (a, b, c, d) => a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t * t * (1 - t) + d * t ** 3;
    const [x, y] = [bezier(x0, x0, x3, x3), bezier(y0, y1, y1, y3)];
    assert.ok(Math.abs(x0 + progressAt(layout, y) * (x3 - x0) - x) < 0.2, `t ${t}`);
  }
});

test("threads are the weights that can be seen, the strongest last, and of very many each target word's strongest", () => {
  assert.deepEqual(threadsOf(view()).map(({ strength }) => strength), [0.25, 0.25, 0.25, 0.5, 0.5, 0.5, 0.75]);
  const words = Array.from({ length: 200 }, (_, i) => `w${i}`);
  const many = threadsOf(viewOf({ source: words, target: words, weights: new Float32Array(40_000).fill(0.005) }, kPlainView, null));
  assert.equal(many.length, 4000);
  assert.equal(new Set(many.map(({ row }) => row)).size, 200);
});

test("a picture of threads has each as a line, the links by hand around theirs, words and sums inside its frame", () => {
  const picture = drawThreads(view({ threshold: 0.5, sums: true }, { sure: [[0, 2]], possible: [[2, 0]] }), "light", "serif", (text) => 9 * text.length);
  assert.equal(picture.strokes.length, 4 + 7);
  assert.deepEqual(picture.strokes.map(({ dash, opacity }) => (dash ? "dashed" : opacity ? "faded" : "whole")), [
    "dashed", "whole", "whole", "whole", "faded", "faded", "faded", "whole", "whole", "whole", "whole",
  ]);
  assert.deepEqual(picture.labels.map(({ text }) => text), ["a", "1.25", "b", "1.00", "c", "0.50", "d", "0.25", "P", "1.00", "Q", "1.00", "R", "1.00"]);
  for (const { x, y, text } of picture.labels) assert.ok(x > 0 && x < picture.width && y > 0 && y < picture.height, text);
  assert.equal(toSvg(picture).match(/<path [^>]*stroke-dasharray="5 4"/g).length, 1);
});

test("a picture of the grid shows what the options say", () => {
  const draw = (options, gold) => drawGrid(view(options, gold), "light", "serif", (text) => 9 * text.length);
  const plainCells = draw().rectangles;
  const numbers = ({ labels }) => labels.map(({ text }) => text).filter((text) => /^[.\d]/.test(text));
  const hard = draw({ links: "hard" });
  assert.deepEqual(numbers(hard), [".50", ".75", ".50"]);
  assert.equal(new Set(hard.rectangles.slice(1).map(({ fill }) => fill)).size, 2);
  const faded = draw({ threshold: 0.5 });
  assert.deepEqual(numbers(faded), [".50", ".75", ".50", ".50"]);
  faded.rectangles.slice(1).forEach(({ fill }, i) => assert.equal(fill === plainCells[i + 1].fill, data.weights[i] >= 0.5, `cell ${i}`));
  assert.equal(numbers(draw({ sums: true })).length, numbers(draw()).length + 7);
  const outlined = draw({}, { sure: [[0, 2]], possible: [[2, 0]] });
  assert.deepEqual(outlined.strokes.map(({ dash }) => Boolean(dash)), [false, false, true, false]);
});

test("links by hand are of words that are there, one way or another of every word of the examples' translations", () => {
  const sentence = (source, target) => goldOf({
    sourceTokens: source.split(" ").map((text) => ({ text })), targetTokens: target.split(" ").map((text) => ({ text })),
  });
  const [source, target] = ["Where did you buy this book ?", "Où as-tu acheté ce livre ?"];
  const { sure, possible } = sentence(source, target);
  const named = (links) => links.map(([t, s]) => `${source.split(" ")[s]}-${target.split(" ")[t]}`);
  assert.deepEqual(named(sure), ["Where-Où", "you-as-tu", "buy-acheté", "this-ce", "book-livre", "?-?"]);
  assert.deepEqual(named(possible), ["did-as-tu", "did-acheté"]);
  assert.equal(sentence(source, "Où avez-vous acheté ce livre ?"), null, "of another translation we know nothing");
  assert.equal(sentence(`${source} ?`, target), null);
});
