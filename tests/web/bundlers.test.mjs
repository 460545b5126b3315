// The packed package in a stranger's project, bundled by what people use, and run in Chromium from its own server.
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import nodeResolve from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import { build as vite } from "vite";
import webpack from "webpack";
import { Installed } from "../package/installed.mjs";
import { fromRoot, launch, watch } from "./browser.mjs";
import { serve } from "./server.mjs";
import { classicWorker, layOut, moduleWorker, page, program, startsModuleWorker, translation, unbundled } from "./stranger.mjs";

// For browsers that all have import.meta.resolve Parcel writes an import map into the page, which a policy that comes as a header
// refuses. Chrome has it from 105 on.
const forParcel = JSON.stringify({ browserslist: "chrome >= 100, firefox >= 114, safari >= 16" });

describe("the package works", () => {
  let installed, browser, expected;
  before(async () => {
    installed = await Installed.install();
    expected = await translation(installed);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    await installed?.remove();
  });

  /** A project of its own beside the installed package: its files, and where it is to be built. */
  function project(name, files) {
    const folder = installed.path(name);
    mkdirSync(join(folder, "out"), { recursive: true });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    return { main: join(folder, "main.js"), folder, out: join(folder, "out") };
  }

  /** Bundlers that leave `new URL(..., import.meta.url)` alone want the files beside the bundle. */
  function copyAssets(out) {
    const dist = installed.path("node_modules", "softalign", "dist");
    for (const file of ["softalign.wasm", "worker.js"]) cpSync(join(dist, file), join(out, file));
    cpSync(join(dist, "models"), join(out, "models"), { recursive: true });
  }

  async function translates(folder, shown = () => document.title) {
    const server = await serve(folder);
    server.answers.set(/favicon\.ico$/, (response) => response.writeHead(204).end());
    const context = await browser.newContext();
    try {
      const tab = await context.newPage();
      const complaints = watch(tab);
      let workers = 0;
      tab.on("worker", () => ++workers);
      await tab.goto(server.url);
      await tab.waitForFunction(shown, null, { timeout: 60_000 }).catch(() => {});
      assert.deepEqual(complaints, []);
      assert.equal(workers, 1, "the package's, or the page's own");
      assert.equal(await tab.evaluate(shown), expected);
    } finally {
      await context.close();
      server.close();
    }
  }

  test("bundled by Vite", async () => {
    const { folder, out } = project("vite", { "main.js": program, "index.html": page("/main.js") });
    await vite({ root: folder, configFile: false, logLevel: "warn", build: { outDir: out, assetsInlineLimit: 0, target: "es2022" } });
    await translates(out);
  });

  test("bundled by Vite, in a worker", async () => {
    const { folder, out } = project("vite-worker", { "main.js": startsModuleWorker, "worker.js": moduleWorker(), "index.html": page("/main.js") });
    await vite({
      root: folder, configFile: false, logLevel: "warn", worker: { format: "es" },
      build: { outDir: out, assetsInlineLimit: 0, target: "es2022" },
    });
    await translates(out);
  });

  test("bundled by Vite, its files on another origin", async () => {
    const { folder, out } = project("vite-cdn", { "main.js": program, "index.html": '<title></title><script type="module" src="/main.js"></script>' });
    const cdn = await serve(out, { "access-control-allow-origin": "*" });
    try {
      await vite({ root: folder, base: cdn.url, configFile: false, logLevel: "warn", build: { outDir: out, target: "es2022" } });
      const site = project("vite-cdn-site", { "index.html": readFileSync(join(out, "index.html")) });
      await translates(site.folder);
    } finally {
      cdn.close();
    }
  });

  for (const [name, files] of Object.entries({
    webpack: { "main.js": program },
    "webpack-worker": { "main.js": startsModuleWorker, "worker.js": moduleWorker() },
  })) {
    test(`bundled by ${name.replace("-", ", in a ")}`, async () => {
      const { folder, main, out } = project(name, files);
      const stats = await new Promise((resolve, reject) => {
        const options = { mode: "production", context: folder, entry: main, output: { path: out, filename: "main.js" }, performance: false };
        webpack(options, (error, result) => (error ? reject(error) : resolve(result)));
      });
      assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }), { errors: [], warnings: [] });
      writeFileSync(join(out, "index.html"), page("main.js"));
      await translates(out);
    });
  }

  test("bundled by esbuild", async () => {
    const { main, out } = project("esbuild", { "main.js": program });
    const { warnings } = await esbuild.build({ entryPoints: [main], bundle: true, minify: true, format: "esm", outdir: out, logLevel: "silent" });
    assert.deepEqual(warnings, []);
    copyAssets(out);
    writeFileSync(join(out, "index.html"), page("main.js"));
    await translates(out);
  });

  test("bundled by Rollup", async () => {
    const { main, out } = project("rollup", { "main.js": program });
    const warnings = [];
    const bundle = await rollup({ input: main, plugins: [nodeResolve()], onLog: (_, log) => warnings.push(log.message) });
    await bundle.write({ dir: out, format: "es" });
    assert.deepEqual(warnings, []);
    copyAssets(out);
    writeFileSync(join(out, "index.html"), page("main.js"));
    await translates(out);
  });

  for (const [name, files] of Object.entries({
    Parcel: { "main.js": program },
    // It makes classic workers of all workers, since by its table Firefox and Safari have no others.
    "Parcel, in a worker": { "main.js": startsModuleWorker, "worker.js": classicWorker("softalign") },
  })) {
    test(`bundled by ${name}`, async () => {
      const { folder, out } = project(name, { ...files, "index.html": page("main.js"), "package.json": forParcel });
      const cli = fromRoot("tests/node_modules/parcel/lib/bin.js");
      const args = ["build", "index.html", "--dist-dir", "out", "--no-cache", "--no-source-maps"];
      await promisify(execFile)(process.execPath, [cli, ...args], { cwd: folder });
      assert.doesNotMatch(readFileSync(join(out, "index.html"), "utf8"), /importmap/);
      await translates(out);
    });
  }

  for (const [name, files] of Object.entries(unbundled)) {
    test(`without a bundler, ${name}`, () => translates(layOut(installed, name, files)));
  }

  /** A copy of one of the examples, beside the installed package. */
  function example(name) {
    const folder = installed.path("examples", name);
    cpSync(fromRoot(`examples/${name}`), folder, { recursive: true });
    const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
    const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    assert.equal(dependencies.softalign, `^${version}`);
    return folder;
  }
  const typed = () => {
    const { value } = document.querySelector("output");
    return value.startsWith("Loading") ? "" : value;
  };

  test("in the example for Node", () => {
    const out = execFileSync(process.execPath, ["align.mjs", "I am cold."], { cwd: example("node"), encoding: "utf8" });
    const [translation, ...links] = out.trimEnd().split("\n");
    assert.equal(translation, expected);
    assert.ok(links.length >= 3);
    for (const link of links) assert.match(link, /^ {2}\S+ <- (I|am|cold|\.)$/);
    const [same, ...without] = execFileSync(process.execPath, ["what-if.mjs", "I am cold."], { cwd: example("node"), encoding: "utf8" }).trimEnd().split("\n");
    assert.equal(same, expected);
    assert.deepEqual(without.map((line) => line.replace(/:.*/, "")), ["I", "am", "cold", "."].map((word) => `  without "${word}"`));
    assert.doesNotMatch(without[2], /froid/);
  });

  test("in the example of a plain page", async () => {
    const folder = example("plain-page");
    cpSync(installed.path("node_modules", "softalign"), join(folder, "node_modules", "softalign"), { recursive: true });
    await translates(folder, typed);
  });

  for (const name of ["vite", "worker"]) {
    test(`in the example ${name}`, async () => {
      const folder = example(name);
      await vite({ root: folder, configFile: false, logLevel: "warn" });
      await translates(join(folder, "dist"), typed);
    });
  }
});
