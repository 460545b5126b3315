// Finds or prepares everything the build needs: system packages, Emscripten, libraries, npm packages.
// Quick and offline when all is there. Alone: node scripts/setup.mjs
import { existsSync, readFileSync } from "node:fs";
import { ask, inRoot, main, root, run, seconds, Stop } from "./terminal.mjs";

const emscriptenMinimum = "3.1.69";
const toolchain = inRoot(".toolchain");

/** Compares versions like "3.1.69": negative if a is older than b. */
function compareVersions(a, b) {
  const [x, y] = [a, b].map((v) => v.split(".").map(Number));
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return x[i] - y[i];
  return 0;
}

/** This system's release file as an object: { ID: "debian", VERSION_ID: "12", ... }. */
function osRelease() {
  if (!existsSync("/etc/os-release")) return {};
  const lines = readFileSync("/etc/os-release", "utf8").split("\n");
  return Object.fromEntries(lines.map((l) => l.match(/^(\w+)="?(.*?)"?$/)?.slice(1)).filter(Boolean));
}
const os = osRelease();
const hasApt = /debian|ubuntu/.test(`${os.ID} ${os.ID_LIKE}`) && existsSync("/usr/bin/apt-get");
const isRoot = process.getuid?.() === 0;

const isInstalled = (name) =>
  ask("dpkg-query", ["-W", "-f", "${db:Status-Abbrev}", name])?.startsWith("ii") ?? false;

/** Installs Debian packages as root, or says which line does it. */
async function needPackages(names, purpose) {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const line = `apt-get install -y --no-install-recommends ${missing.join(" ")}`;
  if (!isRoot) throw new Stop(`${purpose} needs packages that are not installed. As root, run:\n  ${line}`);
  console.log(`  installing for ${purpose}: ${missing.join(", ")}`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  // Lock timeout: someone else's apt may be at work. Use-Pty off: no progress bars in a log.
  const options = ["-q", "-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0"];
  const quiet = (line) => /^(E|W|Err|Get):/.test(line) && console.log(`  ${line}`);
  await run("apt-get", [...options, "update"], { env, onLine: quiet });
  const progress = (line) => /^(E:|Setting up)/.test(line) && console.log(`  ${line}`);
  await run("apt-get", [...options, ...line.split(" ").slice(1)], { env, onLine: progress });
}

/** Elsewhere than on Debian: names the commands that are missing. */
function needCommands(names, hint) {
  const missing = names.filter((name) => ask(name, ["--version"]) === undefined);
  if (missing.length) throw new Stop(`missing: ${missing.join(", ")}. ${hint}`);
}

async function needNative() {
  if (hasApt) {
    await needPackages(
      ["cmake", "ninja-build", "g++", "libc6-dev", "libgtest-dev", "libicu-dev", "xz-utils"],
      "the native build",
    );
  } else {
    needCommands(["cmake", "ninja", "c++"], "Install CMake >= 3.25, Ninja, a C++20 compiler and ICU's headers.");
  }
}

/** The libraries whose sources we build: fetched by our script on Debian, by CMake elsewhere. */
async function needLibraries() {
  if (hasApt) await run("bash", [inRoot("scripts/toolchain.sh"), toolchain, "headers", "sentencepiece"]);
}

export async function setUp() {
  const since = Date.now();
  await needNative();
  await needLibraries();
  console.log(`  ready (${seconds(since)})`);
}

if (process.argv[1] === inRoot("scripts/setup.mjs")) await main(setUp);
