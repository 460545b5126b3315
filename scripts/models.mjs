// The models as they are published: a manifest, its schema, and in one flat folder what it lists.
//   node scripts/models.mjs           writes models/manifest.json anew from the folders beside it
//   node scripts/models.mjs FOLDER    fills FOLDER with all of it, to be put on a web host
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inRoot, main, Stop } from "./terminal.mjs";

/** What is taken where no model is named, one of each kind and its languages. The package carries those that package.json does not leave out. */
const defaults = ["en-fr-transformer", "en-de-transformer", "en-es-transformer", "en-lstmn", "en-tagger", "en-sentiment", "en-masked"];

/** Into these it is translated, in this order. */
const languages = ["fr", "de", "es"];

/** How a card states its model's scores. */
const scores = {
  translation: { bleu: /^\| all \| ([\d.]+) \(chrF2 [\d.]+\) \|$/m, chrf2: /^\| all \| [\d.]+ \(chrF2 ([\d.]+)\) \|$/m },
  "language-model": { perplexity: /^\| LSTMN, .*? \| ([\d.]+) /m },
  tagger: { accuracy: /^Accuracy on .*\*\*([\d.]+) %\*\*/m },
  classifier: { accuracy: /Accuracy on test: \*\*([\d.]+) %\*\*/ },
  "masked-language-model": { accuracy: /it finds ([\d.]+) %/, perplexity: /\(perplexity ([\d.]+)\)/ },
};

const fileOf = (id) => inRoot("models", id, "model.safetensors");
const cardOf = (id) => inRoot("models", id, "README.md");

/** The manifest's entry for a model, from its file and its card. */
function describe(id) {
  const bytes = readFileSync(fileOf(id));
  const header = JSON.parse(bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())));
  const config = JSON.parse(header.__metadata__.config);
  if (config.name !== id) throw new Stop(`models/${id}/model.safetensors has the name ${config.name}`);
  const card = readFileSync(cardOf(id), "utf8");
  const stated = (what, pattern) => card.match(pattern)?.[1] ?? stop(`models/${id}/README.md does not state its ${what}: ${pattern}`);
  const kind = config.source_language ? "translation" : config.architecture;
  return {
    id,
    kind,
    sourceLanguage: config.source_language ?? config.language,
    targetLanguage: config.target_language,
    default: defaults.includes(id) || undefined,
    architecture: kind === "translation" ? config.architecture : (config.reader ?? config.encoder),
    attention: config.attention,
    scores: Object.fromEntries(Object.entries(scores[kind]).map(([name, pattern]) => [name, Number(stated(name, pattern))])),
    licence: stated("licence", /\| licence of the weights \| (CC BY(?:-SA)? [\d.]+)/).replaceAll(" ", "-"),
    file: `${id}.safetensors`,
    size: bytes.length,
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
}

function stop(why) {
  throw new Stop(why);
}

/** The text of models/manifest.json, as the models' folders want it to be. */
export function manifestText() {
  const ids = readdirSync(inRoot("models"), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const rank = ({ kind, targetLanguage }) => 10 * Object.keys(scores).indexOf(kind) + languages.indexOf(targetLanguage);
  const models = ids.map(describe).sort((a, b) => rank(a) - rank(b) || (b.default ?? 0) - (a.default ?? 0) || a.id.localeCompare(b.id));
  return `${JSON.stringify({ $schema: "./manifest.schema.json", version: 1, models }, undefined, 2)}\n`;
}

/** Fills a folder with the manifest, its schema, the models and their cards. */
export function publishModels(folder) {
  mkdirSync(folder, { recursive: true });
  for (const name of ["manifest.json", "manifest.schema.json"]) cpSync(inRoot("models", name), join(folder, name));
  for (const { id, file } of JSON.parse(readFileSync(inRoot("models/manifest.json"), "utf8")).models) {
    cpSync(fileOf(id), join(folder, file));
    cpSync(cardOf(id), join(folder, `${id}.md`));
  }
}

if (process.argv[1] === inRoot("scripts/models.mjs")) {
  await main(() => {
    if (process.argv[2] === undefined) writeFileSync(inRoot("models/manifest.json"), manifestText());
    else publishModels(process.argv[2]);
  });
}
