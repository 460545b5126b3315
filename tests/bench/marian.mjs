// Marian's student models beside Bergamot, which Firefox has its engine from: one thread, in one run, in turns; medians of the
// rounds and their ratio, in processor time.
//
//   mkdir FOLDER && cd FOLDER && npm init -y && npm install @browsermt/bergamot-translator@0.4.9
//   node tests/bench/marian.mjs FOLDER WEIGHTS.bin VOCABULARY.spm SHORTLIST.bin SENTENCES.txt [ROUNDS, default 5]
//
// SENTENCES has a sentence a line, and each is one sentence to both. Bergamot is called as its users call it, but without its
// worker, which Node 20 does not start; and its integer products are the portable ones that it brings, as Firefox alone has others.
// Of weights in float32 the products are in float32, too.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const [folder, weights, vocabulary, shortlist, sentences, rounds = "5", engine] = process.argv.slice(2);
if (!sentences) {
  console.log("usage: node marian.mjs FOLDER WEIGHTS VOCABULARY SHORTLIST SENTENCES [ROUNDS]; see the top of this file");
  process.exit(2);
}
const batches = [1, 8];
const maxLengthFactor = 1;
const processorTime = () => Object.values(process.cpuUsage()).reduce((a, b) => a + b) / 1000;
const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];

/** `open` makes a model of bytes and answers with what translates a list of texts, and with how large its memory is. */
async function measure(open) {
  const files = [weights, vocabulary, shortlist].map((path) => readFileSync(path));
  const texts = readFileSync(sentences, "utf8").trimEnd().split("\n");
  const started = performance.now();
  const { translate, heap } = await open(...files);
  const first = await translate(texts.slice(0, 1));
  const result = { cold: performance.now() - started, output: first };
  for (const size of batches) {
    const run = async () => {
      for (let i = 0; i < texts.length; i += size) await translate(texts.slice(i, i + size));
    };
    await run();
    const before = processorTime();
    await run();
    result[`batch ${size}`] = (processorTime() - before) / texts.length;
    result.heap ??= heap() / 2 ** 20;
  }
  console.log(JSON.stringify(result));
  process.exit(0);
}

const engines = {
  async softalign(model, spm, lex) {
    const { Translator, engineStatus } = await import(new URL("../../dist/index.js", import.meta.url));
    const languages = { sourceLanguage: "en", targetLanguage: "fr" };
    const translator = await Translator.create({ ...languages, maxLengthFactor, model: { weights: model, vocabulary: spm, shortlist: lex } });
    return {
      translate: (texts) => translator.translate(texts.length === 1 ? texts[0] : texts),
      heap: () => engineStatus().heapBytes,
    };
  },

  async bergamot(model, spm, lex) {
    const worker = join(folder, "node_modules/@browsermt/bergamot-translator/worker");
    const wasm = readFileSync(join(worker, "bergamot-translator-worker.wasm"));
    const names = ["prepare_a", "prepare_b", "prepare_b_from_transposed", "prepare_b_from_quantized_transposed", "prepare_bias", "multiply_and_add_bias", "select_columns_of_b"];
    let memory;
    const module = await new Promise((resolve, reject) => {
      const Module = {
        instantiateWasm(imports, done) {
          memory = imports.env.memory;
          let exports;
          const products = names.map((name) => {
            const inside = `int8${name.split("_").map((part) => part[0].toUpperCase() + part.slice(1)).join("")}Fallback`;
            return [`int8_${name}`, (...args) => exports[inside](...args)];
          });
          WebAssembly.instantiate(wasm, { ...imports, wasm_gemm: Object.fromEntries(products) }).then(({ instance }) => {
            exports = instance.exports;
            done(instance);
          }, reject);
          return {};
        },
        onRuntimeInitialized: () => resolve(Module),
      };
      const glue = readFileSync(join(worker, "bergamot-translator-worker.js"), "utf8");
      globalThis.Module = Module;
      (0, eval)(glue.replace(/^var Module\s*=[^;]*;/m, "var Module = globalThis.Module;"));
    });
    const aligned = (bytes, alignment) => {
      const memory = new module.AlignedMemory(bytes.length, alignment);
      memory.getByteArrayView().set(bytes);
      return memory;
    };
    const vocabularies = new module.AlignedMemoryList();
    vocabularies.push_back(aligned(spm, 64));
    const precision = weights.includes("f32") ? "float32" : "int8shiftAlphaAll";
    const options = { "beam-size": 1, normalize: 1, "word-penalty": 0, "max-length-break": 128, "mini-batch-words": 1024, workspace: 128, "max-length-factor": maxLengthFactor, "skip-cost": true, "cpu-threads": 0, quiet: true, "quiet-translation": true, "gemm-precision": precision, alignment: "soft" };
    const yaml = Object.entries(options).map(([name, value]) => `${name}: ${value}\n`).join("");
    const service = new module.BlockingService({ cacheSize: 0 });
    const translation = new module.TranslationModel(yaml, aligned(model, 256), aligned(lex, 64), vocabularies, null);
    return {
      translate(texts) {
        const input = new module.VectorString();
        const settings = new module.VectorResponseOptions();
        for (const text of texts) {
          input.push_back(text);
          settings.push_back({ qualityScores: false, alignment: false, html: false });
        }
        const responses = service.translate(translation, input, settings);
        const output = texts.map((_, i) => responses.get(i).getTranslatedText());
        for (const object of [input, settings, responses]) object.delete();
        return output;
      },
      heap: () => memory.buffer.byteLength,
    };
  },
};

async function compare() {
  const times = {};
  for (let round = 0; round < Number(rounds); ++round) {
    for (const name of Object.keys(engines)) {
      const { stdout } = await promisify(execFile)(process.execPath, [fileURLToPath(import.meta.url), folder, weights, vocabulary, shortlist, sentences, rounds, name]);
      const result = JSON.parse(stdout.split("\n").findLast((line) => line.startsWith("{")));
      for (const [what, value] of Object.entries(result)) ((times[what] ??= {})[name] ??= []).push(value);
    }
  }
  console.log(`| median of ${rounds} rounds | softalign | Bergamot | ratio | of the fastest rounds |\n|---|---|---|---|---|`);
  const names = { "batch 1": "one by one, ms a sentence", "batch 8": "eight at once, ms a sentence", cold: "bytes to first sentence, ms", heap: "memory, MiB" };
  for (const [what, name] of Object.entries(names)) {
    const { softalign, bergamot } = times[what];
    const ratio = (statistic) => (statistic(bergamot) / statistic(softalign)).toFixed(2);
    const rounded = (all) => (median(all) >= 100 ? median(all).toFixed() : median(all).toPrecision(3));
    const cells = [rounded(softalign), rounded(bergamot), ratio(median), ratio((all) => Math.min(...all))];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}

await (engine ? measure(engines[engine]) : compare());
