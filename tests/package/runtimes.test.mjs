// The packed package in the run-times people use: the Node that runs this, and those of tests/package.json.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { Installed, root } from "./installed.mjs";

const run = promisify(execFile);
const program = (...names) => join(root, "tests", "node_modules", ...names);

/** How each runs a module. Deno may read, and nothing else: no network, no environment, no program. */
const runtimes = [
  { name: "this Node", path: process.execPath, flags: [] },
  { name: "Node 22", path: program("node-22", "bin", "node"), flags: [] },
  { name: "Node 24", path: program("node-24", "bin", "node"), flags: [] },
  { name: "Deno", path: program("@deno", "linux-x64-glibc", "deno"), flags: ["run", "--no-prompt", "--cached-only", "--allow-read"] },
  { name: "Bun", path: program("@oven", "bun-linux-x64", "bin", "bun"), flags: ["run", "--no-install"] },
];

const uses = `
  import { engineStatus, Gru, Translator } from "softalign";
  const pair = { sourceLanguage: "en", targetLanguage: "fr" };
  const translator = await Translator.create(pair);
  const translation = await translator.translate("I am cold.");
  const streamed = [];
  for await (const chunk of translator.translateStreaming("I am cold. I am cold.")) streamed.push(chunk);
  const { targetTokens, sourceTokens, attention } = await translator.align("I am cold.", "J'ai froid.");
  const reason = new Error("enough");
  const aborted = await translator.translate("I am cold.", { signal: AbortSignal.abort(reason) }).catch((error) => error === reason);
  translator.destroy();
  const team = await Translator.create({ ...pair, workers: 2 });
  const { handles } = engineStatus();
  const together = await team.translate(["I am cold.", "I am cold."]);
  const afterwards = await translator.translate("I am cold.").catch(({ name, code }) => [name, code]);
  const layer = await Gru.create({ input: 1, hidden: 1 }, {}).catch(({ name, code, message }) => [name, code, message]);
  console.log(JSON.stringify({
    translation, streamed, handles, together, aborted, afterwards, layer, attention: [...attention],
    tokens: [targetTokens, sourceTokens].map((tokens) => tokens.map(({ text }) => text)),
  }));
`;

/** Probabilities of a translation by the products that this run-time has, or by those that every one has. */
const products = `
  const { default: base64 } = await import(new URL("relaxed-module.js", import.meta.resolve("softalign")));
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const { validate } = WebAssembly;
  const relaxed = validate(bytes);
  if (process.argv[2] === "without") WebAssembly.validate = (module) => module.byteLength !== bytes.length && validate(module);
  const { Translator } = await import("softalign");
  const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
  const { translation, confidence } = await translator.explain("The old cat sleeps under the big table.");
  const imports = relaxed ? WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ name }) => name) : ["memory"];
  console.log(JSON.stringify({ relaxed, translation, confidence: [...confidence], imports }));
`;

/** Activations of 7 bits instead of 14 move probabilities a little. */
const near = (is, expected) => {
  assert.equal(is.length, expected.length);
  is.forEach((value, i) => assert.ok(Math.abs(value - expected[i]) < 0.03, `${value} at ${i}, expected about ${expected[i]}`));
};

describe("the installed package", () => {
  let installed, expected;
  before(async () => {
    installed = await Installed.install();
    await installed.write("uses.mjs", uses);
    await installed.write("products.mjs", products);
    expected = JSON.parse((await installed.node(uses)).stdout);
  });
  after(() => installed?.remove());

  for (const { name, path, flags } of runtimes) {
    const skip = existsSync(path) ? false : `tests/node_modules has no ${name} for ${process.platform} ${process.arch}`;
    describe(`in ${name}`, { skip }, () => {
      const inScratch = (args, options = {}) => run(path, [...flags, ...args], { cwd: installed.folder, ...options });

      test("translates, streams, aligns, aborts and ends as everywhere, and lets the process end", async (t) => {
        const { stdout: version } = await run(path, ["--version"]);
        t.diagnostic(`${name}: ${version.split("\n")[0]}`);
        const { stdout, stderr } = await inScratch(["uses.mjs"]);
        assert.equal(stderr, "");
        const said = JSON.parse(stdout);
        assert.match(said.translation, /^\p{L}.*\.$/u);
        assert.deepEqual([said.handles, said.together], [2, [said.translation, said.translation]], "in worker threads");
        near(said.attention, expected.attention);
        assert.deepEqual({ ...said, attention: null }, { ...expected, attention: null });
      });

      test("multiplies by relaxed SIMD where there is that, to nearly the same effect", async (t) => {
        const [own, without] = await Promise.all([["products.mjs"], ["products.mjs", "without"]].map(async (args) => JSON.parse((await inScratch(args)).stdout)));
        t.diagnostic(`${name}: ${own.relaxed ? "relaxed SIMD" : "no relaxed SIMD"}`);
        assert.equal(own.translation, without.translation);
        assert.deepEqual(own.imports, ["memory"], "it shares nothing else");
        near(own.confidence, without.confidence);
        const differs = own.confidence.some((value, i) => value !== without.confidence[i]);
        assert.equal(differs, own.relaxed, "its products are used if and only if it has them");
      });

      test("runs the package's command", async () => {
        const translate = ["translate", "--from", "en", "--to", "fr", "I am cold."];
        const cli = join("node_modules", "softalign", "dist", "cli.mjs");
        assert.deepEqual(await inScratch([cli, ...translate]), { stdout: `${expected.translation}\n`, stderr: "" });
        await assert.rejects(inScratch([cli, "translate", "--from", "en"]), { code: 2, stderr: /--to is missing/ });
        if (flags.length) return;
        // As npx does: by its name, with this Node as the first on the path.
        const env = { ...process.env, PATH: dirname(path) + delimiter + process.env.PATH };
        const { stdout } = await run(installed.path("node_modules", ".bin", "softalign"), translate, { cwd: installed.folder, env });
        assert.equal(stdout, `${expected.translation}\n`);
      });
    });
  }
});
