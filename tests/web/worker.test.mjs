// The page's worker and the page's side of it, in Node, with a double of the package that records what it is asked.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { importFixture } from "./build.mjs";

// What a worker has: a place for messages in and out.
const scope = new EventTarget();
const replies = [];
scope.postMessage = (message) => replies.push(structuredClone(message));
globalThis.self = scope;

const { destroyed, Engine, explained, loadings, next, readings } = await importFixture("worker");

let id = 0;
function ask(text, model = "fr-additive", level = "word") {
  scope.dispatchEvent(Object.assign(new Event("message"), { data: { kind: "translate", id: ++id, text, model, level } }));
  return id;
}

async function until(condition, what) {
  for (let i = 0; i < 400; ++i) {
    if (condition()) return;
    await new Promise((done) => setTimeout(done, 5));
  }
  assert.fail(`still waiting for ${what}`);
}

const settled = (request) => until(
  () => replies.some((reply) => reply.id === request && reply.kind !== "sentences"), `an answer to ${request}`);
const sentencesOf = (request) => {
  const all = [];
  for (const reply of replies) {
    if (reply.id !== request || reply.kind !== "sentences") continue;
    assert.equal(reply.from <= all.length, true, "sentences come in order");
    all.splice(reply.from, Infinity, ...reply.sentences);
  }
  return all;
};

/** Asks, and lets the model load if it has to. */
async function answered(...request) {
  const asked = ask(...request);
  await new Promise((done) => setTimeout(done, 1));
  loadings.splice(0).forEach((loading) => loading.finish());
  await settled(asked);
  return asked;
}

beforeEach(() => {
  replies.length = explained.length = destroyed.length = 0;
});

test("a model that is still loading is given up when another is asked for, and loaded anew when asked for again", async () => {
  ask("Hello.", "fr-dot");
  await until(() => loadings.length === 1, "a download");
  const [first] = loadings.splice(0);
  const request = ask("Hello.", "fr-additive");
  assert.equal(first.signal.aborted, true);
  await until(() => loadings.length === 1, "the other download");
  assert.equal(loadings[0].model, "fr-additive");
  loadings.splice(0)[0].finish();
  await settled(request);
  assert.deepEqual(replies.filter(({ kind }) => kind === "failed"), []);
  assert.deepEqual(sentencesOf(request).map(({ translation }) => translation), ["fr-additive(Hello.)"]);
  assert.equal(sentencesOf(await answered("Hello.", "fr-dot"))[0].translation, "fr-dot(Hello.)");
});

test("typing on while a model loads does not load it twice", async () => {
  next.failure = "internal"; // drops the additive model
  await settled(ask("Drop it."));
  assert.deepEqual(destroyed, ["fr-additive"]);
  ask("H");
  await until(() => loadings.length === 1, "a download");
  const request = ask("He");
  await new Promise((done) => setTimeout(done, 10));
  assert.equal(loadings.length, 1);
  loadings.splice(0)[0].finish();
  await settled(request);
  assert.deepEqual(explained.filter((text) => text === "H"), [], "the older text is not translated any more");
});

test("a failed load is told with its code, and the next request tries again", async () => {
  const request = ask("Hello there.", "fr-plain");
  await until(() => loadings.length === 1, "a download");
  loadings.splice(0)[0].fail("network");
  await settled(request);
  const { kind, code, message } = replies.find((reply) => reply.id === request);
  assert.deepEqual({ kind, code, message }, { kind: "failed", code: "network", message: "failed on purpose: network" });
  assert.equal(sentencesOf(await answered("Hello there.", "fr-plain"))[0].translation, "fr-plain(Hello there.)");
});

test("sentences keep their order, their places and what lies between them", async () => {
  const text = "  One two.\n\nThree four.  Five six. ";
  const request = await answered(text);
  const sentences = sentencesOf(request);
  const done = replies.find((reply) => reply.id === request && reply.kind === "done");
  assert.equal(done.count, 3);
  assert.equal(sentences.map(({ before, start, end }) => before + text.slice(start, end)).join("") + done.after, text);
  assert.deepEqual(sentences.map(({ translation }) => translation),
    ["fr-additive(One two.)", "fr-additive(Three four.)", "fr-additive(Five six.)"]);
});

test("a newer request ends the older at its next sentence, and no reply to the older comes after", async () => {
  const long = Array.from({ length: 40 }, (_, i) => `Long sentence ${i}.`).join(" ");
  const older = ask(long);
  await until(() => explained.length >= 2, "the first sentences");
  const told = replies.length;
  await settled(ask("Short now."));
  await new Promise((done) => setTimeout(done, 60));
  assert.ok(explained.length < 8, `${explained.length} sentences were translated`);
  assert.deepEqual(replies.slice(told).filter((reply) => reply.id === older), []);
});

test("a long text is told in parts while it grows", async () => {
  const request = await answered(Array.from({ length: 40 }, (_, i) => `Growing sentence ${i}.`).join(" "));
  assert.ok(replies.filter((reply) => reply.id === request && reply.kind === "sentences").length > 2);
  assert.equal(sentencesOf(request).length, 40);
});

test("an edit translates only the sentence that it touched", async () => {
  await answered("The first one. The second one.");
  explained.length = 0;
  await answered("The first one. The second two.");
  assert.deepEqual(explained, ["The second two."]);
});

test("the model without attention is compared with the one that has it", async () => {
  const sentences = sentencesOf(await answered("Compare me.", "fr-plain"));
  assert.equal(sentences[0].attention, null);
  assert.equal(sentences[0].withAttention, "fr-additive(Compare me.)");
  assert.equal(sentencesOf(await answered("Compare me.", "fr-dot"))[0].withAttention, null);
});

test("blank text has no sentences and comes back as it is", async () => {
  const request = await answered(" \n ");
  assert.deepEqual(sentencesOf(request), []);
  assert.deepEqual(replies.find((reply) => reply.id === request && reply.kind === "done"), {
    kind: "done", id: request, count: 0, after: " \n ",
  });
});

function read(text) {
  scope.dispatchEvent(Object.assign(new Event("message"), { data: { kind: "read", id: ++id, text } }));
  return id;
}

test("a cancelled request is not answered, and its model's download ends", async () => {
  const given = loadings.length;
  const request = ask("I am cold.", "fr-transformer");
  await until(() => loadings.length > given, "the download");
  scope.dispatchEvent(Object.assign(new Event("message"), { data: { kind: "cancel", what: "translate" } }));
  await until(() => loadings.at(-1).signal.aborted, "the end of the download");
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(replies.some((reply) => reply.id === request), false);
  const again = ask("I am cold.", "fr-transformer");
  await until(() => loadings.length > given + 1, "another download");
  loadings.splice(0).at(-1).finish();
  await settled(again);
  assert.equal(sentencesOf(again).length, 1);
});

test("the reader is loaded at its first use, once, and again if it did not arrive", async () => {
  const first = read("One.");
  await until(() => loadings.length === 1, "a download");
  assert.equal(loadings[0].model, "en-lstmn");
  loadings.splice(0)[0].fail("network");
  await settled(first);
  assert.equal(replies.find((reply) => reply.id === first).code, "network");
  const second = read("Two.");
  await until(() => loadings.length === 1, "another download");
  loadings.splice(0)[0].finish();
  await settled(second);
  assert.ok(replies.some((reply) => reply.kind === "loading" && reply.model === "reader" && reply.fraction === 1));
  const refused = read("");
  await settled(refused);
  assert.equal(replies.find((reply) => reply.id === refused).code, "argument");
  const third = read("Three.");
  await settled(third);
  assert.deepEqual(loadings, []);
  assert.deepEqual(readings, ["Two.", "Three."]);
  assert.equal(replies.find((reply) => reply.id === third).reading.tokens[0].text, "Three.");
});

test("the engine passes on answers to the latest request only, and starts afresh after a crash", () => {
  const workers = [];
  globalThis.Worker = class extends EventTarget {
    sent = [];
    constructor() {
      super();
      workers.push(this);
    }
    postMessage(message) {
      this.sent.push(message);
    }
    terminate() {
      this.terminated = true;
    }
    tell(data) {
      this.dispatchEvent(Object.assign(new Event("message"), { data }));
    }
  };
  const heard = [];
  const engine = new Engine({
    loading: (...about) => heard.push(["loading", ...about]),
    sentences: (from) => heard.push(["sentences", from]),
    done: (count) => heard.push(["done", count]),
    failed: ({ code }) => heard.push(["failed", code]),
  });
  engine.request("a", "fr-additive", "word");
  engine.request("ab", "fr-additive", "word");
  const [worker] = workers;
  const [older, latest] = worker.sent.map((request) => request.id);
  worker.tell({ kind: "sentences", id: older, from: 0, sentences: [] });
  worker.tell({ kind: "failed", id: older, code: "internal", message: "" });
  worker.tell({ kind: "loading", model: "fr-additive", fraction: 0.5 });
  worker.tell({ kind: "sentences", id: latest, from: 0, sentences: [] });
  worker.tell({ kind: "done", id: latest, count: 0, after: "" });
  assert.deepEqual(heard.splice(0), [["loading", "fr-additive", 0.5], ["sentences", 0], ["done", 0]]);
  worker.dispatchEvent(Object.assign(new Event("error"), { message: "out of luck" }));
  assert.deepEqual(heard, [["failed", "worker"]]);
  assert.equal(worker.terminated, true);
  engine.request("abc", "fr-additive", "word");
  assert.equal(workers.length, 2);
  assert.equal(workers[1].sent[0].text, "abc");
  heard.length = 0;
  engine.reader = {
    loading: (fraction) => heard.push(["reader", fraction]),
    read: ({ perplexity }) => heard.push(["read", perplexity]),
    failed: ({ code }) => heard.push(["not read", code]),
  };
  engine.read("a");
  engine.read("b");
  const [translated, superseded, asked] = workers[1].sent.map((request) => request.id);
  workers[1].tell({ kind: "loading", model: "reader", fraction: 0.5 });
  workers[1].tell({ kind: "reading", id: superseded, reading: { perplexity: 1 } });
  workers[1].tell({ kind: "reading", id: asked, reading: { perplexity: 2 } });
  workers[1].tell({ kind: "failed", id: asked, code: "network", message: "" });
  workers[1].tell({ kind: "done", id: translated, count: 1, after: "" });
  assert.deepEqual(heard.splice(0), [["reader", 0.5], ["read", 2], ["not read", "network"], ["done", 1]]);
  workers[1].dispatchEvent(Object.assign(new Event("error"), { message: "out of luck" }));
  assert.deepEqual(heard, [["failed", "worker"], ["not read", "worker"]]);
});
