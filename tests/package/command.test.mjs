// The package's command, run as npm installs it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../web/server.mjs";
import { hosted, Installed, root } from "./installed.mjs";

const enFr = ["--from", "en", "--to", "fr"];
let installed, softalign, translator, host;
before(async () => {
  installed = await Installed.install();
  host = await serve(fileURLToPath(hosted));
  softalign = await installed.import();
  translator = await softalign.Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
});
after(async () => {
  translator?.destroy();
  host?.close();
  await installed?.remove();
});

/** Runs it to its end. */
function command(args, input = "") {
  const child = spawn(installed.path("node_modules", ".bin", "softalign"), args, { cwd: installed.folder });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
  child.stdin.on("error", () => {}); // it may end before it has read all
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...said }));
  });
}

const says = async (args, input, stdout) => assert.deepEqual(await command(args, input), { code: 0, stdout, stderr: "" });

test("translates its argument, or lines", async () => {
  const cold = await translator.translate("I am cold.");
  await says(["translate", ...enFr, "I am cold."], "", `${cold}\n`);
  await says(["translate", ...enFr, "I", "am", "cold."], "", `${cold}\n`);
  await says(["translate", ...enFr], "I am cold.\r\n\n  I am cold. \nI am cold.", `${cold}\n\n  ${cold} \n${cold}\n`);
  await says(["translate", ...enFr], "I am cold.\rI am cold.\u2028\n\n", `${cold}\r${cold}\u2028\n\n`);
  await says(["translate", ...enFr], "", "");
});

test("has several workers share the lines, and answers in their order", async () => {
  const lines = Array.from({ length: 60 }, (_, i) => (i % 7 ? `I am ${"very ".repeat(i % 5)}cold.` : "Yes."));
  const translations = await translator.translate(lines);
  await says(["translate", ...enFr, "--workers", "3"], `${lines.join("\n")}\n`, `${translations.join("\n")}\n`);
  const pairs = lines.map((line, i) => (i === 40 ? "no tab" : `${line}\t${translations[i]}`));
  const { code, stdout, stderr } = await command(["align", ...enFr, "--workers", "3"], pairs.join("\n"));
  assert.deepEqual([code, stderr], [1, "softalign: standard input, line 41: it has no tab, expected SOURCE<TAB>TARGET\n"]);
  assert.equal(stdout, (await command(["align", ...enFr], pairs.slice(0, 40).join("\n"))).stdout);
});

test("takes a model by its ID or file, and a beam", async () => {
  const text = "I don't want to go home yet.";
  softalign.setModelBase(host.url);
  const own = await softalign.Translator.create({ sourceLanguage: "en", targetLanguage: "fr", model: "en-fr-dot" });
  await softalign.deleteAllModels();
  const translation = await own.translate(text, { beam: 4 });
  own.destroy();
  mkdirSync(installed.path("en-fr-dot")); // a folder of that name is no model
  for (const model of ["en-fr-dot", fileURLToPath(new URL("en-fr-dot.safetensors", hosted))]) {
    await says(["translate", ...enFr, "--model", model, "--base", host.url, "--beam", "4", text], "", `${translation}\n`);
  }
});

test("lists, fetches and deletes models", async () => {
  await softalign.deleteAllModels();
  const { stdout } = await command(["models", "--from", "en", "--to", "fr"]);
  const lines = stdout.trimEnd().split("\n").map((line) => line.split("\t"));
  assert.deepEqual(lines[0], ["en-fr-transformer", "en to fr", "2.8 MB", "available"]);
  assert.deepEqual(lines[2], ["en-fr-dot", "en to fr", "2.7 MB", "unavailable"]);
  assert.equal(lines.length, 5);
  const all = (await command(["models", "list", "--json"])).stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  softalign.setModelBase(undefined);
  assert.deepEqual(all, JSON.parse(JSON.stringify(await softalign.listModels())));

  await says(["models", "fetch", "en-fr-dot", "en-fr-plain", "--base", host.url], "", "");
  const requests = host.requests.length;
  assert.equal((await command(["translate", ...enFr, "--model", "en-fr-dot", "I am cold."])).code, 0);
  assert.equal(host.requests.length, requests, "it is there offline");
  await says(["models", "delete", "en-fr-dot", "en-fr-plain"], "", "");
  const { code, stderr } = await command(["translate", ...enFr, "--model", "en-fr-dot", "I am cold."]);
  assert.equal(code, 1);
  assert.match(stderr, /^softalign: model en-fr-dot is not in the package: /);
});

test("aligns: what it translated, or what is given", async () => {
  const links = (explanation) => softalign.strongestLinks(explanation).map((pair) => pair.join("-")).join(" ");
  const explanation = await translator.explain("I am cold.");
  await says(["translate", ...enFr, "--align", "I am cold."], "", `${explanation.translation} ||| ${links(explanation)}\n`);
  const given = await translator.align("I am cold.", "J'ai froid.");
  assert.match(links(given), /^0-0 .*2-\d .*3-\d$/);
  await says(["align", ...enFr, "I am cold.", "J'ai froid."], "", `${links(given)}\n`);
  const tabbed = await translator.align("I am\tcold.", "J'ai froid.");
  await says(["align", ...enFr, "I am\tcold.", "J'ai froid."], "", `${links(tabbed)}\n`);
  await says(["align", ...enFr], "I am cold.\tJ'ai froid.\n\t\n", `${links(given)}\n\n`);
});

test("translates HTML, all of standard input at once", async () => {
  const cold = await translator.translate("I am cold.");
  await says(["translate", ...enFr, "--html", "<p title=1>I am cold."], "", `<p title="1">${cold}</p>\n`);
  await says(["translate", ...enFr, "--html"], "<p>I am\ncold.\n<!-- a\n\nb -->\n", `<p>${cold}\n<!-- a\n\nb --></p>\n`);
  await says(["translate", ...enFr, "--html"], "", "\n");
});

test("tells everything as JSON", async () => {
  const { stdout } = await command(["translate", ...enFr, "--json"], "I am cold.\nWhere?\n");
  const [first, second] = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const { sourceTokens, targetTokens, attention, translation, score } = await translator.explain("I am cold.");
  assert.deepEqual([first.translation, first.sourceTokens, first.targetTokens, first.score], [translation, sourceTokens, targetTokens, score]);
  assert.equal(first.attention.length, targetTokens.length);
  for (const [i, weight] of first.attention.flat().entries()) assert.ok(Math.abs(weight - attention[i]) < 1e-4);
  assert.equal(second.source, "Where?");
  const plain = JSON.parse((await command(["align", ...enFr, "--model", "en-fr-plain", "--base", host.url, "--json", "I", "J'ai"])).stdout);
  assert.equal(plain.attention, null);
});

test("says how it is used, and its version", async () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await says(["--version"], "", `${version}\n`);
  const { code, stdout } = await command(["--help"]);
  assert.equal(code, 0);
  for (const option of ["--from", "--to", "--model", "--base", "--beam", "--workers", "--html", "--align", "--json"]) assert.ok(stdout.includes(option), option);
});

test("a command line that makes no sense ends with 2, all other trouble with 1; both say why", async () => {
  const wrong = [
    [[], /what is to be done is missing/],
    [["draw"], /there is no command "draw"/],
    [["toString", ...enFr], /there is no command "toString"/],
    [["translate", "--to", "fr", "a"], /--from is missing/],
    [["translate", "--from", "en", "a"], /--to is missing/],
    [["translate", ...enFr, "--beam", "17", "a"], /--beam is 17, expected a whole number from 1 to 16/],
    [["translate", ...enFr, "--workers", "65", "a"], /--workers is 65, expected a whole number from 1 to 64/],
    [["translate", ...enFr, "--beams", "3", "a"], /--beams/],
    [["translate", ...enFr, "--align", "--json", "a"], /exclude each other/],
    [["translate", ...enFr, "--html", "--json", "a"], /--html and --json exclude each other/],
    [["align", ...enFr, "--html", "a", "b"], /align has no --html/],
    [["align", ...enFr, "a"], /align has 1 texts/],
    [["align", ...enFr, "--beam", "2", "a", "b"], /align has no --beam/],
    [["models", "steal"], /models has no "steal", expected list, fetch or delete/],
    [["models", "list", "en-fr-dot"], /models list has 1 IDs, expected none/],
    [["models", "fetch"], /models fetch has 0 IDs, expected some/],
  ];
  const failing = [
    [["translate", "--from", "fr", "--to", "en", "a"], "", /no model translates fr to en/],
    [["translate", "--from", "?", "--to", "en", "a"], "", /sourceLanguage is "\?"/],
    [["translate", ...enFr, "--model", "en-fr-none", "a"], "", /model is "en-fr-none"/],
    [["translate", ...enFr, "--model", "package.json", "a"], "", /package\.json: /],
    [["translate", ...enFr, "--base", "models", "a"], "", /base is "models", expected an address/],
    [["models", "fetch", "en-fr-none"], "", /id is "en-fr-none"/],
    [["align", ...enFr], "a\tb\nc\n", /standard input, line 2: it has no tab/],
  ];
  for (const [args, message] of wrong) {
    const { code, stdout, stderr } = await command(args);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, message);
    assert.match(stderr, /^softalign: .*\nTry softalign --help\.\n$/);
  }
  for (const [args, input, message] of failing) {
    const { code, stderr } = await command(args, input);
    assert.equal(code, 1, args.join(" "));
    assert.match(stderr, message);
    assert.match(stderr, /^softalign: [^\n]*\n$/);
  }
});

test("says so when it cannot read or write", async () => {
  const shell = async (redirected) => {
    const child = spawn("sh", ["-c", `node_modules/.bin/softalign translate --from en --to fr ${redirected}`], { cwd: installed.folder });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.stdin.on("error", () => {});
    child.stdin.end();
    const code = await new Promise((resolve) => child.on("close", resolve));
    return [code, stderr];
  };
  assert.deepEqual(await shell("< ."), [1, "softalign: standard input is a directory, expected text\n"]);
  if (!existsSync("/dev/full")) return;
  const [code, stderr] = await shell("'I am cold.' > /dev/full");
  assert.equal(code, 1);
  assert.match(stderr, /^softalign: standard output: ENOSPC[^\n]*\n$/);
});

test("ends in peace when nobody reads on", async () => {
  const child = spawn(installed.path("node_modules", ".bin", "softalign"), ["translate", ...enFr], { cwd: installed.folder });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
  child.stdin.on("error", () => {});
  child.stdin.end("I am cold.\n".repeat(2000));
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((resolve) => child.on("close", resolve));
  assert.deepEqual([code, stderr], [0, ""]);
});
