import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, engineStatus } from "../../dist/engine.js";

test("values come out, errors are thrown with their code", () => {
  const engine = new Engine({ works: () => ({ value: 3 }), fails: () => ({ error: { code: "shape", message: "is 2, expected 3" } }) });
  assert.equal(engine.call((core) => core.works()), 3);
  assert.throws(() => engine.call((core) => core.fails()), { name: "SoftalignError", code: "shape", message: "is 2, expected 3" });
  assert.equal(engine.call((core) => core.works()), 3);
});

test("after a trap nothing in the instance is trusted", () => {
  const trap = new WebAssembly.RuntimeError("unreachable");
  const engine = new Engine({
    works: () => ({ value: 3 }),
    traps() {
      throw trap;
    },
  });
  const stopped = { name: "OperationError", code: "internal", message: /unreachable.*anew/, cause: trap };
  assert.throws(() => engine.call((core) => core.traps()), stopped);
  assert.throws(() => engine.call((core) => core.works()), stopped);
  engine.free({ delete: () => assert.fail("the destructor would run in a broken instance") });
});

test("the status loads nothing", () => {
  assert.deepEqual(engineStatus(), { handles: 0, heapBytes: 0 });
});
