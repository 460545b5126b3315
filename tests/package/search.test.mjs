// Translating many texts at once, and having a say in the translation.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hosted, Installed } from "./installed.mjs";

const enFr = { sourceLanguage: "en", targetLanguage: "fr" };
let installed, softalign, translator, additive;

before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
  softalign.setModelBase(hosted);
  translator = await softalign.Translator.create(enFr);
  additive = await softalign.Translator.create({ ...enFr, model: "en-fr-additive" });
});
after(async () => {
  translator?.destroy();
  additive?.destroy();
  await installed?.remove();
});

const argumentError = (message) => (error) => error.code === "argument" && message.test(error.message);

describe("many texts at once", () => {
  const texts = [
    "I am cold.",
    "",
    "  The cat sat on the mat. It slept!\n\nThen it left.\n",
    "…",
    "We would have liked to see the old house by the river before it was sold to somebody from the city.",
    "Yes.",
    ...Array.from({ length: 60 }, (_, i) => `He has ${i + 2} brothers and ${"very ".repeat(i % 5)}old parents.`),
  ];

  test("give what each gives alone, in their order", async () => {
    for (const model of [translator, additive]) {
      for (const beam of [1, 3]) {
        const together = await model.translate(texts, { beam });
        const alone = [];
        for (const text of texts) alone.push(await model.translate(text, { beam }));
        assert.deepEqual(together, alone);
      }
    }
    assert.deepEqual(await translator.translate([]), []);
    assert.deepEqual(await translator.translate(["…"]), ["…"]);
  });

  test("are refused if one is no text, and can be aborted between groups", async () => {
    await assert.rejects(translator.translate(["a", 7]), argumentError(/^texts\[1\] is of type number, expected a string$/));
    const reason = new Error("enough");
    await assert.rejects(translator.translate(texts, { signal: AbortSignal.abort(reason) }), (error) => error === reason);
    const controller = new AbortController();
    const pending = translator.translate(texts, { signal: controller.signal });
    setImmediate(() => setImmediate(() => controller.abort(reason)));
    await assert.rejects(pending, (error) => error === reason);
    assert.match(await translator.translate("Yes."), /Oui/);
  });

  test("are refused by a destroyed translator", async () => {
    const short = await softalign.Translator.create(enFr);
    short.destroy();
    await assert.rejects(short.translate(texts), { name: "AbortError", code: "destroyed" });
  });
});

describe("n-best lists", () => {
  test("have several translations of each sentence, the best first", async () => {
    const text = "I am cold. You are … late!";
    const sentences = await translator.nBest(text, { count: 4, level: "piece" });
    assert.deepEqual(sentences.map(({ source }) => source.trim()), ["I am cold.", "You are … late!"]);
    for (const { source, start, translations } of sentences) {
      assert.equal(text.slice(start, start + source.length), source);
      assert.ok(translations.length >= 2 && translations.length <= 4);
      assert.equal(new Set(translations.map(({ translation }) => translation)).size, translations.length);
      assert.equal(translations[0].translation, await translator.translate(source, { beam: 4 }));
      for (const [i, one] of translations.entries()) {
        if (i > 0) assert.ok(one.score <= translations[i - 1].score);
        const forced = await translator.align(source, one.translation, { level: "piece" });
        // The same text may be written in other pieces.
        const isSame = String(forced.targetTokens.map(({ id }) => id)) === String(one.targetTokens.map(({ id }) => id));
        assert.ok(i > 0 || isSame);
        if (isSame) assert.ok(Math.abs(forced.score - one.score) < 0.05, `${forced.score} and ${one.score}: ${one.translation}`);
        assert.equal(one.confidence.length, one.targetTokens.length);
        assert.equal(one.attention.length, one.targetTokens.length * one.sourceTokens.length);
      }
    }
    assert.ok(sentences[0].translations.some(({ translation }) => translation === "J'ai froid."), "what a Frenchman would say");
    assert.deepEqual(await translator.nBest("…"), []);
    assert.equal((await translator.nBest("Yes.", { count: 1 }))[0].translations.length, 1);
    assert.ok((await translator.nBest("Yes.", { count: 2, beam: 6 }))[0].translations.length <= 2);
  });

  test("come with the search as a tree, if asked for", async () => {
    const text = "He called off the trip.";
    for (const model of [translator, additive]) {
      const [{ tree, translations }] = await model.nBest(text, { beam: 4, count: 4, tree: true });
      const paths = [];
      for (const { text: piece, parent, probability, score, end } of tree) {
        assert.ok(parent < paths.length && !(tree[parent]?.end ?? false));
        const before = paths[parent] ?? { text: "", total: 0, length: 0 };
        const path = { text: before.text + piece, total: before.total + Math.log(probability), length: before.length + 1 };
        assert.ok(Math.abs(path.total / path.length - score) < 1e-4);
        assert.ok(!end || piece === "");
        paths.push(path);
      }
      for (let length = 1; paths.some((path) => path.length === length); ++length) {
        assert.ok(paths.filter((path) => path.length === length).length <= 4, "no more than the beam");
      }
      const ended = paths.filter((_, i) => tree[i].end).sort((a, b) => b.total / b.length - a.total / a.length);
      assert.deepEqual(ended.map((path) => path.text), translations.map(({ translation }) => translation));
      ended.forEach(({ total, length }, i) => assert.ok(Math.abs(total / length - translations[i].score) < 1e-4));
      assert.ok(tree.some(({ end }, i) => !end && !tree.some(({ parent }) => parent === i)), "some were given up");
    }
    const [capitals] = await translator.nBest("HE CALLED OFF THE TRIP.", { beam: 4, tree: true });
    assert.ok(capitals.tree.every(({ text: piece }) => piece === piece.toUpperCase()) && capitals.tree[0].text === "IL");
    assert.equal((await translator.nBest(text))[0].tree, undefined);
  });

  test("name what is wrong with a count", async () => {
    for (const count of [0, 17, 1.5, "3"]) {
      await assert.rejects(translator.nBest("Yes.", { count }), argumentError(/^count is .*, expected a whole number from 1 to 16$/));
    }
    for (const [name, value] of [["edits", { mask: [0] }], ["heads", true]]) {
      await assert.rejects(translator.nBest("Yes.", { [name]: value }), argumentError(new RegExp(`^${name} is given, expected none for n-best lists$`)));
    }
  });
});

describe("a prefix", () => {
  test("is what the translation begins with, and is gone on from", async () => {
    for (const model of [translator, additive]) {
      for (const prefix of ["J", "J'ai", "J'ai ", "Nous av", "Quel ", "Il fait fr", "zut, ", "日本 "]) {
        for (const beam of [1, 4]) {
          const translation = await model.translate("I am cold.", { prefix, beam });
          if (!/日/.test(prefix)) assert.ok(translation.startsWith(prefix), `${JSON.stringify(translation)} after ${JSON.stringify(prefix)}`);
        }
      }
      assert.equal(await model.translate("I am cold.", { prefix: "" }), await model.translate("I am cold."));
    }
    assert.equal(await translator.translate("I am cold.", { prefix: "J'ai" }), "J'ai froid.");
    assert.match(await translator.translate("The cat is old.", { prefix: "Le mat" }), /^Le mat/, "a word is finished");
    assert.doesNotMatch(await translator.translate("The cat is old.", { prefix: "Le ma " }), /^Le ma\p{L}/u, "or not");
  });

  test("is forced on the first sentence only", async () => {
    const text = "I am cold. The cat is old.";
    const free = await translator.translate(text);
    const forced = await translator.translate(text, { prefix: "J'ai" });
    assert.ok(forced.startsWith("J'ai"));
    assert.equal(forced.split(". ")[1], free.split(". ")[1]);
    assert.equal((await translator.explain(text, { prefix: "J'ai" })).translation, forced);
    let streamed = "";
    for await (const chunk of translator.translateStreaming(text, { prefix: "J'ai" })) streamed += chunk;
    assert.equal(streamed, forced);
    for (const { translation } of (await translator.nBest(text, { prefix: "J'ai" }))[0].translations) assert.match(translation, /^J'ai/);
    await assert.rejects(translator.translate(text, { prefix: 3 }), argumentError(/^prefix is of type number/));
    for (const long of ["a ".repeat(2000), "x".repeat(100_000)]) {
      await assert.rejects(translator.translate("Yes.", { prefix: long }), argumentError(/^prefix has .*, expected at most 1000 pieces/));
    }
  });
});

describe("placeholders and addresses", () => {
  test("stay, and are aligned with themselves", async () => {
    const text = "Hello {name}, where is the book of info@example.org? {n} cats sleep at https://example.org/cats.";
    for (const model of [translator, additive]) {
      const { translation, sourceTokens, targetTokens, attention } = await model.explain(text);
      assert.equal(translation, await model.translate(text));
      for (const kept of ["{name}", "info@example.org", "{n}", "https://example.org/cats"]) {
        assert.equal(translation.split(kept).length, 2, `${kept} once in ${translation}`);
        const [row, column] = [targetTokens, sourceTokens].map((tokens) => tokens.findIndex((token) => token.text.startsWith(kept)));
        assert.ok(row >= 0 && column >= 0, kept);
        const weights = [...attention.subarray(row * sourceTokens.length, (row + 1) * sourceTokens.length)];
        if (model === translator) assert.equal(weights.indexOf(Math.max(...weights)), column, kept);
      }
    }
    assert.equal(await translator.translate("{name} – %s https://example.org/Is/it?"), "{name} – %s https://example.org/Is/it?");
    assert.match(await translator.translate("I am with {name}.", { glossary: { name: "nom" }, prefix: "Je suis avec {name} et" }), /^Je suis avec \{name\} et/);
    const [{ translations }] = await translator.nBest("I know {name}.", { count: 3 });
    for (const { translation } of translations) assert.ok(translation.includes("{name}"), translation);
    assert.match(await translator.translate("<p>I <b>know <i>{name}</i></b>.</p>", { html: true }), /<i>\{name\}<\/i>/);
  });
});

describe("a glossary", () => {
  test("decides how terms are translated", async () => {
    for (const model of [translator, additive]) {
      const text = "I live in a white house. My house is old.";
      const translation = await model.translate(text, { glossary: { house: "demeure", "white house": "Maison-Blanche" } });
      assert.match(translation, /Maison-Blanche.*\. .*demeure/);
      assert.doesNotMatch(translation, /maison\b/);
      assert.equal(await model.translate(text, { glossary: { garden: "parc" } }), await model.translate(text));
      assert.deepEqual(await model.translate([text], { glossary: new Map([["house", "demeure"], ["white house", "Maison-Blanche"]]) }), [translation]);
    }
    assert.equal(await translator.translate("I live in a white house.", { glossary: { "white house": "demeure blanche" }, beam: 4 }).then((t) => /demeure blanche/.test(t)), true);
  });

  test("leaves a sentence as it was but for its terms, whatever their order", async () => {
    const glossary = { cat: "minet", king: "monarque", dog: "toutou", letter: "missive", nurse: "soignante", teacher: "enseignante" };
    const say = (text) => translator.translate(text, { glossary });
    assert.equal(await say("The cat found the letter."), "Le minet a trouvé la missive.");
    assert.equal(await say("The king likes the dog."), "Le monarque aime le toutou.");
    // "L'instituteur" with and without the apostrophe.
    assert.equal(await say("The nurse found the letter."), "La soignante a trouvé la missive.");
    assert.equal(await say("I see the teacher."), "Je vois l'enseignante.");
    assert.equal(await translator.translate("I see the teacher.", { glossary: { teacher: "prof" } }), "Je vois le prof.");
    assert.equal(await say("The king reads the letter."), (await translator.translate("The king reads the letter.")).replace("lettre", "missive").replace("roi", "monarque"));
    const terms = Object.entries(glossary);
    for (const order of [terms, [...terms].reverse()]) {
      const { translation, sourceTokens, targetTokens, attention } = await translator.explain("The dog sees the cat.", { glossary: new Map(order) });
      assert.equal(translation, "Le toutou voit le minet.");
      assert.equal(attention.length, sourceTokens.length * targetTokens.length);
    }
  });

  test("has its terms said however short translations are to be", async () => {
    const short = await softalign.Translator.create({ ...enFr, maxLengthFactor: 0.3 });
    const term = "un très grand animal extraordinairement paresseux";
    const translation = await short.translate("The old cat sees the dog under the big table.", { glossary: { cat: term, dog: "toutou" } });
    short.destroy();
    for (const said of [term, "toutou"]) assert.ok(translation.includes(said), translation);
  });

  test("goes with a prefix, and names what is wrong with it", async () => {
    const translation = await translator.translate("The house is old.", { prefix: "Cette ", glossary: { house: "demeure" } });
    assert.match(translation, /^Cette .*demeure|^Cette demeure/);
    await assert.rejects(translator.translate("x", { glossary: { house: "" } }), argumentError(/^glossary: the translation of "house"/));
    const many = Array.from({ length: 65 }, () => "house").join(" ");
    assert.ok((await translator.translate(many, { glossary: { house: "demeure" } })).split("demeure").length > 64);
    const endless = "très ".repeat(200);
    await assert.rejects(translator.translate("My house.", { glossary: { house: endless } }), argumentError(/term 0 has 200 pieces, expected 1 to 128/));
  });
});
