import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Installed } from "./installed.mjs";

let installed, softalign;
before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
});
after(() => installed?.remove());

// Small numbers without a pattern, the same in every run.
const numbers = (count, seed) => Float32Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed));

function close(actual, expected) {
  assert.equal(actual.length, expected.length);
  for (const [i, value] of actual.entries()) {
    assert.ok(Math.abs(value - expected[i]) < 1e-5, `[${i}] is ${value}, expected ${expected[i]}`);
  }
}

// The layers once more, as the equations in their declarations say, in double precision.
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const rowsOf = (matrix, width) => Array.from({ length: matrix.length / width }, (_, r) => [...matrix.subarray(r * width, (r + 1) * width)]);
const times = (matrix, vector) => rowsOf(matrix, vector.length).map((r) => dot(r, vector));
const sigmoid = (x) => 1 / (1 + Math.exp(-x));

function softmax(scores) {
  const exps = scores.map(Math.exp);
  return exps.map((e) => e / exps.reduce((a, b) => a + b));
}

function attended(scores, values, width) {
  const alignment = softmax(scores);
  const context = Array.from({ length: width }, (_, j) => dot(alignment, rowsOf(values, width).map((v) => v[j])));
  return { alignment, context };
}

function gruStep(x, h, { inputWeight, hiddenWeight, inputBias, hiddenBias, hidden: H }) {
  const input = times(inputWeight, x).map((v, i) => v + inputBias[i]);
  const recurrent = times(hiddenWeight, h).map((v, i) => v + hiddenBias[i]);
  return h.map((previous, i) => {
    const r = sigmoid(input[i] + recurrent[i]);
    const z = sigmoid(input[H + i] + recurrent[H + i]);
    const n = Math.tanh(input[2 * H + i] + r * recurrent[2 * H + i]);
    return (1 - z) * n + z * previous;
  });
}

describe("Gru", () => {
  const weights = {
    input: 3,
    hidden: 5,
    inputWeight: numbers(45, 1),
    hiddenWeight: numbers(75, 2),
    inputBias: numbers(15, 3),
    hiddenBias: numbers(15, 4),
  };
  const zeros = new Float32Array(15);

  for (const [name, options] of [["with biases", weights], ["without", { ...weights, inputBias: undefined, hiddenBias: undefined }]]) {
    test(`computes its equation ${name}`, async () => {
      const gru = await softalign.Gru.create(options);
      const inputs = numbers(12, 5);
      const initial = numbers(5, 6);
      let h = [...initial];
      const expected = rowsOf(inputs, 3).flatMap((x) => (h = gruStep(x, h, { inputBias: zeros, hiddenBias: zeros, ...compact(options) })));
      const states = gru.run(inputs, initial);
      close(states, expected);
      close(gru.step(inputs.subarray(0, 3), initial), expected.slice(0, 5));
      close(gru.run(inputs), gru.run(inputs, new Float32Array(5)));
      gru.dispose();
    });
  }

  test("says which array does not fit", async () => {
    await assert.rejects(softalign.Gru.create({ ...weights, inputWeight: numbers(44, 1) }), {
      name: "SoftalignError",
      code: "shape",
      message: "Gru: inputWeight has 44 floats, expected [15, 3]",
    });
    await assert.rejects(softalign.Gru.create({ ...weights, hiddenBias: numbers(5, 1) }), { code: "shape", message: /hiddenBias/ });
    await assert.rejects(softalign.Gru.create({ ...weights, input: 65536, hidden: 65536 }), { code: "shape", message: /\[196608, 65536\]/ });
    for (const hidden of [0, -1, 1.5, NaN, undefined, 1e9]) {
      await assert.rejects(softalign.Gru.create({ ...weights, hidden }), { code: "argument", message: /^hidden is / });
    }
    await assert.rejects(softalign.Gru.create({ ...weights, inputWeight: [1, 2, 3] }), { code: "argument", message: /inputWeight/ });
    const gru = await softalign.Gru.create(weights);
    assert.throws(() => gru.run(numbers(4, 1)), { code: "shape", message: "Gru: inputs has 4 floats, expected rows of 3" });
    assert.throws(() => gru.run(numbers(0, 1)), { code: "shape" });
    assert.throws(() => gru.run(numbers(3, 1), numbers(4, 1)), { code: "shape", message: /initial/ });
    assert.throws(() => gru.step(numbers(6, 1), numbers(5, 1)), { code: "shape", message: /input has 6/ });
    assert.throws(() => gru.run([1, 2, 3]), { code: "argument" });
    gru.dispose();
  });
});

function compact(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const sizes = { query: 4, key: 3, width: 5, queryWeight: numbers(20, 1), keyWeight: numbers(15, 2) };
const query = numbers(4, 5);
const keys = numbers(18, 6); // 6 positions
const values = numbers(12, 7); // 2 wide

describe("AdditiveAttention", () => {
  const options = { ...sizes, bias: numbers(5, 3), score: numbers(5, 4) };
  const scores = (bias) => {
    const q = times(options.queryWeight, query);
    return rowsOf(keys, 3).map((key) => {
      const k = times(options.keyWeight, key);
      return dot(options.score, q.map((x, a) => Math.tanh(x + k[a] + bias[a])));
    });
  };

  test("computes its equation", async () => {
    const attention = await softalign.AdditiveAttention.create(options);
    const expected = attended(scores(options.bias), values, 2);
    const actual = attention.attend(query, keys, values);
    close(actual.alignment, expected.alignment);
    close(actual.context, expected.context);
    close(attention.attend(query, keys).context, attended(scores(options.bias), keys, 3).context);
    attention.dispose();
    const plain = await softalign.AdditiveAttention.create({ ...options, bias: undefined });
    close(plain.attend(query, keys).alignment, softmax(scores(new Float32Array(5))));
    plain.dispose();
  });

  test("says which array does not fit", async () => {
    await assert.rejects(softalign.AdditiveAttention.create({ ...options, score: numbers(4, 1) }), {
      code: "shape",
      message: "AdditiveAttention: score has 4 floats, expected [1, 5]",
    });
    const attention = await softalign.AdditiveAttention.create(options);
    assert.throws(() => attention.attend(numbers(5, 1), keys), { code: "shape", message: /query has 5/ });
    assert.throws(() => attention.attend(query, numbers(17, 1)), { code: "shape", message: /keys has 17/ });
    assert.throws(() => attention.attend(query, keys, numbers(13, 1)), { code: "shape", message: /values has 13/ });
    assert.throws(() => attention.attend(query, keys, numbers(0, 1)), { code: "shape", message: /values/ });
    attention.dispose();
  });
});

describe("DotAttention", () => {
  test("computes its equation", async () => {
    const attention = await softalign.DotAttention.create(sizes);
    const q = times(sizes.queryWeight, query);
    const scores = rowsOf(keys, 3).map((key) => dot(times(sizes.keyWeight, key), q));
    const expected = attended(scores, values, 2);
    const actual = attention.attend(query, keys, values);
    close(actual.alignment, expected.alignment);
    close(actual.context, expected.context);
    attention.dispose();
  });

  test("says which array does not fit", async () => {
    await assert.rejects(softalign.DotAttention.create({ ...sizes, queryWeight: numbers(15, 1) }), {
      code: "shape",
      message: "DotAttention: queryWeight has 15 floats, expected [5, 4]",
    });
  });
});

test("results outlive the layer and the memory's growth", async () => {
  const attention = await softalign.DotAttention.create(sizes);
  const { alignment } = attention.attend(query, keys);
  const before = [...alignment];
  attention.attend(query, numbers(3 * 1_000_000, 1)); // needs more memory than there is
  attention.dispose();
  assert.deepEqual([...alignment], before);
  assert.ok(softalign.engineStatus().heapBytes > 16 * 2 ** 20);
});

test("what memory cannot hold is refused, and the next call works", async () => {
  const attention = await softalign.DotAttention.create(sizes);
  for (const floats of [400e6, 600e6]) {
    const huge = new Float32Array(floats * 1.5); // a multiple of 3; never touched, so it costs nothing
    assert.throws(() => attention.attend(query, huge), { code: "out_of_memory" });
  }
  close(attention.attend(query, keys).alignment, attention.attend(query, keys).alignment);
  attention.dispose();
});

test("every handle is given back", async () => {
  assert.equal(softalign.engineStatus().handles, 0);
  const layers = [
    await softalign.Gru.create({ input: 1, hidden: 1, inputWeight: numbers(3, 1), hiddenWeight: numbers(3, 2) }),
    await softalign.AdditiveAttention.create({ ...sizes, score: numbers(5, 1) }),
    await softalign.DotAttention.create(sizes),
  ];
  assert.equal(softalign.engineStatus().handles, 3);
  for (const layer of layers) {
    layer.dispose();
    layer.dispose();
    layer[Symbol.dispose]();
  }
  assert.equal(softalign.engineStatus().handles, 0);
  assert.throws(() => layers[0].run(numbers(1, 1)), { code: "destroyed" });
  assert.throws(() => layers[1].attend(query, keys), { code: "destroyed" });
});
