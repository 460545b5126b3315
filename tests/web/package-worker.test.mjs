// The worker that the package starts, in Chromium: the package as it is in dist/, on plain pages.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fromRoot, launch } from "./browser.mjs";
import { serve } from "./server.mjs";

const folder = fromRoot("build/tests-web/package-worker");
const policies = { index: "", none: "worker-src 'none'", self: "worker-src 'self'" };
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
symlinkSync(fromRoot("dist"), join(folder, "softalign"));
for (const [name, policy] of Object.entries(policies)) {
  const meta = policy && `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  writeFileSync(join(folder, `${name}.html`), `<!doctype html>${meta}<link rel="icon" href="data:,"><title>Test</title>`);
}
writeFileSync(join(folder, "service-worker.js"), `
  import { Translator } from "./softalign/index.js";
  addEventListener("message", (event) => event.waitUntil((async () => {
    const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
    const { translation, attention } = await translator.explain("I am cold.");
    const html = await translator.translate("<b>I am cold.</b>", { html: true }).catch(({ name }) => name);
    translator.destroy();
    event.source.postMessage({ translation, weights: attention.length, html });
  })()));
`);
const workerScript = readFileSync(fromRoot("dist/worker.js"), "utf8");

describe("the package's worker", () => {
  let browser, server, cdn, page, errors, workers;
  before(async () => {
    browser = await launch();
    server = await serve(folder);
    cdn = await serve(folder, { "access-control-allow-origin": "*" });
  });
  after(async () => {
    await browser?.close();
    server?.close();
    cdn?.close();
  });
  beforeEach(async () => {
    server.answers.clear();
    page = await browser.newPage();
    errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    workers = [];
    page.on("worker", (worker) => workers.push(worker));
  });
  afterEach(async () => {
    await page.close();
    assert.deepEqual(errors, []);
  });

  /** Opens a page that has the package and `translator`, made with `options`; tests run in it. */
  async function open({ address = "index.html", from = server.url, ...options } = {}) {
    await page.goto(server.url + address);
    await page.evaluate(async ([from, options]) => {
      globalThis.softalign = await import(`${from}softalign/index.js`);
      globalThis.enFr = { sourceLanguage: "en", targetLanguage: "fr" };
      globalThis.settle = (promise) => promise.then((value) => ({ value }), ({ name, code, message }) => ({ name, code, message }));
      globalThis.translator = await softalign.Translator.create({ ...enFr, ...options });
      const methods = new Set();
      const heard = new WeakSet();
      /** How many messages have come from workers. */
      globalThis.replies = 0;
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, transfer) {
        methods.add(message.method);
        if (!heard.has(this)) this.addEventListener("message", () => ++globalThis.replies);
        heard.add(this);
        return postMessage.call(this, message, transfer);
      };
      /** Waits until the worker has been asked for all of these. */
      globalThis.asked = async (...all) => {
        while (!all.every((method) => methods.has(method))) await new Promise((done) => setTimeout(done, 5));
      };
    }, [from, options]);
  }
  const translates = () => page.evaluate(() => translator.translate("I am cold."));
  /** Serves a worker that runs `script` before the package's own. */
  function spoil(script) {
    server.answers.set(/worker\.js$/, (response) =>
      response.writeHead(200, { "content-type": "text/javascript" }).end(`${script}\n${workerScript}`));
  }

  test("leaves the page free while a sentence is translated, which takes as long as it takes", async () => {
    await open();
    const [beside, inPlace] = await page.evaluate(async () => {
      /** How often a timer runs while a long sentence is translated. */
      const ticksWhile = async (translator) => {
        await translator.translate("I am cold.");
        let ticks = 0;
        const timer = setInterval(() => ++ticks, 4);
        await translator.translate("and then he said that ".repeat(20), { beam: 16 });
        clearInterval(timer);
        return ticks;
      };
      const there = await softalign.Translator.create({ ...enFr, worker: false });
      return [await ticksWhile(translator), await ticksWhile(there)];
    });
    assert.equal(workers.length, 1);
    assert.ok(beside > 10 && inPlace < beside / 4, `${beside} ticks beside the worker, ${inPlace} in place`);
  });

  test("tells of heads and edits attention as is done in place", async () => {
    await open();
    const [beside, inPlace, failures] = await page.evaluate(async () => {
      const there = await softalign.Translator.create({ ...enFr, worker: false });
      const off = [{ kind: "cross", layer: 1, head: 0 }];
      const weights = Float32Array.of(0, 0, 1, 0, 0, 0, 0, 0);
      const edits = { mask: [0, 6], off, rows: [{ target: 1, weights }, { target: 2, weights, head: off[0] }] };
      const explain = async (translator) => {
        const explained = await translator.explain("I am cold. It is late.", { heads: true, edits });
        return JSON.stringify(explained, (key, value) => (value instanceof Float32Array ? [...value] : value));
      };
      const failures = [translator, there].map((one) => settle(one.explain("I am cold.", { edits: { off: [{ ...off[0], layer: 9 }] } })));
      const explained = [await explain(translator), await explain(there)];
      there.destroy();
      return [...explained, await Promise.all(failures)];
    });
    assert.match(beside, /"kind":"decoder"/);
    assert.equal(beside, inPlace);
    assert.equal(failures[0].code, "argument");
    assert.deepEqual(failures[0], failures[1]);
  });

  test("is shared, and gives the memory back", async () => {
    await open();
    const [before, with3, rounds, tags] = await page.evaluate(async () => {
      const before = softalign.engineStatus();
      const second = await softalign.Translator.create({ ...enFr, model: "en-fr-additive" });
      const tagger = await softalign.Tagger.load();
      const with3 = softalign.engineStatus();
      const { words, attention } = await tagger.tag("She sleeps.");
      await Promise.all([translator.translate("I am cold."), second.explain("I am cold.")]);
      second.destroy();
      tagger.dispose();
      const rounds = [];
      for (let i = 0; i < 10; ++i) {
        const several = await Promise.all([softalign.Translator.create(enFr), softalign.Translator.create(enFr)]);
        for (const translator of several) translator.destroy();
        rounds.push(softalign.engineStatus());
      }
      return [before, with3, rounds, [words.length, attention[0].data.length / attention[0].shape[0]]];
    });
    assert.deepEqual([before.handles, with3.handles], [1, 3]);
    assert.equal(before.handles, rounds.at(-1).handles);
    assert.equal(rounds[1].heapBytes, rounds.at(-1).heapBytes);
    assert.deepEqual(tags, [3, 9]);
    assert.deepEqual(workers.map((worker) => worker.url()), [`${server.url}softalign/worker.js`]);
  });

  test("is one of several, if that is wished for", async () => {
    await open({ workers: 2 });
    assert.match(await translates(), /froid/);
    const [together, one] = await page.evaluate(async () => {
      const texts = Array.from({ length: 40 }, (_, i) => `I am ${i % 2 ? "cold" : "late"}.`);
      const alone = await softalign.Translator.create(enFr);
      const each = [];
      for (const text of texts) each.push(await alone.translate(text));
      return [await translator.translate(texts), each];
    });
    assert.deepEqual(together, one);
    assert.deepEqual(workers.map((worker) => worker.url()), Array(2).fill(`${server.url}softalign/worker.js`));
    assert.equal(await page.evaluate(() => softalign.engineStatus().handles), 2);
  });

  test("is not started if that is not wished for, nor in a worker", async () => {
    await open({ worker: false });
    assert.match(await translates(), /froid/);
    assert.equal(workers.length, 0);
    const inWorker = await page.evaluate((url) => new Promise((resolve) => {
      const source = `import { Translator } from "${url}softalign/index.js";
        const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr" });
        postMessage(await translator.translate("I am cold."));`;
      const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })), { type: "module" });
      worker.onmessage = ({ data }) => resolve(data);
    }), server.url);
    assert.match(inWorker, /froid/);
    assert.equal(workers.length, 1, "the page's own");
  });

  test("ends when nothing has been open for a minute, and is started again", async () => {
    await page.clock.install();
    await open();
    const [worker] = workers;
    const closed = new Promise((resolve) => worker.once("close", resolve));
    await page.evaluate(() => {
      translator.destroy();
      return new Promise((done) => setTimeout(done, 100)); // until the worker has answered
    });
    await page.clock.fastForward(61_000);
    await closed;
    assert.deepEqual(await page.evaluate(() => softalign.engineStatus()), { handles: 0, heapBytes: 0 });
    await page.evaluate(async () => (globalThis.translator = await softalign.Translator.create(enFr)));
    assert.match(await translates(), /froid/);
    assert.equal(workers.length, 2);
  });

  describe("from another origin", () => {
    test("is started all the same", async () => {
      await open({ from: cdn.url });
      assert.match(await translates(), /froid/);
      assert.equal(workers.length, 1);
      assert.match(workers[0].url(), /^blob:/);
      assert.equal(await page.evaluate(() => softalign.engineStatus().handles), 1);
    });

    test("is not, where the page's policy forbids that", async () => {
      await open({ address: "self.html", from: cdn.url });
      assert.match(await translates(), /froid/);
      assert.equal(await page.evaluate(() => softalign.engineStatus().handles), 1);
    });
  });

  describe("works in place where", () => {
    test("the page's policy forbids workers", async () => {
      await open({ address: "none.html" });
      assert.match(await translates(), /froid/);
    });

    const broken = {
      "worker.js is not there": (response) => response.writeHead(404).end(),
      "a page is served in its place": (response) => response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>"),
      "it is no program": (response) => response.writeHead(200, { "content-type": "text/javascript" }).end("<!doctype html>"),
      "it fails": (response) => response.writeHead(200, { "content-type": "text/javascript" }).end("throw new Error('on purpose')"),
      "it has no WebAssembly": (response) =>
        response.writeHead(200, { "content-type": "text/javascript" }).end(`globalThis.WebAssembly = undefined;${workerScript}`),
    };
    for (const [name, answer] of Object.entries(broken)) {
      test(name, async () => {
        server.answers.set(/worker\.js$/, answer);
        await open();
        assert.match(await translates(), /froid/);
        server.requests.length = 0;
        await page.evaluate(async () => (await softalign.Translator.create(enFr)).destroy());
        assert.ok(!server.requests.includes("/softalign/worker.js"), "it is not tried again");
      });
    }
  });

  test("is tried again when the engine did not arrive", async () => {
    await open();
    server.answers.set(/\.wasm$/, (response) => response.writeHead(503).end());
    await page.reload();
    const failure = await page.evaluate(async () => {
      globalThis.softalign = await import("/softalign/index.js");
      globalThis.enFr = { sourceLanguage: "en", targetLanguage: "fr" };
      return softalign.Translator.create(enFr).catch(({ name, code, message }) => ({ name, code, message }));
    });
    assert.deepEqual(failure, {
      name: "NetworkError", code: "network", message: `could not download ${server.url}softalign/softalign.wasm: 503 Service Unavailable`,
    });
    server.answers.clear();
    workers.length = 0;
    await page.evaluate(async () => (globalThis.translator = await softalign.Translator.create(enFr)));
    assert.match(await translates(), /froid/);
    assert.equal(workers.length, 1);
  });

  const last = "const start = performance.now(); while (performance.now() < start + 500);";
  const crashes = {
    dies: `addEventListener("message", (event) => {
      const { method, args } = event.data;
      if (method !== "translate" || !JSON.stringify(args).includes("Crash.")) return;
      event.stopImmediatePropagation();
      ${last}
      throw new Error("on purpose");
    });`,
    traps: `const { charCodeAt } = String.prototype;
      String.prototype.charCodeAt = function (index) {
        if (String(this) !== "Crash.") return charCodeAt.call(this, index);
        ${last}
        throw new WebAssembly.RuntimeError("on purpose");
      };`,
  };
  for (const [how, script] of Object.entries(crashes)) {
    test(`${how}: what it was asked rejects, and the next call works`, async () => {
      spoil(script);
      await open();
      const model = readFileSync(fromRoot("dist/models/en-fr-additive.safetensors"), "base64");
      const result = await page.evaluate(async (model) => {
        const bytes = Uint8Array.from(atob(model), (c) => c.charCodeAt(0));
        const size = bytes.length;
        const other = await softalign.Translator.create({ ...enFr, model: bytes });
        const classifier = await softalign.Classifier.load();
        const crash = settle(translator.translate("Crash."));
        await asked("translate");
        const pending = await Promise.all([
          crash,
          settle(other.translate("I am cold.")),
          settle(classifier.classify("a wonderful film")),
        ]);
        const status = softalign.engineStatus();
        const next = await Promise.all([
          settle(translator.translate("I am cold.")),
          settle(other.translate("I am cold.")),
          settle(classifier.classify("a wonderful film").then(({ label }) => label)),
        ]);
        return { pending, status, next, handles: softalign.engineStatus().handles, kept: bytes.length === size };
      }, model);
      for (const { name, code, message } of result.pending) {
        assert.deepEqual([name, code], ["OperationError", "internal"]);
        assert.match(message, /on purpose/);
      }
      assert.deepEqual(result.status, { handles: 0, heapBytes: 0 });
      assert.match(result.next[0].value, /froid/);
      assert.match(result.next[1].value, /froid/);
      assert.equal(result.next[2].value, "positive");
      assert.deepEqual([result.handles, result.kept], [3, true]);
      assert.equal(workers.length, 2);
    });
  }

  test("runs out of memory without losing what it has", async () => {
    spoil(`const { grow } = WebAssembly.Memory.prototype;
      WebAssembly.Memory.prototype.grow = function (pages) {
        if (this.buffer.byteLength + pages * 65536 > 60e6) throw new RangeError("no more");
        return grow.call(this, pages);
      };`);
    await open();
    const [failure, next] = await page.evaluate(async () => {
      const reader = await softalign.LanguageModel.load();
      return [await settle(reader.read("word ".repeat(1900))), (await reader.read("Two words.")).tokens.length];
    });
    assert.deepEqual([failure.name, failure.code, next], ["SoftalignError", "out_of_memory", 3]);
    assert.match(await translates(), /froid/);
    assert.equal(workers.length, 1);
  });

  test("does not hold up who ends what is pending", async () => {
    await open();
    const { before, after, atLast, results, next, handles } = await page.evaluate(async () => {
      const busy = await softalign.Translator.create(enFr);
      const long = "and then he said that ".repeat(20);
      const controller = new AbortController();
      const { signal } = controller;
      const pending = [busy.translate(long, { beam: 16 })];
      await asked("translate"); // which will keep the worker busy
      pending.push(translator.translate("I am cold.", { signal }), translator.explain("I am cold.", { signal }), busy.align("a", "b"));
      pending.push(softalign.Tagger.load(undefined, { signal }));
      await asked("explain", "align", "createTagger");
      const before = replies;
      controller.abort(Object.assign(new Error("mine"), { code: "mine" }));
      busy.destroy();
      const results = await Promise.all(pending.map(settle));
      const after = replies;
      const next = await translator.translate("I am cold.");
      return { before, after, atLast: replies, results, next, handles: softalign.engineStatus().handles };
    });
    assert.deepEqual(results.map(({ code }) => code), ["destroyed", "mine", "mine", "destroyed", "mine"]);
    assert.equal(after, before, "no answer was waited for");
    assert.ok(atLast > after, "what was asked is answered to nobody");
    assert.match(next, /froid/);
    assert.equal(handles, 1);
  });
});

test("a service worker translates, too, all but HTML, which it would have to import later", async () => {
  const [browser, server] = await Promise.all([launch(), serve(folder)]);
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const answer = await page.evaluate(async () => {
      await navigator.serviceWorker.register("service-worker.js", { type: "module" });
      const { active } = await navigator.serviceWorker.ready;
      const answered = new Promise((resolve) => (navigator.serviceWorker.onmessage = ({ data }) => resolve(data)));
      active.postMessage("I am cold.");
      return answered;
    });
    assert.deepEqual({ ...answer, weights: answer.weights > 4 }, { translation: "J'ai froid.", weights: true, html: "TypeError" });
  } finally {
    await browser.close();
    server.close();
  }
});
