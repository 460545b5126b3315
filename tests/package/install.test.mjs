import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { join } from "node:path";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { Installed, root } from "./installed.mjs";

const run = promisify(execFile);
const translateOnce = `
  import { Translator } from "softalign";
  const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
  console.log(await translator.translate("I am cold."));
  translator.destroy();
`;

let installed;
before(async () => (installed = await Installed.install()));
after(() => installed?.remove());

describe("the tarball", () => {
  test("holds the package and nothing else", () => {
    const paths = installed.tarball.files.map(({ path }) => path);
    for (const path of ["dist/index.js", "dist/index.d.ts", "dist/softalign.wasm", "dist/models/manifest.json", "LICENSE", "dist/THIRD-PARTY.txt"]) {
      assert.ok(paths.includes(path), `${path} is missing`);
    }
    for (const path of paths) assert.match(path, /^(dist\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/);
  });

  test("carries the manifest, and one model of each kind", async () => {
    const weights = installed.tarball.files.map(({ path }) => path).filter((path) => path.endsWith(".safetensors"));
    const kinds = ["en-fr-transformer", "en-lstmn", "en-masked", "en-sentiment", "en-tagger"];
    assert.deepEqual(weights.sort(), kinds.map((id) => `dist/models/${id}.safetensors`));
    const { stdout } = await installed.node(`
      import { createRequire } from "node:module";
      const require = createRequire(import.meta.url);
      console.log(require("softalign/models/manifest.json").version, require("softalign/models/manifest.schema.json").title);
    `);
    assert.equal(stdout, "1 Manifest of softalign models\n");
  });

  test("is small: 1.2 MB without the weights, which have 10 MB at most each", () => {
    const size = (files) => files.reduce((sum, { size }) => sum + size, 0);
    const { files } = installed.tarball;
    const weights = files.filter(({ path }) => path.endsWith(".safetensors"));
    for (const { path, size: bytes } of weights) assert.ok(bytes <= 10e6, `${path} has ${bytes} bytes`);
    assert.ok(size(files) - size(weights) <= 1.2e6, `${size(files) - size(weights)} bytes without weights`);
  });

  test("brings no dependencies", async () => {
    const { dependencies, peerDependencies } = JSON.parse(await installed.read("package.json"));
    assert.deepEqual({ ...dependencies, ...peerDependencies }, {});
  });

  test("is found by every way of resolving modules, with its types", async () => {
    const tarball = new Uint8Array(readFileSync(installed.path(installed.tarball.filename)));
    const { messages, pkg } = await publint({ pack: { tarball: tarball.buffer }, level: "suggestion" });
    assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
    const { types, problems } = await checkPackage(createPackageFromTarballData(tarball));
    assert.deepEqual(types, { kind: "included" });
    // There are ES modules only: CommonJS imports them, or requires them from Node 20.19 on.
    assert.deepEqual(problems.filter(({ kind }) => kind !== "CJSResolvesToESM"), []);
    await installed.write("common.cjs", 'import("softalign").then(({ Translator }) => console.log(typeof Translator.create));\n');
    assert.equal((await run(process.execPath, [installed.path("common.cjs")])).stdout, "function\n");
  });

  test("names the licence of each model", async () => {
    const paths = installed.tarball.files.map(({ path }) => path);
    const models = paths.filter((path) => path.endsWith(".safetensors"));
    assert.ok(models.length >= 5);
    for (const path of models) {
      const card = String(await installed.read(path.replace(".safetensors", ".md")));
      assert.match(card, /\| licence of the weights \| CC BY/, path);
    }
  });
});

describe("in Node", () => {
  test("translates, offline, and prints nothing of its own", async () => {
    const { stdout, stderr } = await installed.node(translateOnce);
    assert.match(stdout, /^\S.*\n$/);
    assert.equal(stderr, "");
  });

  test("runs where no code may be made from strings (strict CSP)", async () => {
    const { stdout, stderr } = await installed.node(translateOnce, ["--disallow-code-generation-from-strings"]);
    assert.match(stdout, /^\S.*\n$/);
    assert.equal(stderr, "");
  });

  test("works where there is a document but no worker, as where tests of pages run", async () => {
    const { stdout, stderr } = await installed.node(`globalThis.document = { baseURI: "http://localhost/" };${translateOnce}`);
    assert.match(stdout, /^\S.*\n$/);
    assert.equal(stderr, "");
  });

  test("lets the process end without destroy()", async () => {
    const { stderr } = await installed.node(translateOnce.replace("translator.destroy();", ""));
    assert.equal(stderr, "");
  });

  test("gives back what was dropped without destroy(), in the end", async () => {
    const { stdout } = await installed.node(
      `
        import { Translator, engineStatus } from "softalign";
        await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
        for (let i = 0; i < 50 && engineStatus().handles > 0; ++i) {
          gc();
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        console.log(engineStatus().handles);
      `,
      ["--expose-gc"],
    );
    assert.equal(stdout, "0\n");
  });

  const sayError = `
    import { Gru, Translator } from "softalign";
    for (const create of [
      () => Translator.create({ sourceLanguage: "en", targetLanguage: "fr" }),
      () => Gru.create({ input: 1, hidden: 1 }, {}),
    ]) await create().catch((error) => console.log(error.name, error.code, error.message));
  `;

  test("says so where there is no WebAssembly", async () => {
    const { stdout } = await installed.node(sayError, ["--jitless"]);
    assert.match(stdout, /^(NotSupportedError unavailable softalign needs WebAssembly, .*\n){2}$/);
  });

  test("says so where there is no WASM SIMD", async () => {
    // What a run-time without SIMD answers for a module that uses it.
    const { stdout } = await installed.node(`WebAssembly.validate = () => false;${sayError}`);
    assert.match(stdout, /^(NotSupportedError unavailable softalign needs WebAssembly SIMD, .*\n){2}$/);
  });
});

test("the examples in the declarations run", async () => {
  for (const [file, says] of [["translator", /^\S.*\n$/], ["layers/recurrent", /^\[ 4, 1, 2 \] Float32Array/]]) {
    const declarations = String(await installed.read(`dist/${file}.d.ts`));
    const example = /```js\n([\s\S]*?)```/.exec(declarations)[1].replaceAll(/^ \* ?/gm, "");
    const { stdout, stderr } = await installed.node(`import { Gru, Translator } from "softalign";\n${example}`);
    assert.match(stdout, says);
    assert.equal(stderr, "");
  }
});

describe("the types", () => {
  const usage = `
    import {
      Gru, MultiHeadAttention, SinusoidalPositions, SoftalignError, Translator, engineStatus, readSafetensors,
      type DownloadProgressEvent, type Explanation, type Pattern, type SoftalignErrorCode, type StateDict, type Tensor, type Token,
    } from "softalign";
    import {
      addManifest, deleteAllModels, deleteModel, listModels, prefetchModel, setModelBase, type ModelInfo, type ModelManifest,
    } from "softalign/models";

    export async function manage(signal: AbortSignal): Promise<boolean> {
      setModelBase("https://example.org/models/");
      const [first]: ModelInfo[] = await listModels({ kind: "translation", sourceLanguage: "en", targetLanguage: "fr" });
      const bleu: number | undefined = first?.scores?.["bleu"];
      await prefetchModel("en-fr-dot", { signal, onProgress: (fraction) => console.log(fraction, bleu) });
      const manifest: ModelManifest = { version: 1, models: [] };
      await addManifest(manifest, "https://example.org/models/");
      await deleteAllModels();
      // @ts-expect-error: a kind is one of five
      await listModels({ kind: "translator" });
      return deleteModel("en-fr-dot");
    }

    export async function use(bytes: ArrayBuffer, signal: AbortSignal): Promise<number> {
      const availability: "available" | "downloadable" | "unavailable" =
        await Translator.availability({ sourceLanguage: "en", targetLanguage: "fr" });
      using translator = await Translator.create({
        sourceLanguage: "en",
        targetLanguage: "fr",
        model: bytes,
        signal,
        monitor(m) {
          const show = (event: DownloadProgressEvent) => console.log(event.loaded, event.total);
          m.addEventListener("downloadprogress", (event) => console.log(event.loaded, event.total));
          m.addEventListener("downloadprogress", show);
          m.removeEventListener("downloadprogress", show);
        },
      });
      const text: string = await translator.translate("I am cold.", { beam: 4, signal });
      const explanation: Explanation = await translator.explain(text, { level: "piece", special: true });
      const tokens: Token[] = (await translator.align("a", "b", { level: "word" })).targetTokens;
      const weights: Float32Array | null = explanation.attention;
      // @ts-expect-error: a level is one of two
      await translator.explain(text, { level: "letter" });
      // @ts-expect-error: only create() makes translators
      new Translator();

      const state: StateDict = await readSafetensors(bytes);
      using gru = await Gru.create({ input: 1, hidden: 1, bidirectional: true, prefix: "encoder." }, state);
      const { output, last }: { output: Tensor; last: Tensor } = gru.forward(new Float32Array(2), [2, 1, 1], { lengths: [2] });
      using heads = await MultiHeadAttention.create({ width: 2, heads: 1, score: "additive", relative: 4 }, bytes);
      const pattern: Pattern = { edges: [[0, 1], [1, 0]] };
      const attended = heads.forward(output.data, output.shape, { pattern, headMask: [1], memory: last, attention: true });
      const alignment: Tensor | undefined = attended.attention;
      // @ts-expect-error: a score is one of four
      await MultiHeadAttention.create({ width: 2, heads: 1, score: "cosine" }, state);
      // @ts-expect-error: only create() makes layers
      new Gru();
      const { shape }: Tensor = (await SinusoidalPositions.create({ width: 2 })).positions(3);
      return shape.length + (alignment?.data.length ?? 0) + tokens.length + (weights?.length ?? 0) + engineStatus().handles + availability.length;
    }

    export function codeOf(error: unknown): SoftalignErrorCode | undefined {
      return error instanceof SoftalignError ? error.code : undefined;
    }
  `;

  const page = { lib: ["es2022", "dom"], types: [] };
  const node = { lib: ["es2022"], types: ["node"], typeRoots: [join(root, "node_modules", "@types")] };
  for (const [module, moduleResolution, where] of [
    ["esnext", "bundler", page], ["node16", "node16", page], ["nodenext", "nodenext", page], ["nodenext", "nodenext", node],
  ]) {
    test(`compile strictly with moduleResolution ${moduleResolution}, ${where === page ? "in a page" : "in Node"}`, async () => {
      await installed.write("usage.ts", usage);
      await installed.write(
        "tsconfig.json",
        JSON.stringify({
          compilerOptions: { module, moduleResolution, target: "es2022", strict: true, noEmit: true, ...where },
          files: ["usage.ts"],
        }),
      );
      const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
      await run(process.execPath, [tsc, "-p", installed.folder]).catch(({ stdout }) => assert.fail(stdout));
    });
  }
});
