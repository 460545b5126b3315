// Writes what sentence pairs alone do not teach, to be trained on beside them:
//
//   node scripts/augment-pairs.mjs TRAIN.tsv LINKS.tsv [fr | de | es] [--vary] > more.tsv
//
// - pairs without their last sign, half of them with small first letters, as people type;
// - single words and what they mostly translate to, by the links of an aligner (softalign eval --baseline TRAIN.tsv --links LINKS.tsv);
// - numbers, dates, times and addresses, which are copied;
// - with --vary, what people type first (phrasebook.tsv; the test sets took the commonest phrases with them), all that is shorter than
//   three words without its last sign, and sentences with other numbers and names than they have.
//
// Seeded: everybody gets the same lines.
import { readFileSync } from "node:fs";

const bareShare = 0.12;
const copies = 6000;
const variations = 3, renamedShare = 0.2, shortCopies = 4, phraseCopies = 24;
/** A word is known by heart if it was seen so often, and so mostly translated to one word. */
const leastSeen = 12, leastShare = 0.4;

let seed = 1;
function uniform() {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}
const below = (n) => Math.floor(uniform() * n);
const oneOf = (list) => list[below(list.length)];

const lines = (path) => readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => line.split("\t"));
/** Sentences of a few words that everybody has, for what is copied to be in. */
const frames = {
  fr: [["It is %.", "C'est %."], ["I see %.", "Je vois %."], ["This is %.", "Voici %."], ["What is %?", "Qu'est-ce que % ?"], ["%, please.", "%, s'il vous plaît."]],
  de: [["It is %.", "Es ist %."], ["I see %.", "Ich sehe %."], ["This is %.", "Das ist %."], ["What is %?", "Was ist %?"], ["%, please.", "%, bitte."]],
  es: [["It is %.", "Es %."], ["I see %.", "Veo %."], ["This is %.", "Esto es %."], ["What is %?", "¿Qué es %?"], ["%, please.", "%, por favor."]],
};
const isOption = (argument) => argument.startsWith("--");
const [pairsPath, linksPath, language = "fr"] = process.argv.slice(2).filter((argument) => !isOption(argument));
const options = process.argv.slice(2).filter(isOption);
const varies = options.includes("--vary");
if (!linksPath || !frames[language] || options.some((option) => option !== "--vary")) {
  console.error("usage: node scripts/augment-pairs.mjs TRAIN.tsv LINKS.tsv [fr | de | es] [--vary] > more.tsv");
  process.exit(2);
}
const out = [];

const lastSign = /[\s\u202f\u00a0]*[.!?]$/u;
/** Spanish has one in front, too. */
const firstSign = /^[¿¡]/u;
const small = (text) => text.replace(/^[¿¡]?\p{Lu}(?=\p{Ll}|['’\s])/u, (letter) => letter.toLowerCase());
for (const [source, target] of lines(pairsPath)) {
  const isShort = varies && source.split(" ").length < 3;
  if ((uniform() >= bareShare && !isShort) || !lastSign.test(source) || !lastSign.test(target) || /[.!?]\s/.test(source)) continue;
  const bare = [source.replace(lastSign, ""), target.replace(lastSign, "").replace(firstSign, "")];
  // German nouns keep their capitals.
  const inSmall = [small(bare[0]), language === "de" ? bare[1] : small(bare[1])];
  // Else "Hello" would be a name.
  if (isShort) for (let i = 0; i < shortCopies; ++i) out.push(bare, inSmall);
  else out.push(uniform() < 0.5 && !/^I\b/.test(source) ? inSmall : bare);
}

// Words, with an article or without as the target has them beside.
const seen = new Map(), translations = new Map();
for (const [links, source, target] of lines(linksPath)) {
  const [from, to] = [source.split(" "), target.split(" ")];
  const pairs = links.split(" ").filter(Boolean).map((link) => link.split("-").map(Number));
  for (const [s, t] of pairs) {
    // One to one, or the words around are part of it.
    if (pairs.filter(([a, b]) => a === s || b === t).length > 1) continue;
    const [word, translation] = [from[s], to[t]];
    if (!/^\p{L}{2,}$/u.test(word) || !/^\p{L}[\p{L}-]*$/u.test(translation) || (s === 0 && /^\p{Lu}/u.test(word))) continue;
    seen.set(word, (seen.get(word) ?? 0) + 1);
    const counts = translations.get(word) ?? translations.set(word, new Map()).get(word);
    counts.set(translation, (counts.get(translation) ?? 0) + 1);
  }
}
const capital = (word) => word.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
for (const [word, times] of seen) {
  const [translation, count] = [...translations.get(word)].reduce((a, b) => (b[1] > a[1] ? b : a));
  if (times < leastSeen || count / times < leastShare) continue;
  out.push([word, translation], [capital(word), capital(translation)]);
}

const digits = (n) => Array.from({ length: n }, () => below(10)).join("").replace(/^0/, "1");
const two = (n) => String(1 + below(n)).padStart(2, "0");
const names = [...new Set(lines(pairsPath).flatMap(([source]) => source.match(/(?<=\s)\p{Lu}\p{Ll}+/gu) ?? []))];
const name = () => oneOf(names).toLowerCase();
const kinds = [
  () => digits(1 + below(6)),
  () => digits(1 + below(3)),
  () => `${two(28)}/${two(12)}/${1900 + below(130)}`,
  () => `${1900 + below(130)}-${two(12)}-${two(28)}`,
  () => `${below(24)}:${two(59)}`,
  () => `${digits(3)}-${digits(4)}`,
  () => `${name()}@${name()}.com`,
  () => `www.${name()}.org`,
  () => oneOf(names),
];
for (let i = 0; i < copies; ++i) {
  const text = oneOf(kinds)();
  out.push([text, text]);
  // In a sentence it is copied, too.
  out.push(oneOf(frames[language]).map((part) => part.replace("%", text)));
}

if (varies) {
  // What people type first, as they type it.
  const exclaimed = { fr: (text) => `${text} !`, de: (text) => `${text}!`, es: (text) => `¡${text}!` }[language];
  const ended = ([source, target], sign) => [source + sign, sign === "!" ? exclaimed(target) : target + sign];
  const column = ["fr", "de", "es"].indexOf(language) + 1;
  for (const phrase of lines(new URL("phrasebook.tsv", import.meta.url))) {
    const pair = [phrase[0], phrase[column]];
    const inSmall = [small(pair[0]), language === "de" ? pair[1] : small(pair[1])];
    const bare = (each) => each.map((text) => text.replace(/^¿|\s*\?$/gu, ""));
    const spellings = [pair, inSmall].flatMap((each) => (each[0].endsWith("?") ? [each, bare(each)] : ["", ".", "!"].map((sign) => ended(each, sign))));
    for (let i = 0; i < phraseCopies; ++i) out.push(...spellings);
  }
  const number = /(?<![\p{L}\d.,:])\d+(?![\p{L}\d]|[.,:]\d)/gu;
  const person = /(?<!\p{L})(?:Tom|Mary)(?!\p{L})/gu;
  // No name where it begins with another sound or sign than those of the data: French elides before vowels.
  const others = names.filter((name) => /^[B-DF-HJ-NP-TV-Z]/.test(name));
  for (const [source, target] of lines(pairsPath)) {
    const [[from, ...more], [to, ...rest]] = [source, target].map((text) => text.match(number) ?? []);
    // 1 has a singular, which another number has not.
    if (from && from === to && from !== "1" && more.length + rest.length === 0) {
      for (let i = 0; i < variations; ++i) {
        const other = digits(from.length === 1 ? 1 + below(2) : from.length).replace(/^1$/, "6");
        out.push([source, target].map((text) => text.replace(number, other)));
      }
    }
    const [people, same] = [source, target].map((text) => text.match(person) ?? []);
    if (people.length === 1 && same.length === 1 && people[0] === same[0] && uniform() < renamedShare) {
      const other = oneOf(others);
      out.push([source, target].map((text) => text.replace(person, other)));
    }
  }
}

process.stdout.write(`${out.map((pair) => pair.join("\t")).join("\n")}\n`);
