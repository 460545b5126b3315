// What users of translation engines complain about, on the student: text that is no everyday sentence.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { hosted, Installed } from "./installed.mjs";

let installed, student;

before(async () => {
  installed = await Installed.install();
  const { Translator } = await installed.import();
  student = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: new URL("en-fr-student.safetensors", hosted) });
});
after(async () => {
  student?.destroy();
  await installed?.remove();
});

/** [English, French] */
const same = (pairs) => async () => {
  for (const [english, french] of pairs) assert.equal(await student.translate(english, { beam: 4 }), french, english);
};

test("capitals are read as small letters", same([
  ["THE CAT SLEEPS UNDER THE TABLE.", "LE CHAT DORT SOUS LA TABLE."],
]));

test("a word or a letter alone is no sentence, and none is made of it", same([
  ["milk", "lait"], ["house", "maison"], ["thank you", "merci"], ["a", "un"],
]));

test("numbers stay", same([["42", "42"], ["1999", "1999"]]));

test("icons, brackets, marks of lists and white space stay where they are", same([
  ["😀", "😀"], ["I am happy 😀", "Je suis heureux 😀"], ["★ Important ★", "★ Important ★"], ["{ }", "{ }"],
  ["- milk\n- bread\n- eggs", "- lait\n- pain\n- œufs"],
]));

test("signs of another kind than it knows change nothing, and have their place in the grid", async () => {
  for (const [typographic, plain] of [
    ["“Yes,” she said.", '"Yes," she said.'], ["He came – and left.", "He came - and left."], ["I don’t know where she lives.", "I don't know where she lives."],
    ["The {very old} cat sleeps.", "The very old cat sleeps."],
  ]) {
    assert.equal(await student.translate(typographic), await student.translate(plain), typographic);
    const { sourceTokens } = await student.explain(typographic, { level: "piece" });
    assert.equal(sourceTokens.map(({ start, end }) => typographic.slice(start, end)).join("").replace(/\s/g, ""), typographic.replace(/\s/g, ""));
  }
});

test("white space around a sentence changes nothing", async () => {
  const plain = await student.translate("I am cold.");
  assert.equal(await student.translate("   I am cold.  \n"), `   ${plain}  \n`);
});

test("text that repeats itself has a translation that ends, and may repeat as it does", async () => {
  for (const text of ["no ".repeat(40), "I ".repeat(60), "ha".repeat(80), "The the the the the the cat.", "aaaa ".repeat(50)]) {
    const { translation, sourceTokens, targetTokens, repetitions } = await student.explain(text.trim(), { level: "piece" });
    assert.ok(targetTokens.length <= 1.5 * sourceTokens.length + 10, `${targetTokens.length} pieces for ${sourceTokens.length}: ${translation}`);
    assert.deepEqual(repetitions, [], translation);
  }
});

test("the alignment of a long sentence does not drift", async () => {
  const { sourceTokens, targetTokens, attention, confidence } = await student.align(
    "The old man who lived in the small house near the river told us that he had never seen such a big fish in all the years that he had spent there.",
    "Le vieil homme qui vivait dans la petite maison près de la rivière nous a dit qu'il n'avait jamais vu un si gros poisson pendant toutes les années qu'il avait passées là-bas.",
  );
  assert.equal(confidence.length, targetTokens.length);
  const target = targetTokens.map(({ text }) => text);
  const source = sourceTokens.map(({ text }) => text);
  for (const [english, french] of [
    ["man", "homme"], ["lived", "vivait"], ["house", "maison"], ["river", "rivière"], ["seen", "vu"], ["fish", "poisson"], ["years", "années"],
  ]) {
    const row = attention.subarray(target.indexOf(french) * source.length).subarray(0, source.length);
    assert.equal(source[row.indexOf(Math.max(...row))], english, french);
  }
});
