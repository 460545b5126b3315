import assert from "node:assert/strict";
import test from "node:test";
import { TermFinder } from "../../dist/glossary.js";

const found = (glossary, sentence) =>
  new TermFinder(glossary).in(sentence).map(({ text, begin, end }) => {
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

test("signs that mean something in a pattern are only signs", () => {
  assert.deepEqual(found({ "C++": "C plus plus", "a.b": "x", "[e]": "y" }, "C++ or aXb or [e] or e"), ["C plus plus", "y"]);
});

test("what is no word is an error that names it", () => {
  for (const [glossary, message] of [
    [{ house: " " }, 'glossary: the translation of "house" is " ", expected a word'],
    [{ "": "x" }, 'glossary: a term is "", expected a word'],
    [{ house: 7 }, 'glossary: the translation of "house" is 7, expected a word'],
  ]) {
    assert.throws(() => new TermFinder(glossary), { code: "argument", message });
  }
});
