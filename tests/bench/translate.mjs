// How fast the built package translates under Node: one thread, one sentence after the other, and then all at once.
//
//   node tests/bench/translate.mjs [--model FILE] [--test FILE] [--sentences 500] [--rounds 5] [--beam 1] [--workers 2]
//
// FILE of --test: lines "source<TAB>reference"; by default Tatoeba's test set in ../shared/data,
// where there is one. Prints the median of the rounds, the time until the first translation, and the
// memory in use. With --workers, all at once go also to a translator with so many. On a machine that is busy with other things, look at the rate per second of CPU time.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const { values: options } = parseArgs({
  options: {
    model: { type: "string", default: "" },
    test: { type: "string", default: join(root, "../shared/data/tatoeba-en-fr/test.tsv") },
    sentences: { type: "string", default: "500" },
    rounds: { type: "string", default: "5" },
    beam: { type: "string", default: "1" },
    workers: { type: "string", default: "0" },
  },
});

if (!existsSync(options.test)) {
  console.log(`skipped: ${options.test} is not there; name another file with --test`);
  process.exit(0);
}
const sentences = readFileSync(options.test, "utf8")
  .split("\n")
  .filter((line) => line.includes("\t"))
  .slice(0, Number(options.sentences))
  .map((line) => line.split("\t")[0]);

// The engine's memory is its own affair: catch it as it is made.
let memory;
for (const name of ["instantiate", "instantiateStreaming"]) {
  const original = WebAssembly[name];
  WebAssembly[name] = async (...parameters) => {
    const result = await original(...parameters);
    const { exports } = result.instance ?? result;
    memory = Object.values(exports).find((e) => e instanceof WebAssembly.Memory) ?? memory;
    return result;
  };
}

const started = performance.now();
const { Translator } = await import(new URL("../../dist/index.js", import.meta.url));
const wanted = { sourceLanguage: "en", targetLanguage: "fr", ...(options.model ? { model: readFileSync(options.model) } : {}) };
const translator = await Translator.create(wanted);
const created = performance.now();
await translator.translate(sentences[0]);
const first = performance.now();
console.log(
  `engine and model ready in ${(created - started).toFixed(0)} ms, first translation ${(first - created).toFixed(0)} ms later`,
);

const beam = Number(options.beam);
const workers = Number(options.workers);
const team = workers > 0 ? await Translator.create({ ...wanted, workers, worker: true }) : undefined;
const rates = [];
const ratios = [];
const teamRatios = [];
let cpu = 0;
let heap;
for (let round = 0; round <= Number(options.rounds); ++round) {
  const start = performance.now();
  const used = process.cpuUsage();
  for (const sentence of sentences) await translator.translate(sentence, { beam });
  // The first round is warm-up: Node compiles what runs often a second time, better.
  heap ??= memory?.buffer.byteLength; // before the batches, which need more
  if (round === 0) continue;
  const alone = performance.now() - start;
  rates.push((sentences.length / alone) * 1000);
  const { user, system } = process.cpuUsage(used);
  cpu += user + system;
  const again = performance.now();
  await translator.translate(sentences, { beam });
  ratios.push(alone / (performance.now() - again));
  if (!team) continue;
  const inTeam = performance.now();
  await team.translate(sentences, { beam });
  teamRatios.push(alone / (performance.now() - inTeam));
}
for (const numbers of [rates, ratios, teamRatios]) numbers.sort((a, b) => a - b);
const median = (numbers) => numbers[Math.floor(numbers.length / 2)];
const spread = (numbers) => `${median(numbers).toFixed(2)} times as fast (${numbers[0].toFixed(2)} to ${numbers.at(-1).toFixed(2)})`;
const megabytes = (bytes) => (bytes === undefined ? "?" : (bytes / 2 ** 20).toFixed(0));
console.log(
  `${median(rates).toFixed(0)} sentences/s ` +
    `(${rates[0].toFixed(0)} to ${rates.at(-1).toFixed(0)} in ${rates.length} rounds of ${sentences.length}), ` +
    `${((rates.length * sentences.length * 1e6) / cpu).toFixed(0)} per second of CPU time, ` +
    `beam ${beam}, Node ${process.versions.node}, one thread; ` +
    `WASM heap ${megabytes(heap)} MB, process ${megabytes(process.memoryUsage().rss)} MB`,
);
console.log(`${sentences.length} at once are ${spread(ratios)}, with a heap of ${megabytes(memory?.buffer.byteLength)} MB`);
if (team) console.log(`with workers (${workers}) they are ${spread(teamRatios)}`);
translator.destroy();
team?.destroy();
