// Sets up, builds and runs every test: npm test [-- --only=native,web]
import { readdirSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { buildPackage, buildPage, compile, reportSize } from "./build.mjs";
import { checkIncludes } from "./check-includes.mjs";
import { setUp } from "./setup.mjs";
import { inRoot, main, run, seconds, stage, Stop } from "./terminal.mjs";

const total = { passed: 0, skipped: 0 };

/** Runs a test program; prints what it printed only if it failed. `count` reads its summary lines. */
async function runQuietly(command, args, { env, count }) {
  const lines = [];
  const sum = { passed: 0, skipped: 0 };
  try {
    await run(command, args, {
      env,
      onLine(line) {
        lines.push(line);
        count(line, sum);
      },
    });
  } catch (error) {
    console.log(lines.join("\n"));
    throw Object.assign(error, { sum });
  }
  if (sum.passed === 0) throw new Stop(`no test ran: ${command} ${args.join(" ")}`);
  console.log(`  ${sum.passed} passed${sum.skipped ? `, ${sum.skipped} skipped` : ""}`);
  add(sum);
  return lines;
}

function add({ passed, skipped }) {
  total.passed += passed;
  total.skipped += skipped;
}

/** The unit tests of one preset, through ctest. */
async function unitTests(preset) {
  const lines = await runQuietly("ctest", ["--preset", preset, "--verbose", "--parallel", String(cpus().length)], {
    env: { GTEST_BRIEF: "1", GTEST_COLOR: "no" }, // under Node it takes every output for a terminal
    count(line, sum) {
      sum.passed += Number(line.match(/\[ {2}PASSED {2}\] (\d+) tests?/)?.[1] ?? 0);
      sum.skipped += Number(line.match(/\[ {2}SKIPPED \] (\d+) tests?/)?.[1] ?? 0);
    },
  });
  // GoogleTest prints "file:line: Skipped" and then the reason.
  const reasons = lines.filter((_, i) => /: Skipped$/.test(lines[i - 1] ?? "")).map((line) => line.replace(/^\d+: /, ""));
  for (const reason of new Set(reasons)) console.log(`  skipped: ${reason}`);
}

/**
 * Test files of Node's own runner.
 * @param {{ again?: boolean }} [options] `again`: files in which a test failed run once more, one at a time.
 */
async function nodeTests(folders, { again = false } = {}) {
  const files = folders.flatMap((folder) =>
    readdirSync(inRoot(folder))
      .filter((name) => name.endsWith(".test.mjs"))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  // By default it leaves one core alone, which here would be half of them.
  const { culprits, failed } = await runNodeTests(files, { concurrency: cpus().length, tolerant: again });
  if (failed === 0) return;
  const passed = total.passed + failed; // each test counts once
  console.log(`  once more, alone: ${culprits.join(", ")}`);
  await runNodeTests(culprits, { concurrency: 1 });
  total.passed = passed;
  console.log("  passed alone; what failed beside other tests is above");
}

/** The files in which a test failed, and how many did, if `tolerant`; else that is an error. */
async function runNodeTests(files, { concurrency, tolerant = false }) {
  const reasons = new Set();
  const culprits = new Set();
  let failed = 0;
  const options = ["--test-reporter=spec", `--test-concurrency=${concurrency}`];
  try {
    await runQuietly(process.execPath, ["--test", ...options, ...files], {
      count(line, sum) {
        const summary = line.match(/^ℹ (pass|skipped|todo) (\d+)/);
        if (summary) sum[summary[1] === "pass" ? "passed" : "skipped"] += Number(summary[2]);
        const reason = line.match(/^\s*﹣ .* # (.+)$/)?.[1];
        if (reason) reasons.add(reason);
        failed += Number(line.match(/^ℹ fail (\d+)/)?.[1] ?? 0);
        const place = line.match(/^test at (.+):\d+:\d+$/)?.[1];
        if (place) culprits.add(files.find((name) => place.endsWith(name)));
        // Inside a suite: what a test measured.
        if (/^\s+ℹ /.test(line)) console.log(`  ${line.trim().slice(2)}`);
      },
    });
  } catch (error) {
    if (!tolerant || culprits.size === 0 || culprits.has(undefined)) throw error;
    add(error.sum);
  }
  for (const reason of reasons) console.log(`  skipped: ${reason}`);
  return { culprits: [...culprits], failed };
}

const fuzzSeconds = 30;

/** Hostile bytes against the parsers, with the sanitizers watching. */
async function fuzz() {
  const folder = inRoot("build/asan/tests");
  const programs = readdirSync(folder).filter((name) => /^softalign_fuzz_\w+$/.test(name));
  if (programs.length === 0) throw new Stop("no fuzz program was built");
  for (const name of programs) {
    const since = Date.now();
    await run(join(folder, name), [String(Math.floor(fuzzSeconds / programs.length))], { cwd: folder });
    console.log(`  ${name}: ${seconds(since)}`);
  }
  total.passed += programs.length;
}

/** In this order; --only chooses by group. */
const steps = [
  { group: "includes", title: "Checking who includes whom", body: checkIncludes },
  { group: "native", title: "Compiling the native command and its tests", body: () => compile("native") },
  { group: "native", title: "Unit tests, native", body: () => unitTests("native") },
  { group: "wasm js web", title: "Compiling the engine to WebAssembly", body: () => compile("wasm", "softalign_js") },
  { group: "wasm", title: "Compiling the tests to WebAssembly", body: () => compile("wasm") },
  { group: "wasm", title: "Unit tests, WebAssembly in Node", body: () => unitTests("wasm") },
  { group: "asan fuzz", title: "Compiling the tests with AddressSanitizer", body: () => compile("asan") },
  { group: "asan", title: "Unit tests, AddressSanitizer and UndefinedBehaviorSanitizer", body: () => unitTests("asan") },
  { group: "fuzz", title: `Fuzzing the parsers for ${fuzzSeconds} s`, body: fuzz },
  {
    group: "js web",
    title: "Building the package (dist/)",
    async body() {
      await buildPackage();
      reportSize();
    },
  },
  { group: "js", title: "Tests of the JavaScript package", body: () => nodeTests(["tests/js", "tests/package"]) },
  { group: "web", title: "Building the page (build/web/)", body: buildPage },
  { group: "web", title: "Tests of the page, the bundlers and the browsers", body: () => nodeTests(["tests/web"], { again: true }) },
];
const groups = [...new Set(steps.flatMap(({ group }) => group.split(" ")))];

function wantedGroups() {
  const given = process.argv.slice(2);
  if (given.length === 0) return groups;
  const wanted = given[0].match(/^--only=(.+)$/)?.[1].split(",") ?? [];
  const unknown = given.length > 1 || wanted.length === 0 || wanted.some((name) => !groups.includes(name));
  if (unknown) throw new Stop(`unknown: ${given.join(" ")}; expected --only= and some of ${groups.join(",")}`);
  return wanted;
}

await main(async () => {
  const wanted = wantedGroups();
  const browsers = wanted.includes("web");
  await stage("Setting up", () => setUp({ browsers, runtimes: browsers || wanted.includes("js") }));
  for (const { group, title, body } of steps) {
    if (group.split(" ").some((name) => wanted.includes(name))) await stage(title, body);
  }
  console.log(`\nAll tests passed in ${seconds()}.`);
  console.log(`${total.passed} passed, 0 failed${total.skipped ? `, ${total.skipped} skipped` : ""}`);
});
