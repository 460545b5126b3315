import { SoftalignError } from "./errors.js";

// The few things that differ between browsers and Node, chosen by what is there at run time. Node's
// modules are never named in an import, so bundlers for the web have nothing to stumble over.

/** What is used of `node:fs/promises`. */
export interface NodeFileSystem {
  readFile(path: URL | string, options?: { signal?: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>;
  writeFile(path: string, bytes: Uint8Array, options: { flag: string }): Promise<void>;
  stat(path: URL | string): Promise<unknown>;
  mkdir(path: string, options: { recursive: boolean }): Promise<unknown>;
  readdir(path: string): Promise<string[]>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string): Promise<void>;
}

interface NodeProcess {
  versions?: { node?: string };
  platform: string;
  env: Record<string, string | undefined>;
  getBuiltinModule?(name: string): unknown;
}

const globals = globalThis as {
  process?: NodeProcess;
  setImmediate?: (callback: () => void) => unknown;
  document?: { baseURI: string };
  location?: { href: string };
};

/** Node's process, and that of run-times which have Node's modules, too. */
export const nodeProcess = globals.process?.versions?.node === undefined ? undefined : globals.process;

/** One of Node's modules, by a name like "fs/promises". */
export async function nodeModule<Module>(name: string): Promise<Module> {
  const full = `node:${name}`;
  const builtin = nodeProcess?.getBuiltinModule?.(full); // Node 20.16 and later
  return (builtin ?? (await import(/* @vite-ignore */ /* webpackIgnore: true */ full))) as Module;
}

/** Whether an address is on this machine's disk and can be read from there. */
export function isLocalFile(url: URL): boolean {
  return url.protocol === "file:" && nodeProcess !== undefined;
}

export async function readLocalFile(url: URL, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const { readFile } = await nodeModule<NodeFileSystem>("fs/promises");
  return readFile(url, signal ? { signal } : {});
}

/** Whether an address is that of a file on this machine's disk, and the file is there. */
export async function localFileExists(url: URL): Promise<boolean> {
  if (!isLocalFile(url)) return false;
  const { stat } = await nodeModule<NodeFileSystem>("fs/promises");
  return stat(url).then(() => true, () => false);
}

/** SHA-256 in hexadecimal digits. Pages without HTTPS have none. */
export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes);
  return digest && Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Whether this is a page rather than a worker or a run-time without either. */
export function isPage(): boolean {
  return globals.document !== undefined;
}

/** What relative addresses are relative to, where there is such a thing. */
export function baseAddress(): string | undefined {
  return globals.document?.baseURI ?? globals.location?.href;
}

/** Lets everything else that waits for its turn run: input, timers, messages, aborts. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (globals.setImmediate) {
      globals.setImmediate(resolve);
      return;
    }
    // Not setTimeout: browsers hold nested ones back by 4 ms, as long as a sentence takes.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it is aborted. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

// Two modules of one function each: () -> v128 and one with try/catch.
const usesSimd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
const usesExceptions = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11];

/** @throws {SoftalignError} `unavailable`, saying what this run-time lacks. */
export function requireFeatures(): void {
  const missing = (what: string) =>
    new SoftalignError("unavailable", `softalign needs ${what}, which this browser or run-time does not have`);
  if (typeof WebAssembly !== "object") throw missing("WebAssembly");
  if (!WebAssembly.validate(new Uint8Array(usesSimd))) throw missing("WebAssembly SIMD");
  if (!WebAssembly.validate(new Uint8Array(usesExceptions))) throw missing("WebAssembly exception handling");
  if (typeof Intl.Segmenter !== "function") throw missing("Intl.Segmenter");
}
