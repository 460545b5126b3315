// How a text is cut into the words that a tagger labels.
import assert from "node:assert/strict";
import { test } from "node:test";
import { splitWords } from "../../dist/words.js";

const words = (text) => splitWords(text).map(({ text }) => text);

test("words are cut as treebanks cut them", () => {
  assert.deepEqual(words("I don't know; she can't, and it's John's."),
    ["I", "do", "n't", "know", ";", "she", "ca", "n't", ",", "and", "it", "'s", "John", "'s", "."]);
  assert.deepEqual(words("They’ll cannot WE'RE"), ["They", "’ll", "can", "not", "WE", "'RE"]);
  assert.deepEqual(words("a 15-year term, 3.5 %"), ["a", "15", "-", "year", "term", ",", "3.5", "%"]);
  assert.deepEqual(words("n't 's"), ["n't", "'", "s"]);
  assert.deepEqual(words(" \n\t"), []);
});

test("each word knows where it stands", () => {
  const text = "  Don't  go,\n𝒳 I've";
  for (const { text: word, start, end } of splitWords(text)) assert.equal(text.slice(start, end), word);
});
