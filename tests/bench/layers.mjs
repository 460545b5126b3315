// Single layers beside onnxruntime-web and tfjs-wasm: one thread, in one run, in turns; medians of the rounds, and the ratio
// of the fastest rounds too: on a machine shared with others, a round may be one and a half times slower than the next.
//
//   mkdir FOLDER && cd FOLDER && npm init -y && npm install onnxruntime-web @tensorflow/tfjs @tensorflow/tfjs-backend-wasm
//   python3 tests/bench/peer_models.py FOLDER      (Debian's python3-onnx)
//   node tests/bench/layers.mjs FOLDER [ROUNDS, default 5]
//
// Of the two, those are compared that FOLDER has. Ours is layers.cc, compiled to WebAssembly (see there): the layers themselves, without the copies that the package's
// classes make. onnxruntime-web and tfjs are called as their users call them.
import { execFile } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";

const [folder, rounds = "5", library] = process.argv.slice(2);
const here = fileURLToPath(import.meta.url);
const program = join(dirname(here), "..", "..", "build/wasm/tests/softalign_bench_layers.js");
const seconds = 0.4;

const median = (all) => [...all].sort((a, b) => a - b)[all.length >> 1];

/** Milliseconds of one call, once the engine has compiled it well: V8 takes a few calls to find out that it should. */
async function measure(name, body) {
  const warm = performance.now() + 1000 * seconds;
  for (let calls = 0; calls < 4 || performance.now() < warm; ++calls) await body();
  const all = [];
  for (const end = performance.now() + 1000 * seconds; performance.now() < end; ) {
    const start = performance.now();
    await body();
    all.push(performance.now() - start);
  }
  console.log(JSON.stringify({ case: name, ms: median(all) }));
}

async function onnxruntime() {
  const path = join(folder, "node_modules/onnxruntime-web/dist/ort.node.min.mjs");
  const { default: ort } = await import(pathToFileURL(path).href);
  ort.env.wasm.numThreads = 1;
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".onnx"))) {
    const session = await ort.InferenceSession.create(readFileSync(join(folder, file)), {
      executionProviders: ["wasm"],
      graphOptimizationLevel: "all",
    });
    const shape = session.inputMetadata[0].shape;
    const data = Float32Array.from({ length: shape.reduce((a, b) => a * b) }, () => Math.random() - 0.5);
    const x = new ort.Tensor("float32", data, shape);
    await measure(file.replace(/\.onnx$/, ""), () => session.run({ x }));
    await session.release();
  }
}

async function tfjs() {
  const require = createRequire(join(folder, "package.json"));
  const tf = require("@tensorflow/tfjs");
  const wasm = require("@tensorflow/tfjs-backend-wasm");
  wasm.setThreadsCount(1);
  wasm.setWasmPaths(join(folder, "node_modules/@tensorflow/tfjs-backend-wasm/dist/"));
  await tf.setBackend("wasm");
  const random = (...shape) => tf.randomNormal(shape, 0, 0.05);
  // Nothing is returned to tidy, which would look for tensors in every number of it.
  const run = (name, body) => measure(name, () => tf.tidy(() => void body().dataSync()));
  for (const [name, m, k, n] of [["gemv 512x512", 1, 512, 512], ["gemm 32x512x2048", 32, 512, 2048], ["gemm 512x512x512", 512, 512, 512]]) {
    const [a, b] = [random(m, k), random(k, n)];
    await run(name, () => tf.matMul(a, b));
  }
  for (const kind of ["gru", "lstm"]) {
    const model = tf.sequential({ layers: [tf.layers[kind]({ units: 512, returnSequences: true, inputShape: [32, 512] })] });
    const x = random(1, 32, 512);
    await run(`${kind.toUpperCase()} 32 steps, 512`, () => model.predict(x));
  }
  const [q, k, v, o] = Array.from({ length: 4 }, () => ({ weight: random(512, 512), bias: random(512) }));
  const dense = (x, { weight, bias }) => tf.add(tf.matMul(x, weight), bias);
  const heads = (x) => x.reshape([64, 8, 64]).transpose([1, 0, 2]);
  const x = random(64, 512);
  await run("multi-head attention 64x512, 8 heads", () => {
    const scores = tf.mul(tf.matMul(heads(dense(x, q)), heads(dense(x, k)), false, true), 1 / 8);
    const context = tf.matMul(tf.softmax(scores), heads(dense(x, v)));
    return dense(context.transpose([1, 0, 2]).reshape([64, 512]), o);
  });
  const logits = random(64, 32000);
  await run("softmax 64x32000", () => tf.softmax(logits));
}

async function compare() {
  if (!folder || !existsSync(program)) {
    console.log(`usage: node layers.mjs FOLDER [ROUNDS]; see the top of this file${existsSync(program) ? "" : `; ${program} is not there`}`);
    process.exit(2);
  }
  const has = (name) => existsSync(join(folder, "node_modules", name));
  const libraries = {
    softalign: [program],
    ...(has("onnxruntime-web") && { "onnxruntime-web": [here, folder, rounds, "onnxruntime"] }),
    ...(has("@tensorflow/tfjs") && { "tfjs-wasm": [here, folder, rounds, "tfjs"] }),
  };
  const times = {};
  for (let round = 0; round < Number(rounds); ++round) {
    for (const [name, command] of Object.entries(libraries)) {
      const { stdout } = await promisify(execFile)(process.execPath, command, { maxBuffer: 1 << 24 });
      for (const line of stdout.split("\n").filter((line) => line.startsWith("{"))) {
        const { case: of, ms, mflop } = JSON.parse(line);
        const row = (times[of] ??= {});
        (row[name] ??= []).push(ms);
        if (mflop) row.mflop = mflop;
      }
    }
  }
  const others = Object.keys(libraries).slice(1);
  console.log(`| ms, median of ${rounds} rounds | ${["softalign", "GFLOP/s", ...others, "best other / ours", "of the fastest rounds"].join(" | ")} |`);
  console.log(`|---|---|---|${"---|".repeat(others.length + 2)}`);
  for (const [name, row] of Object.entries(times)) {
    const of = (statistic) => Object.keys(libraries).map((library) => statistic(row[library]));
    const ratio = ([ours, ...theirs]) => (Math.min(...theirs) / ours).toFixed(2);
    const medians = of(median);
    const speed = row.mflop ? (row.mflop / medians[0]).toFixed(0) : "";
    const [ours, ...theirs] = medians.map((ms) => ms.toPrecision(3));
    const cells = [ours, speed, ...theirs, ratio(medians), ratio(of((all) => Math.min(...all)))];
    console.log(`| ${name} | ${cells.join(" | ")} |`);
  }
}

await { onnxruntime, tfjs }[library]?.();
if (!library) await compare();
