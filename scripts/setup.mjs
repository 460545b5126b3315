// Finds or prepares everything the build needs: system packages, Emscripten, libraries, npm packages.
// Quick and offline when all is there. Alone: node scripts/setup.mjs
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { findChromium, findFirefox } from "./browsers.mjs";
import { ask, inRoot, main, run, Stop } from "./terminal.mjs";

const nodeMinimum = "20.10.0"; // of its test runner
const emscriptenMinimum = "3.1.69";
const toolchain = inRoot(".toolchain");

/** Compares versions like "3.1.69": negative if a is older than b. */
function compareVersions(a, b) {
  const [x, y] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] - y[i];
  return 0;
}

/** This system's release file as an object: { ID: "debian", VERSION_ID: "12", ... }. */
function osRelease() {
  if (!existsSync("/etc/os-release")) return {};
  const lines = readFileSync("/etc/os-release", "utf8").split("\n");
  return Object.fromEntries(lines.map((line) => line.match(/^(\w+)="?(.*?)"?$/)?.slice(1)).filter(Boolean));
}
const os = osRelease();
const isDebian = os.ID === "debian";
const hasApt = (isDebian || os.ID === "ubuntu") && existsSync("/usr/bin/apt-get");
const isRoot = process.getuid?.() === 0;

// --- Packages of Debian and Ubuntu ----------------------------------------------------------------

function missingPackages(names) {
  const list = ask("dpkg-query", ["-W", "-f", "${Package} ${db:Status-Abbrev}\n"]) ?? "";
  const installed = new Set(list.split("\n").filter((line) => / ii/.test(line)).map((line) => line.split(" ")[0]));
  return names.filter((name) => !installed.has(name));
}

let listsAreFresh = false;
async function apt(...args) {
  // Lock timeout: someone else's apt may be at work. Use-Pty off: no progress bars in a log.
  await run("apt-get", ["-q", "-o", "DPkg::Lock::Timeout=600", "-o", "Dpkg::Use-Pty=0", ...args], {
    env: { DEBIAN_FRONTEND: "noninteractive" },
    onLine: (line) => {
      if (/^(E:|W:|Err|Need to get|Setting up)/.test(line)) console.log(`  ${line}`);
    },
  });
}

/** Installs packages as root, or says which line does it. */
async function needPackages(names, purpose) {
  const missing = missingPackages(names);
  if (missing.length === 0) return;
  const args = ["install", "-y", "--no-install-recommends", ...missing];
  if (!isRoot) {
    throw new Stop(`${purpose} needs packages that are not installed. As root, run:\n  apt-get ${args.join(" ")}`);
  }
  console.log(`  installing, for ${purpose}: ${missing.join(", ")}`);
  if (!listsAreFresh) await apt("update");
  listsAreFresh = true;
  await apt(...args);
}

/** The version that apt would install, or undefined. */
async function candidateOf(name) {
  const find = () => ask("apt-cache", ["policy", name])?.match(/Candidate: ([\d.]+)/)?.[1];
  if (!find() && isRoot && !listsAreFresh) {
    await apt("update"); // a fresh system has no lists
    listsAreFresh = true;
  }
  return find();
}

// --- What the build needs -------------------------------------------------------------------------

async function needTools() {
  if (hasApt) {
    await needPackages(
      ["ca-certificates", "cmake", "g++", "libc6-dev", "libcli11-dev", "libgtest-dev", "libicu-dev", "ninja-build", "python3"],
      "building",
    );
    return;
  }
  const missing = ["cmake", "ninja", "c++", "python3"].filter((name) => ask(name, ["--version"]) === undefined);
  if (missing.length) {
    throw new Stop(`missing: ${missing.join(", ")}. Install CMake 3.25, Ninja, a C++20 compiler, Python 3 and ICU's headers.`);
  }
}

/** The libraries that are built with us: fetched by our script on Debian, by CMake elsewhere. */
async function needLibraries() {
  if (isDebian) await run("bash", [inRoot("scripts/toolchain.sh"), toolchain, "headers", "sentencepiece"]);
}

const emsdkSteps = `  git clone https://github.com/emscripten-core/emsdk.git
  cd emsdk
  ./emsdk install ${emscriptenMinimum}
  ./emsdk activate ${emscriptenMinimum}
  . ./emsdk_env.sh
and run the command again in the same terminal.`;

/** The version of the emcc that PATH finds, or undefined. */
const emccVersion = () => ask("emcc", ["--version"])?.match(/\d+\.\d+\.\d+/)?.[0];

/** After this, emcc and emcmake are on this process's PATH. */
async function needEmscripten() {
  const onPath = emccVersion();
  if (onPath && compareVersions(onPath, emscriptenMinimum) >= 0) return;

  const candidate = hasApt ? await candidateOf("emscripten") : undefined;
  if (candidate && compareVersions(candidate, emscriptenMinimum) >= 0) {
    await needPackages(["emscripten", "libxsimd-dev"], "WebAssembly");
    return;
  }
  if (!(isDebian && os.VERSION_ID === "12" && process.arch === "x64")) {
    const found = onPath ? `Emscripten ${onPath} is too old` : "Emscripten is missing";
    throw new Stop(`${found}: ${emscriptenMinimum} or newer is needed. Install it with\n${emsdkSteps}`);
  }

  await needPackages(["libedit2", "libffi8", "libxml2", "libz3-4", "libzstd1"], "LLVM 19");
  await run("bash", [inRoot("scripts/toolchain.sh"), toolchain, "emscripten"]);
  const emscripten = join(toolchain, "emscripten/usr/share/emscripten");
  process.env.PATH = emscripten + delimiter + process.env.PATH;
  process.env.EM_CONFIG = join(emscripten, ".emscripten");
}

/** Installs what the package-lock.json of a folder names, if that was not done yet. */
async function needNpmPackages(folder, purpose) {
  const lock = createHash("sha256").update(readFileSync(inRoot(folder, "package-lock.json"))).digest("hex");
  const stamp = inRoot(folder, "node_modules/.softalign-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log(`  installing the npm packages for ${purpose}`);
  await run("npm", ["ci", "--ignore-scripts"], { cwd: inRoot(folder) });
  writeFileSync(stamp, lock);
}

async function needBrowsers() {
  if (!findChromium()) {
    if (!isDebian) throw new Stop("the page's tests need Chromium or Chrome in /usr/bin");
    await needPackages(["chromium"], "the page's tests");
  }
  // The tests in Firefox skip themselves where there is none.
  if (!findFirefox() && isDebian && isRoot) await needPackages(["firefox-esr"], "the tests in Firefox");
}

/**
 * @param {{ browsers?: boolean, runtimes?: boolean }} [options] `runtimes` stands for all that tests/package.json names:
 *   run-times other than this Node, a bundler, what drives Firefox.
 */
export async function setUp({ browsers = false, runtimes = false } = {}) {
  if (compareVersions(process.versions.node, nodeMinimum) < 0) throw new Stop(`Node ${nodeMinimum} or newer is needed, this is ${process.version}`);
  await needTools();
  await needLibraries();
  await needEmscripten();
  await needNpmPackages(".", "TypeScript, the page and its tests");
  if (runtimes) await needNpmPackages("tests", "the tests in other run-times: Node 22 and 24, Deno, Bun");
  if (browsers) await needBrowsers();
}

if (process.argv[1] === inRoot("scripts/setup.mjs")) await main(() => setUp({ browsers: true, runtimes: true }));
