// Marian's student models beside Bergamot, which Firefox has its engine from: one thread, in one run, in turns; medians of the
// rounds and their ratio.
//
//   mkdir FOLDER && cd FOLDER && npm init -y && npm install @browsermt/bergamot-translator@0.4.9
//   node tests/bench/marian.mjs [--chromium | --workers 1] [--rounds 5] FOLDER WEIGHTS.bin VOCABULARY.spm SHORTLIST.bin SENTENCES.txt
//
// SENTENCES has a sentence a line, and each is one sentence to both. In the Node that runs this, a process for each measurement, in
// processor time; or in Chromium, a browser for each, by the clock. Bergamot is called as its users call it, but without its worker,
// which Node 20 does not start; and its integer products are the portable ones that it brings, as Firefox alone has others. Of
// weights in float32 the products are in float32, too. Several workers are as many processes at the same time, each with all the
// sentences: then it is by the clock, and a sentence's time is that of one process divided by their number.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import * as engines from "./marian-engines.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { chromium: { type: "boolean" }, workers: { type: "string", default: "1" }, rounds: { type: "string", default: "5" }, only: { type: "string" } },
});
const [folder, weights, vocabulary, shortlist, sentences] = positionals;
if (!sentences) {
  console.log("usage: node marian.mjs [--chromium | --workers N] [--rounds N] FOLDER WEIGHTS VOCABULARY SHORTLIST SENTENCES; see the top of this file");
  process.exit(2);
}
const open = { softalign: "openSoftalign", bergamot: "openBergamot" };
const batches = [1, 8];
const workers = Number(options.workers);
const texts = readFileSync(sentences, "utf8").trimEnd().split("\n");
const precision = weights.includes("f32") ? "float32" : "int8shiftAlphaAll";
const root = fileURLToPath(new URL("../..", import.meta.url));
const worker = join(folder, "node_modules/@browsermt/bergamot-translator/worker");
const bergamot = { glue: join(worker, "bergamot-translator-worker.js"), wasm: join(worker, "bergamot-translator-worker.wasm") };
const files = { weights, vocabulary, shortlist };

/** In a process of its own, which says the result. */
async function measureHere(name) {
  const bytes = Object.fromEntries(Object.entries(files).map(([what, path]) => [what, readFileSync(path)]));
  const where = { dist: new URL("../../dist/index.js", import.meta.url), glue: readFileSync(bergamot.glue, "utf8"), wasm: readFileSync(bergamot.wasm), precision };
  const processorTime = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1000;
  const clock = workers > 1 ? () => performance.now() : processorTime;
  console.log(JSON.stringify(await engines.measure(() => engines[open[name]](bytes, where), texts, batches, clock)));
  process.exit(0);
}

async function measureInNode(name) {
  const args = [fileURLToPath(import.meta.url), "--only", name, "--workers", options.workers, ...positionals];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout.split("\n").findLast((line) => line.startsWith("{")));
}

async function measureInChromium(name) {
  const [{ launch }, { serve }] = await Promise.all([import("../web/browser.mjs"), import("../web/server.mjs")]);
  const server = await serve(root);
  const browser = await launch();
  try {
    server.answers.set(/^\/empty$/, (response) => response.writeHead(200, { "content-type": "text/html" }).end());
    for (const path of [...Object.values(files), ...Object.values(bergamot)]) {
      server.answers.set(new RegExp(`^/given/${basename(path)}$`), (response) => response.writeHead(200).end(readFileSync(path)));
    }
    server.answers.set(/^\/engines.mjs$/, (response) =>
      response.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(join(dirname(fileURLToPath(import.meta.url)), "marian-engines.mjs"))));
    const page = await browser.newPage();
    await page.goto(`${server.url}empty`);
    const given = (paths) => Object.fromEntries(Object.entries(paths).map(([what, path]) => [what, `/given/${basename(path)}`]));
    return await page.evaluate(async ({ opener, files, bergamot, precision, texts, batches }) => {
      const { measure, ...engines } = await import("/engines.mjs");
      const bytes = async (address) => new Uint8Array(await (await fetch(address)).arrayBuffer());
      const all = Object.fromEntries(await Promise.all(Object.entries(files).map(async ([what, address]) => [what, await bytes(address)])));
      const where = { dist: "/dist/index.js", glue: await (await fetch(bergamot.glue)).text(), wasm: await bytes(bergamot.wasm), precision };
      return measure(() => engines[opener](all, where), texts, batches, () => performance.now());
    }, { opener: open[name], files: given(files), bergamot: given(bergamot), precision, texts, batches });
  } finally {
    await browser.close();
    server.close();
  }
}

async function compare() {
  const times = {};
  for (let round = 0; round < Number(options.rounds); ++round) {
    for (const name of Object.keys(open)) {
      const results = await Promise.all(Array.from({ length: workers }, () => (options.chromium ? measureInChromium : measureInNode)(name)));
      for (const what of Object.keys(results[0])) {
        const mean = results.reduce((sum, result) => sum + result[what], 0) / workers;
        ((times[what] ??= {})[name] ??= []).push(what.startsWith("batch") ? mean / workers : mean);
      }
    }
  }
  console.log(`| median of ${options.rounds} rounds | softalign | Bergamot | ratio | of the fastest rounds |\n|---|---|---|---|---|`);
  const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];
  const names = { "batch 1": "one by one, ms a sentence", "batch 8": "eight at once, ms a sentence", cold: "bytes to first sentence, ms", heap: "memory, MiB" };
  for (const [what, name] of Object.entries(names)) {
    const { softalign, bergamot } = times[what];
    const ratio = (statistic) => (statistic(bergamot) / statistic(softalign)).toFixed(2);
    const rounded = (all) => (median(all) >= 100 ? median(all).toFixed() : median(all).toPrecision(3));
    const cells = [rounded(softalign), rounded(bergamot), ratio(median), ratio((all) => Math.min(...all))];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}

await (options.only ? measureHere(options.only) : compare());
