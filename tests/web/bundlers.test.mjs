// The packed package in a stranger's project, bundled by what people use, and run in Chromium from its own server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import nodeResolve from "@rollup/plugin-node-resolve";
import * as esbuild from "esbuild";
import { rollup } from "rollup";
import { build as vite } from "vite";
import webpack from "webpack";
import { Installed } from "../package/installed.mjs";
import { fromRoot, launch, watch } from "./browser.mjs";
import { serve } from "./server.mjs";

const program = `
  import { Translator } from "softalign";
  const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
  const html = await translator.translate("<b>I am cold.</b>", { html: true });
  document.title = html.slice(3, -4);
  translator.destroy();
`;
const inWorker = `
  import { Translator } from "softalign";
  const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
  const html = await translator.translate("<b>I am cold.</b>", { html: true });
  self.postMessage(html.slice(3, -4));
`;
const startsWorker = `
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => (document.title = data));
  worker.addEventListener("error", ({ message }) => console.error(message));
`;
/** A page under a strict policy; `scripts` names what else it allows, `head` is what that is for. */
const page = (src, scripts = "", head = "") => `<!doctype html>
  <meta http-equiv="Content-Security-Policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval' ${scripts}">
  <title></title>
  ${head}<script type="module" src="${src}"></script>`;

describe("the package works", () => {
  let installed, browser, expected;
  before(async () => {
    installed = await Installed.install();
    const { Translator } = await installed.import();
    const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
    expected = await translator.translate("I am cold.");
    translator.destroy();
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
    cpSync(join(dist, "softalign.wasm"), join(out, "softalign.wasm"));
    cpSync(join(dist, "models"), join(out, "models"), { recursive: true });
  }

  async function translates(folder, shown = () => document.title) {
    const server = await serve(folder);
    server.answers.set(/favicon\.ico$/, (response) => response.writeHead(204).end());
    const context = await browser.newContext();
    try {
      const tab = await context.newPage();
      const complaints = watch(tab);
      await tab.goto(server.url);
      await tab.waitForFunction(shown, null, { timeout: 60_000 }).catch(() => {});
      assert.deepEqual(complaints, []);
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
    const { folder, out } = project("vite-worker", { "main.js": startsWorker, "worker.js": inWorker, "index.html": page("/main.js") });
    await vite({
      root: folder, configFile: false, logLevel: "warn", worker: { format: "es" },
      build: { outDir: out, assetsInlineLimit: 0, target: "es2022" },
    });
    await translates(out);
  });

  for (const [name, files] of Object.entries({
    webpack: { "main.js": program },
    "webpack-worker": { "main.js": startsWorker, "worker.js": inWorker },
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

  test("without a bundler, by an import map", async () => {
    const { out } = project("import-map", {});
    cpSync(installed.path("node_modules", "softalign", "dist"), join(out, "softalign"), { recursive: true });
    // An import map stands in the page itself, which the strict policy allows by its hash.
    const map = '{ "imports": { "softalign": "./softalign/index.js" } }';
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(map));
    const hash = `'sha256-${Buffer.from(digest).toString("base64")}'`;
    writeFileSync(join(out, "index.html"), page("main.js", hash, `<script type="importmap">${map}</script>`));
    writeFileSync(join(out, "main.js"), program);
    await translates(out);
  });

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
