// Where a glossary's terms go: sentences "The SUBJECT VERB the OBJECT." with a term for the subject and one for the object, words
// that the models would hardly say. Prints of how many translations both terms are in the order of the sentence, how many terms have
// an article of their gender before them (or another word that may stand there), and some translations.
//
//   node tests/bench/glossary.mjs [--show 10] MODEL.safetensors ...     from English to French
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const { values: options, positionals: models } = parseArgs({ allowPositionals: true, options: { show: { type: "string", default: "5" } } });
const { Translator } = await import(new URL("../../dist/index.js", import.meta.url));

const subjects = {
  cat: "minet", doctor: "toubib", teacher: "prof", king: "monarque", boy: "gamin", soldier: "troufion", farmer: "paysan", nurse: "soignante",
};
const objects = {
  dog: "toutou", house: "demeure", letter: "missive", horse: "canasson", bird: "oiselet", car: "bagnole", tree: "sapin", apple: "reinette",
};
const feminine = new Set(["soignante", "demeure", "missive", "bagnole", "reinette"]);
const before = (term) => (/^[aeiou]/.test(term) ? /l'$/i : feminine.has(term) ? /\b(la|une|cette|sa|ma) $/i : /\b(le|un|ce|son|mon|du|au) $/i);
const sentences = Object.keys(subjects).flatMap((subject) =>
  Object.keys(objects).flatMap((object) =>
    ["sees", "likes", "wants", "found", "sold", "painted"].map((verb) => ({ subject, object, text: `The ${subject} ${verb} the ${object}.` }))));

for (const model of models) {
  const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: readFileSync(model) });
  const translations = await translator.translate(sentences.map(({ text }) => text), { glossary: { ...subjects, ...objects } });
  translator.destroy();
  const place = (text, word) => text.search(new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, "u"));
  const places = sentences.map(({ subject, object }, i) => [subjects[subject], objects[object]].map((term) => place(translations[i], term)));
  const there = places.filter(([subject, object]) => subject >= 0 && object >= 0);
  const inOrder = there.filter(([subject, object]) => subject < object);
  const suited = sentences.flatMap(({ subject, object }, i) =>
    [subjects[subject], objects[object]].filter((term, k) => before(term).test(translations[i].slice(0, places[i][k]))));
  console.log(
    `${model}: of ${sentences.length}, ${there.length} have both terms, ${inOrder.length} in their order; ` +
      `of ${2 * sentences.length} terms, ${suited.length} have a suitable word before them`,
  );
  const step = Math.floor(sentences.length / Number(options.show)) || Infinity;
  for (let i = 0; i < sentences.length && Number(options.show) > 0; i += step) console.log(`  ${sentences[i].text} -> ${translations[i]}`);
}
