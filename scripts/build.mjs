// Builds the package (dist/) and the page (build/web). Alone: npm run build
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { publishModels } from "./models.mjs";
import { setUp } from "./setup.mjs";
import { ask, inRoot, main, run, runNinja, stage, Stop } from "./terminal.mjs";

/** Configures a CMake preset if that was not done yet. Ninja repeats it when a CMake file changes. */
async function configure(preset) {
  const folder = inRoot("build", preset);
  // A tree of another compiler, or one that was moved here, cannot be used again.
  const [compiler, config] = preset === "wasm" ? ["emcc", process.env.EM_CONFIG ?? ""] : ["c++", ""];
  const identity = [ask(compiler, ["--version"])?.split("\n")[0], config, inRoot()].join("\n");
  const stamp = join(folder, ".configured-for");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === identity) return;

  rmSync(folder, { recursive: true, force: true });
  console.log(`  configuring ${folder}`);
  const command = ["cmake", "--preset", preset, "--log-level=WARNING"];
  if (preset === "wasm") command.unshift("emcmake");
  await run(command[0], command.slice(1), { onLine: () => {} });
  writeFileSync(stamp, identity);
}

/** Builds targets of a preset, by default everything. */
export async function compile(preset, ...targets) {
  await configure(preset);
  await runNinja(inRoot("build", preset), targets);
}

const tsc = (...args) => run(process.execPath, [inRoot("node_modules/typescript/bin/tsc"), ...args]);

/** dist/: the engine, the TypeScript facade, and all models with their cards, of which package.json leaves some out of the tarball. */
export async function buildPackage() {
  const dist = inRoot("dist");
  rmSync(dist, { recursive: true, force: true });
  await tsc("-p", "bindings/js");
  const relaxed = readFileSync(inRoot("build/wasm/softalign_relaxed.wasm"));
  writeFileSync(join(dist, "relaxed-module.js"), `export default ${JSON.stringify(relaxed.toString("base64"))};\n`);
  cpSync(inRoot("build/wasm/softalign.wasm"), join(dist, "softalign.wasm"));
  // Not .mjs in the browser's part: many servers do not know that as JavaScript.
  const glue = join(dist, "softalign.js");
  await toJavaScript({ entryPoints: [inRoot("build/wasm/softalign.mjs")], outfile: glue, minify: true });
  const worker = join(dist, "worker.js");
  await bundleWorker(worker);
  const modules = readdirSync(dist, { recursive: true }).filter((name) => name.endsWith(".js")).map((name) => join(dist, name));
  for (const path of modules) if (path !== glue && path !== worker) await makeTerse(path);
  await bundleParser(dist);
  dropInternalDeclarations(dist);
  await toJavaScript({ entryPoints: [inRoot("bindings/cli/softalign.mjs")], outfile: join(dist, "cli.mjs"), minifyWhitespace: true });
  cpSync(inRoot("bindings/js/THIRD-PARTY.txt"), join(dist, "THIRD-PARTY.txt"));
  publishModels(join(dist, "models"));
  const manifest = readFileSync(inRoot("models/manifest.json"), "utf8");
  writeFileSync(join(dist, "manifest.js"), `export default ${JSON.stringify(JSON.parse(manifest))};\n`);
}

/**
 * The comments are in the declarations and need not be downloaded, but for those that bundlers read. Functions and classes keep their
 * names, for who reads a stack.
 */
async function makeTerse(path) {
  const { minify } = await import("terser");
  const { code } = await minify(readFileSync(path, "utf8"), {
    parse: { module: true }, ecma: 2022, // not `module`, which shortens the names of the outermost level
    mangle: { keep_classnames: true },
    compress: { keep_classnames: true, passes: 2 },
    format: { comments: /@vite-ignore|webpackIgnore/ },
  });
  writeFileSync(path, code);
}

/** One script that imports nothing, so that a copy of it works anywhere: it is told where softalign.wasm is. */
async function bundleWorker(path) {
  await toJavaScript({
    entryPoints: [path], outfile: path, bundle: true, minify: true, format: "iife", logLevel: "warning",
    // Threads of Node have no location, nor need they one.
    define: { "import.meta.url": "ownAddress" }, banner: { js: "const ownAddress=globalThis.location?.href;" },
  });
}

/** Leaves the declarations that an importer can see: those of the entries, and what they name. */
function dropInternalDeclarations(dist) {
  const seen = new Set();
  const see = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, name] of text.matchAll(/(?:from|import\() ?"(\.[^"]+)\.js"/g)) see(join(dirname(path), `${name}.d.ts`));
  };
  for (const entry of ["index.d.ts", "manage-models.d.ts"]) see(join(dist, entry));
  for (const name of readdirSync(dist, { recursive: true })) {
    if (name.endsWith(".d.ts") && !seen.has(join(dist, name))) rmSync(join(dist, name));
  }
}

async function toJavaScript(options) {
  const { build } = await import("esbuild"); // not before set-up has installed it
  return build({ absWorkingDir: inRoot(), format: "esm", target: "es2022", legalComments: "none", allowOverwrite: true, ...options });
}

/** Names that parse5 has for itself, the longest and most frequent of them: shortened, they save 22 kB. */
const ownNames = new RegExp(
  "^(_.*|openElements|activeFormattingElements|(originalI|i)nsertionMode|tmplInsertionModeStack|treeAdapter|fragmentContext|" +
    "preprocessor|current(Character)?Token|currentTagId|emitCurrentDoctype|popUntilTagNamePopped|pendingCharacterTokens)$",
);

/** Puts the HTML parser into the package, in a module that is loaded for HTML only, with the notices that its licences ask for. */
async function bundleParser(dist) {
  const { metafile } = await toJavaScript({
    entryPoints: ["bindings/js/html/parse5.ts"], outfile: join(dist, "html/parse5.js"),
    bundle: true, minify: true, mangleProps: ownNames, metafile: true,
  });
  const folders = new Set(Object.keys(metafile.inputs).flatMap((path) => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []));
  const notices = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(inRoot(folder, "package.json"), "utf8"));
    return `${name} ${version}\n\n${readFileSync(inRoot(folder, "LICENSE"), "utf8").trim()}\n`;
  });
  writeFileSync(join(dist, "html/THIRD-PARTY.txt"), `parse5.js is made of:\n\n${notices.join("\n\n")}`);
}

export async function buildPage() {
  await tsc("-p", "web");
  await tsc("-p", "web/src/offline");
  await run(process.execPath, [inRoot("node_modules/vite/bin/vite.js"), "build", "--config", "web/vite.config.ts", "--logLevel", "warn"]);
}

const engineLimit = 350e3;
/** What is not downloaded to translate: the command, and what `softalign/models` exports. */
const apart = ["cli.mjs", "manage-models.js"];

/** Prints what a visitor downloads to translate, and for HTML, and stops the build if the first is too much. */
export function reportSize() {
  const dist = inRoot("dist");
  const names = readdirSync(dist, { recursive: true }).filter((name) => /\.(wasm|m?js)$/.test(name) && !apart.includes(name));
  const isForHtml = (name) => name.startsWith("html");
  const rows = [
    ["softalign.wasm", ["softalign.wasm"]],
    ["JavaScript", names.filter((name) => name !== "softalign.wasm" && !isForHtml(name))],
    ["HTML", names.filter(isForHtml)],
  ].map(([title, files]) => {
    const contents = files.map((name) => readFileSync(join(dist, name)));
    const sum = (sizeOf) => contents.reduce((total, bytes) => total + sizeOf(bytes), 0);
    return { title, raw: sum((bytes) => bytes.length), gzip: sum((bytes) => gzipSync(bytes, { level: 9 }).length) };
  });
  const total = { title: "engine", raw: rows[0].raw + rows[1].raw, gzip: rows[0].gzip + rows[1].gzip };
  const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);
  for (const { title, raw, gzip } of [rows[0], rows[1], total, rows[2]]) console.log(`  ${title.padEnd(16)}${kB(raw)}, gzip ${kB(gzip)}`);
  if (total.gzip > engineLimit) throw new Stop(`the engine has ${kB(total.gzip).trim()} after gzip, the limit is ${kB(engineLimit).trim()}`);
}

export async function buildAll() {
  await stage("Compiling the engine to WebAssembly", () => compile("wasm", "softalign_js"));
  await stage("Building the package (dist/)", async () => {
    await buildPackage();
    reportSize();
  });
  await stage("Building the page (build/web/)", buildPage);
}

if (process.argv[1] === inRoot("scripts/build.mjs")) {
  await main(async () => {
    await stage("Setting up", () => setUp());
    await buildAll();
  });
}
