import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitionIn } from "../../dist/repetition.js";

const found = (translation, source = "a b") => {
  const stretch = repetitionIn(translation, source);
  return stretch && [translation.slice(stretch.start, stretch.end), stretch.times];
};

test("what is said over and over is found, whatever its length and wherever it stands", () => {
  assert.deepEqual(found("Laaaaaaaaaaaaaaaaaaaaaaaaaaaaaa !"), [`L${"a".repeat(30)}`.slice(1), 30]);
  assert.deepEqual(found("Il est huit-huit-huit-huit-huit-huit heures."), ["huit-huit-huit-huit-huit-huit", 5]);
  assert.deepEqual(found("Et le chat, le chat, le chat, le chat, le chat"), [" le chat, le chat, le chat, le chat, le chat", 4]);
  assert.deepEqual(found("Le un cinquante-cinquante-cinquante-cent."), ["cinquante-cinquante-cinquante-c", 3]);
  assert.deepEqual(found("EhPAAAAAAAAA", "USA"), ["AAAAAAAAA", 9]);
  const long = "Je ne suis pas sûr que ce soit vrai, mais je le crois bien. ";
  assert.equal(long.length, 60);
  assert.deepEqual(found(long.repeat(4)), [long.repeat(4), 4]);
});

test("ordinary repetition is none: a few times, with something between, or as often as in the source", () => {
  assert.equal(found("Non, non, non, non !"), null);
  assert.equal(found("Hahahahahaha, et puis nous sommes rentrés."), null);
  assert.equal(found("again and again and again and again", "encore et encore et encore et encore"), null);
  assert.equal(found("!!!!!!!!!!!!!!!!!!!!!!!"), null);
  assert.equal(found("Un chat, deux chats, trois chats, quatre chats, cinq chats, six chats."), null);
  const non = `${"non, ".repeat(12)}non !`;
  assert.equal(found(non, `${"no, ".repeat(7)}no!`), null);
  assert.notEqual(found(non, "no, no, no!"), null);
  assert.equal(found("", ""), null);
});

test("a long text takes no time to speak of", () => {
  const text = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(97 + ((i * i) % 23))).join("");
  assert.equal(repetitionIn(text, text), null);
});
