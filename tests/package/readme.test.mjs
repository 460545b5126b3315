// What the README shows, run as a reader would run it.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { Installed, root } from "./installed.mjs";

const run = promisify(execFile);
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = (language) => [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, "gms"))].map(([, text]) => text);

describe("the README's", () => {
  let installed;
  before(async () => {
    installed = await Installed.install();
    await installed.write("english.txt", "I am cold.\nWhere is my book?\n");
    // Not Mozilla's, but of their kind.
    for (const [name, of] of [["model.esen.intgemm.alphas.bin.gz", "model.bin"], ["vocab.esen.spm.gz", "vocab.spm"], ["lex.50.50.esen.s2t.bin.gz", "lex.bin"]]) {
      writeFileSync(join(installed.folder, name), gzipSync(readFileSync(join(root, "tests/golden/marian", of))));
    }
  });
  after(() => installed?.remove());

  const programs = blocks("js");
  const commands = blocks("sh").flatMap((text) => text.split("\n")).filter((line) => line.startsWith("npx softalign "));
  test("has programs and commands to run", () => {
    assert.ok(programs.length >= 3);
    assert.ok(commands.length >= 3);
  });

  for (const [i, program] of programs.entries()) {
    test(`program ${i + 1} runs: ${program.split("\n")[0]}`, async () => {
      const { stdout, stderr } = await installed.node(program);
      assert.notEqual(stdout, "");
      assert.equal(stderr, "");
      const promised = [...program.matchAll(/^await whatIf\(.*\); +\/\/ (.*)$/gm)].map(([, line]) => line);
      if (promised.length) assert.deepEqual(stdout.trimEnd().split("\n"), promised);
    });
  }

  for (const line of commands) {
    const [command, promised] = line.split(/ +# /);
    test(`command runs: ${command}`, async () => {
      const path = [installed.path("node_modules", ".bin"), process.env.PATH].join(delimiter);
      const { stdout, stderr } = await run("sh", ["-c", command.replace("npx ", "")], { cwd: installed.folder, env: { ...process.env, PATH: path } });
      assert.equal(stderr, "");
      const expected = promised?.replace("TRANSLATION", ".+").replaceAll("|", "\\|") ?? ".+";
      // A promise of pairs is kept to the letter where the target is given, in kind where it is translated.
      const pattern = promised?.includes("TRANSLATION") ? expected.replace(/(\d+-\d+ ?)+$/, "(\\d+-\\d+ ?)+") : expected;
      for (const answer of stdout.trimEnd().split("\n")) assert.match(answer, new RegExp(`^${pattern}$`));
    });
  }
});
