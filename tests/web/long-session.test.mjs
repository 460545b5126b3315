// A long visit: hundreds of edits, with every kind of attention. Memory stays what it was after the first of them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fromRoot } from "./browser.mjs";
import { soon } from "./soon.mjs";
import { missing, visits } from "./visit.mjs";

const edits = 500;
/** After these, every model is there, every kind of sentence was translated and what grows once has grown. */
const warmUp = 120;
const editsPerModel = 20;
const models = ["Transformer", "Additive", "Dot product"];

// Short sentences, each of them new: its number is a word of its own.
const kinds = [
  (n) => `I have ${n} books.`,
  (n) => `Where are my ${n} keys?`,
  (n) => `My sister bought ${n} small red cars near the sea.`,
  (n) => `She is not ${n} years old!`,
  (n) => `Give me ${n} of them, please.`,
];

// The worker remembers the last 500 translations, so it keeps a little more with each of these.
const pageLimit = 1.5e6;
const workerLimit = 3e6;

describe("a long session", { skip: missing }, () => {
  const visit = visits();

  /** The debugger's way into the page's worker. */
  async function worker() {
    const devtools = await visit.context.newCDPSession(visit.page);
    const attached = new Promise((resolve) => devtools.once("Target.attachedToTarget", resolve));
    await devtools.send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    const { sessionId } = await attached;
    const waiting = new Map();
    let sent = 0;
    devtools.on("Target.receivedMessageFromTarget", ({ message }) => {
      const { id, result, error } = JSON.parse(message);
      if (error) waiting.get(id)?.reject(new Error(error.message));
      else waiting.get(id)?.resolve(result);
    });
    return {
      send: (method, params = {}) => new Promise((resolve, reject) => {
        waiting.set(++sent, { resolve, reject });
        devtools.send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id: sent, method, params }) }).catch(reject);
      }),
    };
  }

  /** Bytes that JavaScript holds on to, when all that is garbage is gone. */
  async function heap(devtools) {
    for (let i = 0; i < 3; ++i) await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize;
  }

  /** Lets the page's worker remember the memories of what it instantiates. */
  function watchMemories() {
    visit.server.answers.set(/assets\/worker-.*\.js$/, (response, path) => {
      response.writeHead(200, { "content-type": "text/javascript" });
      response.end(`${watching}\n${readFileSync(fromRoot(`build/web${path}`), "utf8")}`);
    });
  }
  const watching = `
    globalThis.memories = [];
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const result = await original.apply(WebAssembly, given);
        for (const value of Object.values(result.instance.exports)) if (value instanceof WebAssembly.Memory) memories.push(value);
        return result;
      };
    }`;
  const memories = () => visit.page.workers()[0].evaluate(() => globalThis.memories.map(({ buffer }) => buffer.byteLength));

  /** Types sentences, each when the one before is shown. @returns how many had no translation. */
  const type = (sentences) => visit.page.evaluate(async (sentences) => {
    const area = document.querySelector("source-text textarea");
    const figure = document.querySelector("attention-figure");
    let empty = 0;
    for (const { text, word } of sentences) {
      area.value = text;
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
      while (!figure.querySelector("alignment-grid").data?.source.includes(word)) await new Promise((resolve) => setTimeout(resolve, 4));
      if (document.querySelector("translation-text").textContent.trim() === "") ++empty;
    }
    return empty;
  }, sentences);

  test(`${edits} edits do not need more memory than ${warmUp}`, async (t) => {
    watchMemories();
    const page = await visit.open("#text=", { serviceWorkers: "block" });
    await page.waitForFunction(() => document.querySelector("translation-text").ariaBusy === "false");
    const inPage = await visit.context.newCDPSession(page);
    const inWorker = await worker();
    let done = 0;
    const work = async (count) => {
      for (const end = done + count; done < end; done += editsPerModel) {
        const model = models[(done / editsPerModel) % models.length];
        await page.getByRole("radio", { name: model, exact: true }).check({ force: true });
        const sentences = Array.from({ length: editsPerModel }, (_, i) => ({
          text: kinds[i % kinds.length](100 + done + i), word: String(100 + done + i),
        }));
        await soon.equal(() => type(sentences), 0);
      }
    };
    const measure = async () => ({ wasm: await memories(), page: await heap(inPage), worker: await heap(inWorker) });
    await work(warmUp);
    const before = await measure();
    await work(edits - warmUp);
    const after = await measure();
    const growth = (of) => `${((after[of] - before[of]) / 1e3).toFixed(0)} kB`;
    t.diagnostic(`WebAssembly ${after.wasm.map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`)}; page + ${growth("page")}, worker + ${growth("worker")}`);
    assert.equal(before.wasm.length, 1);
    assert.deepEqual(after.wasm, before.wasm);
    assert.ok(after.page - before.page < pageLimit, `the page keeps ${growth("page")} more`);
    assert.ok(after.worker - before.worker < workerLimit, `the worker keeps ${growth("worker")} more`);
  });
});
