import assert from "node:assert/strict";
import test from "node:test";
import { TermFinder } from "../../dist/glossary.js";

const found = (glossary, sentence) =>
  TermFinder.of(glossary).in(sentence).map(({ text, begin, end }) => {
    const term = new TextDecoder().decode(new TextEncoder().encode(sentence).subarray(begin, end));
    assert.match(term, /\S/, "where it stands");
    places.push(term);
    return text;
  });
const places = [];

test("terms are found as whole words, whatever their case and white space", () => {
  const glossary = { house: "demeure", "White  House": "Maison-Blanche", cafe: "bistrot" };
  assert.deepEqual(found(glossary, "The house is old."), ["demeure"]);
  assert.deepEqual(found(glossary, "HOUSE"), ["demeure"]);
  assert.deepEqual(found(glossary, "the white\nhouse, a house"), ["Maison-Blanche", "demeure"], "the longest, each time it occurs");
  assert.deepEqual(found(glossary, "A housewife in her greenhouse with a café."), []);
  places.length = 0;
  assert.deepEqual(found({ house: "demeure" }, "É é — my HOUSE, ça va"), ["demeure"]);
  assert.deepEqual(places, ["HOUSE"]);
  assert.deepEqual(found(new Map(Object.entries(glossary)), "my house"), ["demeure"]);
  assert.deepEqual(found({}, "my house"), []);
  assert.deepEqual(found(undefined, "my house"), []);
});

test("letters that are alike to a pattern are the same term, whatever their small letters", () => {
  assert.deepEqual(found({ "\u00b5m": "micron" }, "5 \u03bcm"), ["micron"]);
  assert.deepEqual(found({ house: "demeure" }, "My hou\u017fe"), ["demeure"]);
  assert.deepEqual(found({ İstanbul: "Stamboul" }, "in İstanbul"), ["Stamboul"]);
  assert.deepEqual(found({ "caf\u00e9": "bistrot" }, "a cafe\u0301"), ["bistrot"]);
  assert.deepEqual(found({ "cafe\u0301": "bistrot" }, "a caf\u00e9"), ["bistrot"]);
});

test("a mark belongs to the letter before it", () => {
  assert.deepEqual(found({ sume: "x", cafe: "y" }, "re\u0301sume\u0301, cafe\u0301s and cafe\u0301"), []);
  assert.deepEqual(found({ "r\u00e9sum\u00e9": "x" }, "my re\u0301sume\u0301"), ["x"]);
});

test("a sentence has no more terms than a search takes", () => {
  assert.equal(found({ I: "moi" }, "I ".repeat(65)).length, 64);
});

test("a glossary is made ready once, and again after it has changed", () => {
  const glossary = { house: "demeure" };
  const finder = TermFinder.of(glossary);
  assert.equal(TermFinder.of(glossary), finder);
  glossary.house = "maison";
  assert.deepEqual(found(glossary, "a house"), ["maison"]);
  const map = new Map([["house", "demeure"]]);
  assert.equal(TermFinder.of(map), TermFinder.of(map));
  map.set("cat", "matou");
  assert.deepEqual(found(map, "a cat"), ["matou"]);
});

test("signs that mean something in a pattern are only signs", () => {
  for (const sign of "\\^$.*+?()[]{}|/-&~#@!,;:<>='\"`_%") assert.deepEqual(found({ [`a${sign}b`]: "x" }, `an a${sign}b, acb`), ["x"], sign);
  assert.deepEqual(found({ "follow-up": "suivi" }, "I am cold."), []);
  assert.deepEqual(found({ "C++": "C plus plus", "a.b": "x", "[e]": "y" }, "C++ or aXb or [e] or e"), ["C plus plus", "y"]);
});

test("what is no word is an error that names it", () => {
  for (const [glossary, message] of [
    [{ house: " " }, 'glossary: the translation of "house" is " ", expected a word'],
    [{ "": "x" }, 'glossary: a term is "", expected a word'],
    [null, "glossary is null, expected an object or a Map of terms"],
    [5, "glossary is 5, expected an object or a Map of terms"],
    [{ house: 7 }, 'glossary: the translation of "house" is 7, expected a word'],
  ]) {
    assert.throws(() => TermFinder.of(glossary), { code: "argument", message });
  }
});
