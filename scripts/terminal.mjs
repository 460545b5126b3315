// What every script prints, and how it runs other programs.
import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
export const inRoot = (...parts) => join(root, ...parts);

const started = Date.now();

export function seconds(since = started) {
  const s = (Date.now() - since) / 1000;
  return s < 60 ? `${s.toFixed(1)} s` : `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

/** A failure whose message is all that the reader needs: no stack trace. */
export class Stop extends Error {}

/** Runs `body`, printing what it does before and how long it took after. */
export async function stage(title, body) {
  const since = Date.now();
  console.log(`\n==> ${title}`);
  const result = await body();
  console.log(`    done in ${seconds(since)}`);
  return result;
}

/** The way a person would type it. */
const asTyped = (command, args) => [command, ...args].join(" ");

/**
 * Runs a program in the terminal and waits for it.
 * @param {{ cwd?: string, env?: object, onLine?: (line: string) => void }} [options]
 *   `onLine` gets the program's output line by line instead of the terminal.
 */
export function run(command, args = [], { cwd = root, env = {}, onLine } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", onLine ? "pipe" : "inherit", "inherit"],
    });
    if (onLine) {
      let rest = "";
      child.stdout.setEncoding("utf8").on("data", (text) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop();
        lines.forEach(onLine);
      });
      child.stdout.on("end", () => rest && onLine(rest));
    }
    child.on("error", (error) => reject(new Stop(`cannot run ${command}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Stop(`failed (${signal ?? `exit code ${code}`}): ${asTyped(command, args)}`));
    });
  });
}

/**
 * Runs Ninja. Its "[12/80] Building ..." lines become one that is rewritten in a terminal, and one
 * every ten seconds in a log; everything else, so every warning and error, is printed.
 */
export async function runNinja(folder, targets) {
  const terminal = process.stdout.isTTY;
  let last = Date.now();
  await run("ninja", ["-C", folder, ...targets], {
    onLine(line) {
      const step = line.match(/^\[(\d+)\/(\d+)\] (.*)/);
      if (!step) {
        if (!/^(ninja: (Entering|no work)|-- )|\(required\): /.test(line)) console.log(line); // CMake, run again, chats
      } else if (terminal) {
        process.stdout.write(`\r\x1b[K  ${line.slice(0, process.stdout.columns - 3)}${step[1] === step[2] ? "\n" : ""}`);
      } else if (Date.now() - last > 10_000) {
        last = Date.now();
        console.log(`  ${step[1]} of ${step[2]} steps (${seconds()} since the start)`);
      }
    },
  });
}

/** What a program prints, or undefined if it is missing or fails. */
export function ask(command, args = []) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** Runs a script's main function; a failure ends the process with one plain message. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    console.error(`\n${error instanceof Stop ? error.message : error.stack}`);
    process.exit(1);
  }
}
