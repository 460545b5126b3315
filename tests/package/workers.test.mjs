// Several workers, and worker threads of Node in general.
import assert from "node:assert/strict";
import { rename, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { Worker } from "node:worker_threads";
import { hosted, Installed } from "./installed.mjs";

const enFr = { sourceLanguage: "en", targetLanguage: "fr" };
/** In a worker: what a trap looks like from outside, and a thread that ends. */
const faults = `
  const { charCodeAt } = String.prototype;
  String.prototype.charCodeAt = function (index) {
    if (String(this) === "Crash.") throw new WebAssembly.RuntimeError("unreachable");
    if (String(this) === "Exit.") process.exit();
    return charCodeAt.call(this, index);
  };
`;
let installed, softalign, Translator, alone, team, worker;
before(async () => {
  installed = await Installed.install();
  worker = installed.path("node_modules/softalign/dist/worker.js");
  await writeFile(worker, faults + (await installed.read("dist/worker.js")));
  softalign = await installed.import();
  ({ Translator } = softalign);
  softalign.setModelBase(hosted);
  alone = await Translator.create(enFr);
  team = await Translator.create({ ...enFr, workers: 3 });
});
after(async () => {
  alone?.destroy();
  team?.destroy();
  await installed?.remove();
});

const words = ["cat", "house", "old man", "book", "green car", "dog", "tree"];
const texts = Array.from({ length: 100 }, (_, i) => `${i % 3 ? "The" : "My"} ${words[i % 7]} is ${i % 2 ? "small" : "very old and big"}. ${i % 5 ? "" : " I know."}`);

describe("several workers", () => {
  test("say together what one says, of many texts, of a long one and of HTML", async () => {
    assert.deepEqual(await team.translate(texts), await alone.translate(texts));
    const long = texts.join("\n");
    assert.equal(await team.translate(long), await alone.translate(long));
    assert.equal(await team.translate("I am cold. You are late.", { prefix: "J'ai" }), await alone.translate("I am cold. You are late.", { prefix: "J'ai" }));
    const html = texts.map((text, i) => `<p>${i % 2 ? text.replace("is", "<b>is</b>") : text}</p>`).join("");
    assert.equal(await team.translate(html, { html: true }), await alone.translate(html, { html: true }));
    assert.deepEqual(await team.translate([]), []);
    assert.equal(await team.translate(" "), " ");
    const chunks = [];
    for await (const chunk of team.translateStreaming("I am cold. You are late.")) chunks.push(chunk);
    assert.deepEqual(chunks, [await alone.translate("I am cold."), " ", await alone.translate("You are late.")]);
  });

  test("have the model each, and share it with other translators", async () => {
    const { handles, heapBytes } = softalign.engineStatus();
    assert.equal(handles, 1 + 3);
    const others = await Promise.all([{ workers: 2 }, { workers: 3 }, { worker: true }].map((options) => Translator.create({ ...enFr, ...options })));
    assert.deepEqual(softalign.engineStatus(), { handles, heapBytes });
    for (const other of others) other.destroy();
    assert.match(await team.translate("I am cold."), /froid/);
    const four = await Translator.create({ ...enFr, workers: 4 });
    assert.equal(softalign.engineStatus().handles, handles + 1);
    four.destroy();
    assert.equal(softalign.engineStatus().handles, handles);
  });

  test("work at the same time", async () => {
    const asked = new Set();
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.method === "translate") asked.add(this);
      return postMessage.call(this, message, ...rest);
    };
    let first;
    try {
      const all = team.translate(texts).then(() => "all");
      first = await Promise.race([all, new Promise((resolve) => setImmediate(function look() {
        if (asked.size === 3) resolve("asked");
        else setImmediate(look);
      }))]);
      await all;
    } finally {
      Worker.prototype.postMessage = postMessage;
    }
    assert.equal(first, "asked", "all three are asked before all is done");
  });

  test("read a model once", async () => {
    const bytes = await installed.read("dist/models/en-fr-transformer.safetensors");
    let requests = 0;
    const server = createServer((_, response) => {
      ++requests;
      response.end(bytes);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const own = await Translator.create({ ...enFr, workers: 3, model: `http://127.0.0.1:${server.address().port}/model` });
    assert.match(await own.translate("I am cold."), /froid/);
    own.destroy();
    assert.equal(requests, 1);
    server.closeAllConnections();
    server.close();
  });

  test("are as many as was said, and in workers", async () => {
    for (const workers of [0, -1, 65, 1.5, "2", NaN, null]) {
      await assert.rejects(Translator.create({ ...enFr, workers }), { code: "argument", message: `workers is ${workers}, expected a whole number from 1 to 64` });
    }
    await assert.rejects(Translator.create({ ...enFr, workers: 2, worker: false }), { code: "argument", message: /worker is false/ });
    (await Translator.create({ ...enFr, workers: 1, worker: false })).destroy();
  });

  test("stop when one of them fails, or when they are told to", async () => {
    const reason = { why: "enough" };
    const controller = new AbortController();
    const own = await Translator.create({ ...enFr, workers: 2 });
    const many = texts.flatMap((text) => Array(20).fill(text));
    const aborted = own.translate(many, { signal: controller.signal });
    const destroyed = own.translate(many);
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(aborted, (error) => error === reason);
    own.destroy();
    await assert.rejects(destroyed, { name: "AbortError", code: "destroyed" });
    await assert.rejects(own.translate("a"), { name: "AbortError" });
  });
});

describe("a worker thread", () => {
  test("leaves this one free", async () => {
    const own = await Translator.create({ ...enFr, worker: true });
    const sentence = `The ${"old ".repeat(100)}cat sleeps.`;
    const turns = async (translator) => {
      let [count, done] = [0, false];
      const pending = translator.align(sentence, sentence).then(() => (done = true));
      for (; !done; ++count) await new Promise(setImmediate);
      await pending;
      return count;
    };
    const [there, here] = [await turns(own), await turns(alone)];
    assert.ok(there > 10 * here, `${there} turns meanwhile, ${here} where it is done here`);
    own.destroy();
  });

  for (const [text, message] of [["Crash.", /unreachable/], ["Exit.", /the worker stopped: it ended/]]) {
    test(`that ends (${text}) rejects what it was asked, and the next call works`, async () => {
      const own = await Translator.create({ ...enFr, workers: 2 });
      await assert.rejects(own.translate(text), { name: "OperationError", code: "internal", message });
      assert.deepEqual(await own.translate(texts), await alone.translate(texts));
      assert.deepEqual(await team.translate(texts), await alone.translate(texts), "of others, too");
      own.destroy();
    });
  }

  test("lets the process end, and does not let it end too early", async () => {
    const { stdout, stderr } = await installed.node(`
      import { Translator } from "softalign";
      const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", workers: 2 });
      translator.translate(["I am cold.", "You are late."]).then((texts) => console.log(texts.join("|")));
    `);
    assert.equal(stderr, "");
    assert.equal(stdout, `${(await alone.translate(["I am cold.", "You are late."])).join("|")}\n`);
  });

  test("that cannot be started is done without", async () => {
    await rename(worker, `${worker}.away`);
    try {
      const { stdout, stderr } = await installed.node(`
        import { engineStatus, Translator } from "softalign";
        const translator = await Translator.create({ sourceLanguage: "en", targetLanguage: "fr", workers: 2 });
        console.log((await translator.translate(["I am cold.", "You are late."])).join("|"), engineStatus().handles);
      `);
      assert.equal(stderr, "");
      assert.equal(stdout, `${(await alone.translate(["I am cold.", "You are late."])).join("|")} 1\n`);
    } finally {
      await rename(`${worker}.away`, worker);
    }
  });

  test("that cannot be started leaves its work to those that were", async () => {
    const { stdout } = await installed.node(`
      import { renameSync } from "node:fs";
      import { engineStatus, Translator } from "softalign";
      const pair = { sourceLanguage: "en", targetLanguage: "fr" };
      const one = await Translator.create({ ...pair, worker: true });
      const worker = ${JSON.stringify(worker)};
      renameSync(worker, worker + ".away");
      const two = await Translator.create({ ...pair, workers: 2 }).finally(() => renameSync(worker + ".away", worker));
      console.log((await two.translate(["I am cold.", "You are late."])).join("|"), engineStatus().handles);
    `);
    assert.equal(stdout, `${(await alone.translate(["I am cold.", "You are late."])).join("|")} 1\n`, "none in this thread");
  });
});
