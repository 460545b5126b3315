// How well markup finds its words: elements around 1 to 6 words of the English of gold alignments, and where they go in the
// French, which is forced.
//
//   node tests/bench/markup.mjs [--model FILE] [--data FOLDER]
//
// FOLDER holds alibi-en-fr and hansards-en-fr; by default that of ../shared/data, where there is one.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { alignWords } from "../../dist/html/align.js";
import { project } from "../../dist/html/project.js";
import { strongestLinks, Translator } from "../../dist/index.js";

const { values: options } = parseArgs({
  options: { model: { type: "string" }, data: { type: "string", default: fileURLToPath(new URL("../../../shared/data/alignments", import.meta.url)) } },
});

const linesOf = (...path) => readFileSync(join(options.data, ...path), "utf8").trimEnd().split("\n");

/** Pairs of sentences as lists of words, with links [English, French, sure]. */
function* alibi() {
  for (const story of readdirSync(join(options.data, "alibi-en-fr/ali"))) {
    const names = readdirSync(join(options.data, "alibi-en-fr/ali", story)).find((name) => name.startsWith("ali_w2w"));
    const [links, ...sides] = [names, ...names.slice(8, -4).split("_").map((name) => `${name}_sents.txt`)].map((name) =>
      linesOf("alibi-en-fr/ali", story, name).map((line) => line.split("\t")[1]?.trim() ?? ""),
    );
    const isFrench = (side) => side.filter((line) => /\b(les|une)\b/.test(line)).length > side.length / 5;
    const [french, english] = isFrench(sides[0]) ? sides : sides.reverse();
    for (const [i, line] of links.entries()) {
      const pairs = [...line.matchAll(/(\d+)([-p])(\d+)/g)].map(([, f, kind, e]) => [Number(e), Number(f), kind === "-"]);
      yield { english: english[i].split(" "), french: french[i].split(" "), links: pairs };
    }
  }
}
function* hansards() {
  const links = linesOf("hansards-en-fr/enfr.gold");
  for (const [i, line] of linesOf("hansards-en-fr/enfr.src-tgt").entries()) {
    const [english, french] = line.split("|||").map((side) => side.trim().split(/\s+/));
    yield { english, french, links: [...links[i].matchAll(/(\d+)([-p])(\d+)/g)].map(([, e, kind, f]) => [e - 1, f - 1, kind === "-"]) };
  }
}

/** The text of a list of words, with where each stands. */
function written(words) {
  let text = "";
  const ranges = words.map((word) => {
    if (text !== "" && !/['’]$/.test(text) && !/^[.,)]$/.test(word)) text += " ";
    text += word;
    return { start: text.length - word.length, end: text.length };
  });
  return { text, ranges };
}

/** The words that a range of characters touches. */
const within = (words, { start, end }) => words.flatMap((word, i) => (word.start < end && word.end > start ? i : []));

/** Where an element around these characters goes: our way, and to the words whose strongest link is to one in it. */
const ways = {
  html({ pieces }) {
    const words = alignWords(pieces, new Set());
    return (range) => {
      const inside = within(words.source, range);
      const [own] = project(words, [{ from: inside[0], to: inside.at(-1) + 1, parent: -1, whole: false }]);
      return own.map((t) => words.target[t]);
    };
  },
  "strongest links"({ words }) {
    const links = strongestLinks(words).sort(([, a], [, b]) => a - b);
    return (range) => links.filter(([s]) => within([words.sourceTokens[s]], range).length).map(([, t]) => words.targetTokens[t]);
  },
};

if (!existsSync(options.data)) {
  console.log(`skipped: ${options.data} is not there; name another folder with --data`);
  process.exit(0);
}
const model = options.model && pathToFileURL(resolve(options.model));
const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model });
for (const [name, pairs] of Object.entries({ alibi, hansards })) {
  const score = Object.fromEntries(Object.keys(ways).map((way) => [way, { elements: 0, right: 0, given: 0, found: 0, sure: 0, places: 0, lost: 0 }]));
  for (const { english, french, links } of pairs()) {
    if (english.length < 4 || english.length > 40 || french.length > 45 || links.length < 4) continue;
    const [source, target] = [written(english), written(french)];
    const align = (level) => translator.align(source.text, target.text, { level });
    const explained = { words: await align("word"), pieces: await align("piece") };
    for (const [way, prepare] of Object.entries(ways)) {
      const placeOf = prepare(explained);
      const sums = score[way];
      for (const length of [1, 2, 3, 4, 6]) {
        for (let from = 0; from + length <= english.length; ++from) {
          const linked = links.filter(([e]) => e >= from && e < from + length);
          if (linked.length === 0) continue;
          const own = placeOf({ start: source.ranges[from].start, end: source.ranges[from + length - 1].end });
          const got = new Set(own.flatMap((range) => within(target.ranges, range)));
          const sure = new Set(linked.filter(([, , isSure]) => isSure).map(([, f]) => f));
          ++sums.elements;
          sums.given += got.size;
          sums.right += [...got].filter((f) => linked.some(([, one]) => one === f)).length;
          sums.sure += sure.size;
          sums.found += [...sure].filter((f) => got.has(f)).length;
          sums.places += [...got].filter((f) => !got.has(f - 1)).length;
          if (got.size === 0) ++sums.lost;
        }
      }
    }
  }
  console.log(`${name}: ${score.html.elements} elements`);
  for (const [way, { elements, right, given, found, sure, places, lost }] of Object.entries(score)) {
    const [precision, recall] = [right / given, found / sure];
    const percent = (part) => (100 * part).toFixed(1);
    console.log(
      `  ${way.padEnd(15)}  F1 ${percent((2 * precision * recall) / (precision + recall))} (precision ${percent(precision)}, recall ${percent(recall)}),` +
        ` ${(places / (elements - lost)).toFixed(2)} places each, ${percent(lost / elements)} % without words`,
    );
  }
}
translator.destroy();
