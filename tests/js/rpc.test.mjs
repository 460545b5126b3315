// The two sides of a worker's port, in one thread: a channel between them, and a double of the WebAssembly module.
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { LocalObject } from "../../dist/engine-object.js";
import { Engine, engineStatus } from "../../dist/engine.js";
import { SoftalignError } from "../../dist/errors.js";
import { Connection, serve } from "../../dist/rpc.js";

const wasm = new URL("http://localhost/softalign.wasm");
let made, far, connection, closed;

/** What a C++ class looks like from here. */
class Model {
  deleted = false;
  constructor(bytes) {
    this.bytes = bytes;
    made.push(this);
  }
  delete() {
    this.deleted = true;
  }
  bytesAndWords(words) {
    return { value: { bytes: this.bytes, words, list: [{ weights: this.bytes }, null, "text", undefined] } };
  }
  fails() {
    return { error: { code: "argument", message: "beam is 99" } };
  }
  traps() {
    throw new WebAssembly.RuntimeError("unreachable");
  }
}

beforeEach(() => {
  made = [];
  const module = {
    createModel: (bytes) => ({ value: new Model(bytes) }),
    liveHandles: () => made.filter(({ deleted }) => !deleted).length,
    heapBytes: () => 1000 * (1 + made.length),
  };
  const { port1, port2 } = new MessageChannel();
  far = port2;
  closed = 0;
  serve(far, async (address) => {
    assert.equal(address, wasm.href);
    return new LocalObject(new Engine(module));
  });
  connection = new Connection(port1, () => {
    ++closed;
    port1.close();
  });
});
afterEach(() => {
  connection.end("the test is over");
  mock.timers.reset();
});

test("objects are made, called and freed on the other side", async () => {
  const engine = await connection.load(wasm);
  assert.deepEqual(engineStatus(), { handles: 0, heapBytes: 1000 });
  const [one, two] = await Promise.all([engine.call("createModel", [Uint8Array.of(1)]), engine.call("createModel", [Uint8Array.of(2)])]);
  assert.deepEqual(engineStatus(), { handles: 2, heapBytes: 3000 });
  const answers = await Promise.all([one.call("bytesAndWords", [["a", "b"]]), two.call("bytesAndWords", [true])]);
  assert.deepEqual(answers, [
    { bytes: Uint8Array.of(1), words: ["a", "b"], list: [{ weights: Uint8Array.of(1) }, null, "text", undefined] },
    { bytes: Uint8Array.of(2), words: true, list: [{ weights: Uint8Array.of(2) }, null, "text", undefined] },
  ]);
  one.free();
  assert.equal(engineStatus().handles, 1);
  await two.call("fails", []).catch(() => {});
  assert.deepEqual(made.map(({ deleted }) => deleted), [true, false]);
});

test("arrays are given away, not copied", async () => {
  const engine = await connection.load(wasm);
  const bytes = new Uint8Array(100).subarray(10);
  const model = await engine.call("createModel", [bytes]);
  assert.equal(bytes.length, 0);
  await model.call("bytesAndWords", []);
  assert.equal(made[0].bytes.length, 0);
});

test("errors keep their code and message, and say who called", async () => {
  const engine = await connection.load(wasm);
  const model = await engine.call("createModel", [new Uint8Array(1)]);
  async function whoCalled() {
    await model.call("fails", []);
  }
  await assert.rejects(whoCalled(), (error) => {
    assert.ok(error instanceof SoftalignError);
    assert.deepEqual([error.code, error.message], ["argument", "beam is 99"]);
    assert.match(error.stack, /whoCalled/);
    return true;
  });
  assert.equal(connection.lost, false);
});

test("an engine that cannot be loaded says why", async () => {
  serve(far, () => Promise.reject(new SoftalignError("network", "could not download it")));
  await assert.rejects(connection.load(wasm), { code: "network", message: "could not download it" });
  serve(far, () => Promise.reject(new TypeError("is not a function")));
  await assert.rejects(connection.load(wasm), { code: "internal", message: "is not a function" });
});

test("a trap ends the other side with all that it was asked", async () => {
  const engine = await connection.load(wasm);
  const model = await engine.call("createModel", [new Uint8Array(1)]);
  const pending = [model.call("traps", []), model.call("bytesAndWords", []), engine.call("createModel", [new Uint8Array(1)])];
  for (const { reason } of await Promise.allSettled(pending)) {
    assert.deepEqual([reason?.code, reason?.name], ["internal", "OperationError"]);
    assert.match(reason.message, /unreachable/);
  }
  assert.deepEqual([model.host.lost, engine.host.lost, closed], [true, true, 1]);
  assert.deepEqual(engineStatus(), { handles: 0, heapBytes: 0 });
  await assert.rejects(model.call("bytesAndWords", []), { code: "internal" });
  model.free();
});

test("when the other side dies, what it was asked rejects", async () => {
  const engine = await connection.load(wasm);
  far.onmessage = null;
  const pending = engine.call("createModel", [new Uint8Array(1)]);
  connection.end("the worker stopped: out of luck");
  await assert.rejects(pending, { name: "OperationError", code: "internal", message: "the worker stopped: out of luck" });
});

test("what was dropped without being freed is freed in the end", async () => {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  const engine = await connection.load(wasm);
  await engine.call("createModel", [new Uint8Array(1)]);
  for (let i = 0; i < 50 && !made[0].deleted; ++i) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(made[0].deleted, true);
  assert.equal(connection.liveHandles, 0);
});

/** Long enough for an answer that nobody waits for. */
async function answered() {
  for (let i = 0; i < 20; ++i) await new Promise(setImmediate);
}

test("it ends when nothing has been open for a minute", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const engine = await connection.load(wasm);
  mock.timers.tick(59_000);
  const model = await engine.call("createModel", [new Uint8Array(1)]);
  mock.timers.tick(1e6);
  assert.equal(connection.lost, false, "while a model is open");
  model.free();
  await answered();
  mock.timers.tick(59_000);
  assert.equal(connection.lost, false, "at once");
  await engine.call("createModel", [new Uint8Array(1)]).then((next) => next.free());
  await answered();
  mock.timers.tick(59_000);
  assert.equal(connection.lost, false, "a minute after the first");
  mock.timers.tick(1_000);
  assert.deepEqual([connection.lost, closed], [true, 1]);
});
