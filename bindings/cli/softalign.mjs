#!/usr/bin/env node
// The package's command. It stands in dist/ beside the package's own modules.
import { fstatSync, readFileSync, statSync } from "node:fs";
import { text as readAll } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { strongestLinks, Translator } from "./index.js";
import { deleteModel, listModels, prefetchModel, setModelBase } from "./manage-models.js";

const help = `Usage: softalign translate --from en --to fr [TEXT]
       softalign align --from en --to fr [SOURCE TARGET]
       softalign models [list | fetch ID... | delete ID...]

translate  Translates TEXT, or standard input line by line; with --html all of it, as HTML.
align      Prints which words of a given translation belong to which of the source, as pairs "source-target" of
           numbers from 0 (Pharaoh's format). Without SOURCE and TARGET, standard input has lines SOURCE<TAB>TARGET.
models     Lists the models there are, fetches some to keep them for later, or deletes them. They are kept in the folder
           SOFTALIGN_CACHE, or where the system has its caches.

  --from TAG     language of the source, like en
  --to TAG       language of the translation, like fr
  --model MODEL  a model by its ID, a file or an address; left out, the default of the pair
  --base URL     the folder where models are fetched that are neither in the package nor kept
  --beam N       hypotheses that the search follows, 1 to 16 (1)
  --workers N    processors to use, 1 to 64 (1)
  --html         translate: the text is HTML, a fragment or a document
  --align        translate: "TRANSLATION ||| PAIRS" for each line
  --json         one JSON object for each line: words, weights, confidence
  --version, --help
`;

/** A command line that makes no sense: exit code 2. */
class UsageError extends Error {}

const options = {
  from: { type: "string" },
  to: { type: "string" },
  model: { type: "string" },
  base: { type: "string" },
  beam: { type: "string" },
  workers: { type: "string" },
  html: { type: "boolean" },
  align: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
};

function parse(args) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { ...values, command: positionals[0], rest: positionals.slice(1) };
  } catch (error) {
    throw new UsageError(error.message.split(". ")[0]);
  }
}

/** Waits where the reader of our output is slower than we are. */
async function print(text) {
  if (!process.stdout.write(`${text}\n`)) await new Promise((done) => process.stdout.once("drain", done));
}

const pairs = (explanation) => strongestLinks(explanation).map(([source, target]) => `${source}-${target}`).join(" ");

function json(explanation) {
  const { source, translation, sourceTokens, targetTokens, attention, confidence, score, repetitions } = explanation;
  const short = (weights) => Array.from(weights, (weight) => Number(weight.toPrecision(4)));
  const row = (_, t) => short(attention.subarray(t * sourceTokens.length, (t + 1) * sourceTokens.length));
  return JSON.stringify({
    source,
    translation,
    sourceTokens,
    targetTokens,
    attention: attention && targetTokens.map(row),
    confidence: short(confidence),
    score,
    repetitions,
  });
}

/** What each command says of its texts. */
const commands = {
  async translate(translator, [line], { html, align, json: asJson, beam }) {
    const how = { html, beam: beam === undefined ? 1 : Number(beam) };
    if (!align && !asJson) return translator.translate(line, how);
    const explanation = await translator.explain(line, how);
    return asJson ? json(explanation) : `${explanation.translation} ||| ${pairs(explanation)}`;
  },
  async align(translator, [source, target], { json: asJson }) {
    const explanation = await translator.align(source, target);
    return asJson ? json(explanation) : pairs(explanation);
  },
};

/** The texts that a line of standard input holds. */
const texts = {
  translate: (line) => [line],
  align(line) {
    const tab = line.indexOf("\t");
    if (tab < 0) throw new Error("it has no tab, expected SOURCE<TAB>TARGET");
    return [line.slice(0, tab), line.slice(tab + 1)];
  },
};

/** What is done with models. */
const manage = {
  async list(_, { from, to, json: asJson }) {
    for (const model of await listModels({ sourceLanguage: from, targetLanguage: to })) {
      const { id, kind, sourceLanguage, targetLanguage, size, availability } = model;
      const what = targetLanguage ? `${sourceLanguage} to ${targetLanguage}` : `${kind}, ${sourceLanguage}`;
      await print(asJson ? JSON.stringify(model) : [id, what, `${(size / 1e6).toFixed(1)} MB`, availability].join("\t"));
    }
  },
  async fetch(ids) {
    for (const id of ids) await prefetchModel(id);
  },
  async delete(ids) {
    for (const id of ids) await deleteModel(id);
  },
};

function checkManage([what = "list", ...ids]) {
  if (!Object.hasOwn(manage, what)) throw new UsageError(`models has no "${what}", expected list, fetch or delete`);
  if ((what === "list") !== (ids.length === 0)) throw new UsageError(`models ${what} has ${ids.length} IDs, expected ${what === "list" ? "none" : "some"}`);
}

function check(given) {
  const { command, rest, from, to, beam, workers } = given;
  if (command === undefined) throw new UsageError("what is to be done is missing, expected translate, align or models");
  if (command === "models") return checkManage(rest);
  if (!Object.hasOwn(commands, command)) throw new UsageError(`there is no command "${command}", expected translate, align or models`);
  if (from === undefined || to === undefined) throw new UsageError(`--${from === undefined ? "from" : "to"} is missing, expected a language like en`);
  if (beam !== undefined && !/^([1-9]|1[0-6])$/.test(beam)) throw new UsageError(`--beam is ${beam}, expected a whole number from 1 to 16`);
  if (workers !== undefined && !/^([1-9]|[1-5]\d|6[0-4])$/.test(workers)) {
    throw new UsageError(`--workers is ${workers}, expected a whole number from 1 to 64`);
  }
  if (command === "align" && rest.length !== 0 && rest.length !== 2) {
    throw new UsageError(`align has ${rest.length} texts, expected a source and a target, or none`);
  }
  const foreign = ["align", "html", "beam"].find((name) => given[name] !== undefined);
  if (command === "align" && foreign) throw new UsageError(`align has no --${foreign}`);
  const [one, other] = ["html", "align", "json"].filter((name) => given[name]);
  if (other) throw new UsageError(`--${one} and --${other} exclude each other`);
}

/** Ended by line feeds only, so that there is a line out for each line in. */
async function* lines(input) {
  if (fstatSync(0).isDirectory()) throw new Error("standard input is a directory, expected text"); // which Node takes for an empty one
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let rest = "";
  for await (const bytes of input) {
    const [first, ...more] = decoder.decode(bytes, { stream: true }).split("\n");
    rest += first;
    for (const next of more) {
      yield rest.replace(/\r$/, "");
      rest = next;
    }
  }
  rest += decoder.decode();
  if (rest !== "") yield rest.replace(/\r$/, "");
}

async function main(args) {
  const given = parse(args);
  if (given.help) return print(help.trimEnd());
  if (given.version) {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    return print(version);
  }
  check(given);
  const { command, rest, from, to, model, base } = given;
  const workers = Number(given.workers ?? 1);
  setModelBase(base);
  if (command === "models") return manage[rest[0] ?? "list"](rest.slice(1), given);
  const translator = await Translator.create({
    sourceLanguage: from,
    targetLanguage: to,
    workers,
    // A folder may have a model's name.
    model: model !== undefined && statSync(model, { throwIfNoEntry: false })?.isFile() ? pathToFileURL(model) : model,
  });
  if (given.html && rest.length === 0) rest.push((await readAll(process.stdin)).replace(/\n$/, ""));
  if (rest.length > 0) return print(await commands[command](translator, command === "align" ? rest : [rest.join(" ")], given));
  const answer = async (line, number) => {
    try {
      return await commands[command](translator, texts[command](line), given);
    } catch (error) {
      throw new Error(`standard input, line ${number}: ${error.message}`, { cause: error });
    }
  };
  let number = 0;
  // As many lines at a time as there are workers, and their answers in the order of the lines.
  let printed = Promise.resolve();
  const running = [];
  for await (const line of lines(process.stdin)) {
    printed = Promise.all([answer(line, ++number), printed]).then(([text]) => print(text));
    printed.catch(() => {}); // it is told below
    running.push(printed);
    if (running.length >= workers) await running.shift();
  }
  await printed;
}

function fail(message) {
  process.stderr.write(`softalign: ${message}\n`);
  process.exit(1);
}

process.stdout.on("error", (error) => {
  // Whoever reads has read enough, as head does.
  if (error.code === "EPIPE") process.exit(0);
  fail(`standard output: ${error.message}`);
});

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`softalign: ${error.message}\n`);
  if (error instanceof UsageError) process.stderr.write("Try softalign --help.\n");
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
