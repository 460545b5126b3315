import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { cutLong, maxPieces, splitSentences, wellFormed } from "../../dist/split.js";

const sentences = (text, language = "en") =>
  [...splitSentences(text, language)].filter(({ translate }) => translate).map(({ text: sentence }) => sentence);

// One piece a character: the hardest tokenizer.
const everyCharacter = (text) => Array.from(text, (_, i) => i);

/** All stretches after cutting, checked to be the text and to know where they stand. */
async function cut(text, pieceStarts) {
  const stretches = [];
  for (const sentence of splitSentences(wellFormed(text), "en")) {
    for await (const stretch of sentence.translate ? cutLong(sentence, async (window) => pieceStarts(window)) : [sentence]) {
      stretches.push(stretch);
    }
  }
  let offset = 0;
  for (const { text: stretch, start } of stretches) {
    assert.equal(start, offset);
    assert.notEqual(stretch, "");
    offset += stretch.length;
  }
  assert.equal(stretches.map(({ text: stretch }) => stretch).join(""), wellFormed(text));
  return stretches.filter(({ translate }) => translate).map(({ text: stretch }) => stretch);
}

describe("sentences", () => {
  test("end where a reader ends them", () => {
    assert.deepEqual(sentences("I am cold. Are you? Yes!"), ["I am cold.", "Are you?", "Yes!"]);
    assert.deepEqual(sentences("It costs 3.5 euros. That is a lot."), ["It costs 3.5 euros.", "That is a lot."]);
  });

  test("go on after an abbreviation, an initial or a quoted question", () => {
    for (const text of ["Mr. Smith saw Dr. Jones.", "J. R. Smith left.", '"Really?" she asked.', "Yes! he cried."]) {
      assert.deepEqual(sentences(text), [text]);
    }
    assert.deepEqual(sentences('"Really?" she asked. He left.'), ['"Really?" she asked.', "He left."]);
    assert.deepEqual(sentences("So do I. He left."), ["So do I.", "He left."]);
  });

  test("end at a line break, whatever stands before it", () => {
    assert.deepEqual(sentences("Dear Mr.\nSmith\r\n\r\n  how are you\u2028bye"), ["Dear Mr.", "Smith", "how are you", "bye"]);
  });

  test("are found in lines of any length", () => {
    // 20 characters: after 200 of them ends the part of the line that is looked at at once.
    assert.deepEqual(sentences("This is a sentence. ".repeat(500)), Array(500).fill("This is a sentence."));
    assert.deepEqual(sentences("This is one sentence. ".repeat(500)), Array(500).fill("This is one sentence."));
    const long = `${"and on ".repeat(1000)}it went.`;
    assert.deepEqual(sentences(`${long} ${long} The end.`).length, 2); // a lower-case letter begins no sentence
  });

  test("leave icons and the marks of list items around them out", () => {
    const around = (text) => [...splitSentences(text, "en")].map(({ text: stretch, translate }) => (translate ? `<${stretch}>` : stretch)).join("");
    assert.equal(around("I love you 😀❤️"), "<I love you> 😀❤️");
    assert.equal(around("👩🏽‍🚀 She flies. 🇫🇷"), "👩🏽‍🚀 <She flies.> 🇫🇷");
    assert.equal(around("★ Important ★"), "★ <Important> ★");
    assert.equal(around("- milk\n• bread\n2) eggs\n3. Go home."), "- <milk>\n• <bread>\n2) <eggs>\n3. <Go home.>");
    // What belongs to a sentence stays.
    for (const text of ["I ❤ you", "-5 degrees", "1984 was cold", "#1 in (a) list", "\ufffdso\ufffd"]) assert.equal(around(text), `<${text}>`);
    const [blank, icons] = [" ".repeat(3_000_000), "😀 ".repeat(100_000)];
    assert.equal(around(`${blank}${icons}so${icons}${blank}`), `${blank}${icons}<so>${icons}${blank}`);
    assert.equal(around(`a${"😀".repeat(20_000)}b${"😀".repeat(20_000)}`), `<a${"😀".repeat(20_000)}b>${"😀".repeat(20_000)}`);
  });

  test("leave white space and what has no letter out", () => {
    for (const text of ["42", "3.14", "12/05/2024 10:30", "$1,234.50", "1. 2) - 3"]) assert.deepEqual(sentences(text), [], text);
    const stretches = [...splitSentences("  Hello.\t\n\n🙂 --- \nBye ", "en")];
    assert.deepEqual(
      stretches.filter(({ translate }) => translate),
      [
        { text: "Hello.", start: 2, translate: true },
        { text: "Bye", start: stretches.at(-2).start, translate: true },
      ],
    );
    assert.deepEqual(sentences("\u0000\u0007 \n\t…!? 🙂"), []);
    assert.deepEqual([...splitSentences("", "en")], []);
  });
});

describe("a sentence that is too long", () => {
  const words = (count, word) => Array.from({ length: count }, () => word).join(" ");

  test("is left alone up to the limit", async () => {
    const text = "a".repeat(maxPieces);
    assert.deepEqual(await cut(text, everyCharacter), [text]);
    const tenEach = (window) => everyCharacter(window).filter((i) => i % 10 === 0);
    assert.deepEqual(await cut("a".repeat(10 * maxPieces), tenEach), ["a".repeat(10 * maxPieces)]);
  });

  test("is cut between words", async () => {
    for (const part of await cut(words(500, "wordy"), everyCharacter)) {
      assert.match(part, /^wordy( wordy)*$/);
      assert.ok(part.length <= maxPieces, `${part.length} pieces`);
    }
  });

  test("is cut after a clause where there is one", async () => {
    const clause = `${words(25, "word")},`; // 125 pieces: the second one would not fit
    assert.deepEqual(await cut(`${clause} ${clause} ${clause}`, everyCharacter), [clause, clause, clause]);
  });

  test("is cut inside a word that is too long itself", async () => {
    assert.deepEqual(
      (await cut("a".repeat(450), everyCharacter)).map(({ length }) => length),
      [200, 200, 50],
    );
  });

  test("is cut where characters become many pieces each", async () => {
    const eighteenEach = (window) => Array.from({ length: 18 * window.length }, (_, i) => Math.floor(i / 18));
    assert.deepEqual(await cut("\ufdfa".repeat(11), eighteenEach), ["\ufdfa".repeat(11)]);
    const parts = await cut("\ufdfa".repeat(100), eighteenEach);
    assert.ok(parts.every(({ length }) => length * 18 <= maxPieces), String(parts));
    assert.ok(parts.length <= 20, `${parts.length} parts`);
  });

  test("costs time in proportion to its length", async () => {
    for (const [perCharacter, character] of [[18, "\ufdfa"], [1, "a"], [0.01, "a"]]) {
      let counted = 0;
      await cut(character.repeat(20_000), (window) => {
        counted += window.length;
        return Array.from({ length: Math.ceil(window.length * perCharacter) }, (_, i) => Math.floor(i / perCharacter));
      });
      assert.ok(counted < 120_000, `looked at ${counted} characters`);
    }
  });

  test("looks further again where pieces get longer", async () => {
    // Dense at first, then words of one piece: those are not cut short by what was needed before.
    const pieces = (window) => everyCharacter(window).filter((i) => /[0-9]/.test(window[i]) || window[i - 1] === " ");
    const parts = await cut(`${"1".repeat(450)} ${"wordy ".repeat(300)}`, pieces);
    assert.ok(parts.slice(3).every((part) => /^wordy( wordy)*$/.test(part)), String(parts));
    assert.ok(parts.length <= 6, `${parts.length} parts`);
  });

  test("is never cut inside a surrogate pair", async () => {
    for (const part of await cut(`a${"𝒳".repeat(3000)}`, everyCharacter)) assert.equal(wellFormed(part), part);
    // And not where the window of text that is looked at ends.
    for (const part of await cut(`a${"𝒳".repeat(3000)}`, () => [0])) assert.equal(wellFormed(part), part);
  });
});

describe("100,000 characters of anything", () => {
  const texts = {
    "one word": "a".repeat(100_000),
    spaces: `${" ".repeat(99_999)}a`,
    clauses: "a, b ".repeat(20_000),
    lines: "a\n".repeat(50_000),
    abbreviations: "Mr. ".repeat(25_000),
    sentences: "Hi. ".repeat(25_000),
    emoji: "🙂".repeat(50_000),
    "lone surrogates": "\ud800".repeat(99_999) + "a",
    brackets: "(".repeat(99_999) + "a",
    letters: "𝒳".repeat(50_000),
  };
  const { segment } = Intl.Segmenter.prototype;
  afterEach(() => (Intl.Segmenter.prototype.segment = segment));

  for (const [name, text] of Object.entries(texts)) {
    test(`are looked at a few times each: ${name}`, async () => {
      let segmented = 0;
      Intl.Segmenter.prototype.segment = function (window) {
        assert.ok(window.length <= 4000, `its time grows with the square of the length, here ${window.length}`);
        segmented += window.length;
        return segment.call(this, window);
      };
      let pieces = 0;
      await cut(text, (window) => {
        pieces += window.length;
        return everyCharacter(window);
      });
      assert.ok(segmented <= 2 * text.length, `the segmenter saw ${segmented} characters`);
      assert.ok(pieces <= 6 * text.length, `the model saw ${pieces} characters`);
    });
  }
});

test("lone surrogates become U+FFFD and nothing moves", () => {
  assert.equal(wellFormed("a\ud800b\udc00🙂\udc00\ud800"), "a\ufffdb\ufffd🙂\ufffd\ufffd");
  assert.equal(wellFormed("🙂 ok"), "🙂 ok");
});
