// Makes web/src/how/positions.json: the positions with weights that how.html draws. Plain JavaScript in double precision, one
// minute: node scripts/train-positions.mjs
//
// Learned, recurrent and continuous ones are trained for one thing only, to tell attention where the neighbours are.
// For each offset o in -3, -1, 1, 3 a matrix M_o is trained along, so that position t finds position t + o:
//     loss = mean over t, o of -log softmax over s of (p[t]' M_o p[s]) at s = t + o   + a little |p|^2
import { readFileSync, writeFileSync } from "node:fs";

const T = 32, D = 24, F = 16;
const offsets = [-3, -1, 1, 3];
const steps = 3000;

/** Seeded, so that everybody gets the same numbers (mulberry32; normal by Box and Muller). */
function random(seed) {
  const uniform = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return (scale) => scale * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

// A tape over matrices [rows, columns], as small as it goes.
let tape = [];
const matrix = (rows, columns) => ({ rows, columns, value: new Float64Array(rows * columns), grad: new Float64Array(rows * columns) });
const node = (rows, columns, back) => {
  const m = matrix(rows, columns);
  tape.push(() => back(m));
  return m;
};
function matmul(a, b, { transposed = false } = {}) {
  const [n, k, m] = [a.rows, a.columns, transposed ? b.rows : b.columns];
  const at = transposed ? (i, j) => j * k + i : (i, j) => i * m + j;
  const y = node(n, m, ({ grad }) => {
    for (let i = 0; i < n; ++i) for (let j = 0; j < m; ++j) for (let l = 0, g = grad[i * m + j]; l < k; ++l) {
      a.grad[i * k + l] += g * b.value[at(l, j)];
      b.grad[at(l, j)] += g * a.value[i * k + l];
    }
  });
  for (let i = 0; i < n; ++i) for (let j = 0; j < m; ++j) for (let l = 0; l < k; ++l) y.value[i * m + j] += a.value[i * k + l] * b.value[at(l, j)];
  return y;
}
/** a + c b, of one shape. */
function add(a, b, c = 1) {
  const y = node(a.rows, a.columns, ({ grad }) => grad.forEach((g, i) => ((a.grad[i] += g), (b.grad[i] += c * g))));
  y.value.forEach((_, i) => (y.value[i] = a.value[i] + c * b.value[i]));
  return y;
}
function tanh(a) {
  const y = node(a.rows, a.columns, ({ value, grad }) => grad.forEach((g, i) => (a.grad[i] += g * (1 - value[i] ** 2))));
  y.value.forEach((_, i) => (y.value[i] = Math.tanh(a.value[i])));
  return y;
}
function stack(rows) {
  const width = rows[0].columns;
  const y = node(rows.length, width, ({ grad }) => rows.forEach((row, r) => row.grad.forEach((_, i) => (row.grad[i] += grad[r * width + i]))));
  rows.forEach((row, r) => y.value.set(row.value, r * width));
  return y;
}
/** Adds the gradient of the mean cross-entropy to the scores, and returns it. */
function crossEntropy(scores, offset) {
  let loss = 0;
  const count = T - Math.abs(offset);
  for (let t = Math.max(0, -offset); t < Math.min(T, T - offset); ++t) {
    const row = scores.value.subarray(t * T, (t + 1) * T);
    const most = Math.max(...row), sum = row.reduce((total, x) => total + Math.exp(x - most), 0);
    loss -= (row[t + offset] - most - Math.log(sum)) / count;
    row.forEach((x, s) => (scores.grad[t * T + s] += (Math.exp(x - most) / sum - (s === t + offset ? 1 : 0)) / count));
  }
  return loss;
}

// The three kinds, as in src/layers/positions: their weights by the names of the package, and p from them.
const kinds = {
  learned: { shapes: { weight: [T, D] }, scale: 0.1, positions: ({ weight }) => weight },
  recurrent: {
    shapes: { first: [1, D], weight: [D, D], bias: [1, D] },
    scale: 0.25,
    positions({ first, weight, bias }) {
      const p = [first];
      while (p.length < T) p.push(tanh(add(matmul(p.at(-1), weight, { transposed: true }), bias)));
      return stack(p);
    },
  },
  continuous: {
    shapes: { first: [1, D], "hidden.weight": [F, D], "hidden.bias": [1, F], time: [1, F], "out.weight": [D, F], "out.bias": [1, D] },
    scale: 0.25,
    positions(w) {
      const slope = (time, p) => {
        const hidden = tanh(add(add(matmul(p, w["hidden.weight"], { transposed: true }), w["hidden.bias"]), w.time, time));
        return add(matmul(hidden, w["out.weight"], { transposed: true }), w["out.bias"]);
      };
      const p = [w.first];
      while (p.length < T) {
        const [t, at] = [p.length - 1, p.at(-1)]; // Runge and Kutta, one step for each position
        const a = slope(t, at), b = slope(t + 0.5, add(at, a, 0.5)), c = slope(t + 0.5, add(at, b, 0.5)), d = slope(t + 1, add(at, c));
        p.push(add(at, add(add(a, d), add(b, c), 2), 1 / 6));
      }
      return stack(p);
    },
  },
};

function train(kind, seed) {
  const normal = random(seed);
  const weights = Object.fromEntries(Object.entries(kind.shapes).map(([name, shape]) => {
    const w = matrix(...shape);
    // The factor of time starts at 0, else late positions run away.
    if (name !== "time") w.value.forEach((_, i) => (w.value[i] = normal(kind.scale)));
    return [name, w];
  }));
  const maps = offsets.map(() => matrix(D, D));
  for (const m of maps) m.value.forEach((_, i) => (m.value[i] = normal(0.2)));
  const all = [...Object.values(weights), ...maps].map((w) => ({ w, m: new Float64Array(w.value.length), v: new Float64Array(w.value.length) }));
  let loss = 0;
  for (let step = 1; step <= steps; ++step) {
    tape = [];
    for (const { w } of all) w.grad.fill(0);
    const p = kind.positions(weights);
    loss = 0;
    maps.forEach((map, i) => (loss += crossEntropy(matmul(matmul(p, map), p, { transposed: true }), offsets[i]) / offsets.length));
    p.value.forEach((x, i) => (p.grad[i] += 0.002 * x));
    while (tape.length > 0) tape.pop()();
    const norm = Math.hypot(...all.map(({ w }) => Math.hypot(...w.grad)));
    const rate = 0.01 * Math.min(1, step / 100) * 0.5 * (1 + Math.cos((Math.PI * step) / steps));
    for (const { w, m, v } of all) w.grad.forEach((gradient, i) => {
      const g = gradient / Math.max(1, norm);
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.99 * v[i] + 0.01 * g * g;
      w.value[i] -= (rate * m[i]) / (1 - 0.9 ** step) / (Math.sqrt(v[i] / (1 - 0.99 ** step)) + 1e-8);
    });
    if (step % 500 === 0) console.log(`  ${step}: ${loss.toFixed(4)}`);
  }
  return { weights, loss };
}

/** What the first layer of a shipped model learned about distances: r_K, and b_Q as the query of a word that says nothing. */
function relative(model, layer) {
  const file = readFileSync(new URL(`../models/${model}/model.safetensors`, import.meta.url));
  const size = Number(file.readBigUInt64LE());
  const header = JSON.parse(file.subarray(8, 8 + size));
  const read = (name) => {
    const { dtype, data_offsets: [from, to] } = header[`encoder.layers.${layer}.self_attn.${name}`];
    const bytes = file.buffer.slice(file.byteOffset + 8 + size + from, file.byteOffset + 8 + size + to);
    return dtype === "I8" ? new Int8Array(bytes) : new Float32Array(bytes);
  };
  const [scale, key] = [read("relative.key.scale"), read("relative.key")];
  const { heads, width, radius } = JSON.parse(header.__metadata__.config);
  return {
    model, heads, width, radius,
    query: Array.from(read("q_proj.bias"), (x) => Number(x.toPrecision(4))),
    key: Array.from(key, (x, i) => Number((x * scale[Math.floor((i * heads) / width)]).toPrecision(4))),
  };
}

const out = { positions: T, width: D, hidden: F, found: {} };
for (const [name, kind] of Object.entries(kinds)) {
  console.log(name);
  const { weights, loss } = train(kind, 7);
  out.found[name] = Number(Math.exp(-loss).toFixed(3));
  out[name] = Object.fromEntries(Object.entries(weights).map(([key, w]) => [key, Array.from(w.value, (x) => Number(x.toPrecision(4)))]));
}
out.relative = relative("en-tagger", 0);
if (process.argv[2] !== "--dry") writeFileSync(new URL("../web/src/how/positions.json", import.meta.url), `${JSON.stringify(out)}\n`);
