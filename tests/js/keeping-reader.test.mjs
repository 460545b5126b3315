// Placeholders and addresses: what is one, and how a model reads around them.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CapitalsReader } from "../../dist/capitals.js";
import { KeepingReader } from "../../dist/keeping-reader.js";
import { keptIn, withoutKept } from "../../dist/kept-text.js";
import { isTranslatable, splitSentences } from "../../dist/split.js";

describe("what is kept", () => {
  const kept = (text) => keptIn(text).map(({ text: found, start, end }) => {
    assert.equal(text.slice(start, end), found);
    return found;
  });

  test("are placeholders", () => {
    assert.deepEqual(kept("Hi {name}, {{ user.name }}, ${n}, {0}, { }, {}, {count, number}!"), ["{name}", "{{ user.name }}", "${n}", "{0}", "{ }", "{}", "{count, number}"]);
    assert.deepEqual(kept("%s has %d of %1$s (%i%%)."), ["%s", "%d", "%1$s", "%i"]);
    assert.deepEqual(kept("%5d, %.2f, %@, %(who)s, %-10s and %ld: %{a}, #{b.c}, {{{raw}}}, {user[0]}"),
      ["%5d", "%.2f", "%@", "%(who)s", "%-10s", "%ld", "%{a}", "#{b.c}", "{{{raw}}}", "{user[0]}"]);
    assert.deepEqual(kept("{a}{b} and {c}-{d}"), ["{a}{b}", "{c}", "{d}"], "what touches is one");
  });

  test("are addresses, without the sign after them", () => {
    assert.deepEqual(kept("See https://example.org/a?b=1#c, (http://x.y/z). www.example.org!"), ["https://example.org/a?b=1#c", "http://x.y/z", "www.example.org"]);
    assert.deepEqual(kept("(https://en.wikipedia.org/wiki/Cat_(animal)), https://a.b/(c)d. https://a.b)"),
      ["https://en.wikipedia.org/wiki/Cat_(animal)", "https://a.b/(c)d", "https://a.b"]);
    assert.deepEqual(kept("Write to me.too+x@mail.example.org, or ftp://a.b"), ["me.too+x@mail.example.org", "ftp://a.b"]);
  });

  test("is no language", () => {
    for (const text of ["{I am cold}", "50% done", "100 %d", "20%d", "a @ b", "@home", "it is {", "} else {", "http://", "a/b", "www", "me@home", "{a\nb}", "%sure", "%(a b)s"]) {
      assert.deepEqual(kept(text), text === "100 %d" ? ["%d"] : [], text);
    }
    assert.equal(withoutKept("a {b} c https://d.e f"), "a  c  f");
    assert.equal(isTranslatable("{name} – https://example.org/1"), false);
    assert.equal(isTranslatable("{name} is"), true);
    assert.deepEqual([...splitSentences("See https://a.b/?Q=1 now.\n{x} {y}\n", "en")].map(({ text, translate }) => [text, translate]), [
      ["See https://a.b/?Q=1 now.", true],
      ["\n", false],
      ["{x} {y}\n", false],
    ]);
  });

  test("takes time in proportion to the text", () => {
    // Were it quadratic, this would not end.
    for (const piece of ["a", "a.", "{", "{{a ", "a@", "http://", "%", "www.", "{a, b", "{a} ", "{a}. B. ", "%{a", "%s", "http://a(", "www.a(b)"]) {
      const text = `${piece.repeat(200_000)}@{`;
      keptIn(text);
      withoutKept(text);
    }
    let count = 0;
    for (const _ of splitSentences("{a}. B is. ".repeat(100_000), "en")) ++count;
    assert.ok(count >= 200_000, String(count));
  });
});

/** Translates by writing the sentence backwards word by word; tokens are words. It notes what it reads, and drops some words. */
function backwards(drop = /^$/) {
  const asked = [];
  const words = (text) => [...text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)].map(({ 0: word, index }) => [index, index + word.length]);
  const say = (request) => {
    const said = words(request.text).map(([start, end]) => request.text.slice(start, end)).filter((word) => !drop.test(word)).reverse().join(" ");
    return request.terms.reduce((all, { text }) => (new RegExp(text, "i").test(all) ? all : `${all} ${text}`), said);
  };
  const ranges = (text) => Uint32Array.from(words(text).flat());
  const model = {
    ended: new AbortController().signal,
    async call(_, method, first, second) {
      asked.push({ method, first, second });
      if (method === "translate") return first.map(say);
      if (method === "pieceStarts") return Uint32Array.of(0);
      if (method === "align") return { sourceRanges: ranges(first), targetRanges: ranges(second), translation: second, tree: null };
      const translation = say(first);
      const tree = { texts: translation.split(/(?= )/), parents: Int32Array.of(), logProbability: Float32Array.of() };
      return [{ translation, sourceRanges: ranges(first.text), targetRanges: ranges(translation), tree }];
    },
    free: (reason) => asked.push({ reason }),
  };
  return { asked, model };
}

describe("a model reads", () => {
  async function read(text, { beginning = "", terms = [], edits, drop, takesTerms = true, capitals = false } = {}) {
    const { asked, model } = backwards(drop);
    const reader = new KeepingReader(capitals ? new CapitalsReader(model, "en", "fr") : model, takesTerms);
    const request = { text, beginning, terms, edits };
    const [translation] = await reader.call(undefined, "translate", [request], 1, 0);
    const [trace] = await reader.call(undefined, "explain", request, {});
    assert.equal(trace.translation, translation);
    const pick = (whole, ranges) => Array.from({ length: ranges.length / 2 }, (_, i) => whole.slice(ranges[2 * i], ranges[2 * i + 1]));
    return { ...asked[0].first[0], translation, sources: pick(text, trace.sourceRanges), targets: pick(translation, trace.targetRanges), tree: trace.tree.texts };
  }

  test("names in their place, and what they stand for comes out where the names do", async () => {
    const { text, translation, sources, targets, tree, terms } = await read("Hi {name}, see https://a.b/c or {name}, é {count} times.");
    assert.equal(text, "Hi Tom, see Boston or Tom, é 25 times.");
    assert.equal(translation, ". times {count} é , {name} or https://a.b/c see , {name} Hi");
    assert.deepEqual(sources, ["Hi", "{name}", ",", "see", "https://a.b/c", "or", "{name}", ",", "é", "{count}", "times", "."]);
    assert.deepEqual(targets, [...sources].reverse());
    assert.deepEqual(tree.map((piece) => piece.trim()), targets);
    const bytes = Buffer.from(text);
    assert.deepEqual(terms.map((term) => [term.text, bytes.subarray(term.begin, term.end).toString()]), [["Tom", "Tom"], ["Boston", "Boston"], ["Tom", "Tom"], ["25", "25"]]);
  });

  test("what it is told to say, if it would not", async () => {
    assert.equal((await read("Hi {name}.", { drop: /Tom/ })).translation, ". Hi {name}");
    const edits = { mask: [1], off: [], rows: [], uniform: false, special: false };
    assert.equal((await read("Hi {name}.", { drop: /Tom/, edits })).translation, ". Hi", "but not what was hidden from it");
    const two = await read("Hi {name}.", { drop: /Tom/, takesTerms: false });
    assert.deepEqual([two.translation, two.terms], [". Hi", []]);
  });

  test("names that are not in the text", async () => {
    assert.equal((await read("Tom met {a} and mary met {b}.")).text, "Tom met John and mary met Bob.");
    const many = Array.from({ length: 30 }, (_, i) => `{${"x".repeat(i + 1)}}`);
    const { text, translation } = await read(`a ${many.join(" ")}`);
    // Of names there are twelve, then come places and numbers, and then there is nothing more.
    assert.match(text, /^a Tom Mary John (?:[A-Z][a-z]+ ){9}Boston (?:[A-Z][a-z]+ ){5}25 (?:\d\d ){7}\{x{27}\} \{x{28}\} \{x{29}\} \{x{30}\}$/);
    assert.equal(new Set(text.split(" ")).size, 31);
    assert.ok(translation.endsWith(`${many.slice(0, 26).reverse().join(" ")} a`), translation);
  });

  test("names that the translation does not have to say anyway", async () => {
    assert.equal((await read("{name} is my friend.", { beginning: "Tom et " })).text, "Mary is my friend.");
    const terms = [{ text: "Tom", begin: 14, end: 18 }];
    const { text, translation } = await read("{user} is the boss.", { terms });
    assert.equal(text, "Mary is the boss.");
    assert.match(translation, /^\. boss the is \{user\} Tom$/);
  });

  test("terms in their new places, but none inside", async () => {
    const source = "é {cat} cat";
    const at = (from) => Buffer.byteLength(source.slice(0, from));
    const terms = [{ text: "chat", begin: at(3), end: at(6) }, { text: "chat", begin: at(8), end: at(11) }];
    assert.deepEqual((await read(source, { terms })).terms, [{ text: "chat", begin: 7, end: 10 }, { text: "Tom", begin: 3, end: 6 }]);
    assert.deepEqual((await read(source, { terms, takesTerms: false })).terms, [{ text: "chat", begin: 7, end: 10 }]);
  });

  test("no more terms than a model takes", async () => {
    const terms = Array.from({ length: 60 }, (_, i) => ({ text: "x", begin: 2 * i, end: 2 * i + 1 }));
    const { terms: given } = await read(`${"x ".repeat(60)}${"{a} ".repeat(10)}`, { terms });
    assert.deepEqual([given.length, given.filter(({ text }) => text === "Tom").length], [64, 4]);
  });

  test("a beginning with the same names", async () => {
    assert.equal((await read("Hi {a}.", { beginning: "Bonjour {a} {b}" })).beginning, "Bonjour Tom {b}");
  });

  test("capitals as capitals", async () => {
    const { text, translation, targets } = await read("SEE THE CAT {name}", { capitals: true });
    assert.equal(text, "See the cat tom");
    assert.equal(translation, "{name} CAT THE SEE");
    assert.deepEqual(targets, ["{name}", "CAT", "THE", "SEE"]);
  });

  test("two given texts with the same names, and all else as it is", async () => {
    const { asked, model } = backwards();
    const reader = new KeepingReader(model, true);
    const trace = await reader.call(undefined, "align", "Hi {a} {b}.", "Salut {b}.", true, false);
    assert.deepEqual([asked[0].first, asked[0].second], ["Hi Tom Mary.", "Salut Mary."]);
    assert.equal(trace.translation, "Salut {b}.");
    assert.deepEqual([...trace.sourceRanges], [0, 2, 3, 6, 7, 10, 10, 11]);
    assert.deepEqual([...trace.targetRanges], [0, 5, 6, 9, 9, 10]);
    const plain = await read("I am cold.");
    assert.deepEqual([plain.text, plain.terms], ["I am cold.", []]);
    await reader.call(undefined, "pieceStarts", "{a}");
    reader.free("done");
    assert.deepEqual(asked.slice(1), [{ method: "pieceStarts", first: "{a}", second: undefined }, { reason: "done" }]);
  });

  test("of a name in pieces the first has it all", async () => {
    const { model } = backwards();
    const inPieces = { ...model, call: async () => [{ translation: "Tom", sourceRanges: Uint32Array.of(0, 1, 1, 3, 4, 5), targetRanges: Uint32Array.of(0, 2, 2, 3), tree: null }] };
    const [{ sourceRanges, targetRanges }] = await new KeepingReader(inPieces, true).call(undefined, "explain", { text: "{who} x", beginning: "", terms: [] }, {});
    assert.deepEqual([...sourceRanges], [0, 5, 5, 5, 6, 7]);
    assert.deepEqual([...targetRanges], [0, 5, 5, 5]);
  });
});
