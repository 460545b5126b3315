// Every layer against PyTorch's answers in tests/golden, whose safetensors files are read as a user would.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { Installed, root } from "./installed.mjs";

let installed, softalign;
before(async () => {
  installed = await Installed.install();
  softalign = await installed.import();
});
after(() => installed?.remove());
afterEach(() => assert.equal(softalign.engineStatus().handles, 0, "a layer was not given back"));

const fileOf = (name) => readFileSync(join(root, "tests", "golden", `${name}.safetensors`));
const golden = (name) => softalign.readSafetensors(fileOf(name));

// Small numbers without a pattern, the same in every run.
const numbers = (count, seed = 1) => Float32Array.from({ length: count }, (_, i) => Math.sin(12.9898 * (i + 1) + 78.233 * seed));
const tensor = (shape, seed) => ({ data: numbers(shape.reduce((a, b) => a * b), seed), shape });

/** 1e-5, relative for large numbers, as the tests of the C++ core. */
function close(actual, expected, what = "output") {
  assert.deepEqual(actual.shape, expected.shape, what);
  assert.equal(actual.data.length, expected.data.length, what);
  for (const [i, value] of actual.data.entries()) {
    const wanted = expected.data[i];
    assert.ok(Math.abs(value - wanted) <= 1e-5 * (1 + Math.abs(wanted)), `${what}[${i}] is ${value}, expected ${wanted}`);
  }
}

/** Creates a layer, hands it to `body` and gives it back. */
async function using(layer, body) {
  const made = await layer;
  try {
    return await body(made);
  } finally {
    made.dispose();
  }
}

/** The golden weights under new names. */
function renamed(file, rename) {
  const weights = Object.entries(file).filter(([name]) => name.startsWith("weight."));
  return Object.fromEntries(weights.map(([name, value]) => [rename(name.slice("weight.".length)), value]));
}

/** Runs one layer on a golden file: the file's bytes are its state dict. */
async function agrees(name, Layer, options, { input = "x", inputs = {}, outputs = { output: "y" }, others = [], weights } = {}) {
  const file = await golden(name);
  const { data, shape } = file[`input.${input}`];
  const state = weights ? renamed(file, weights) : fileOf(name);
  const prefix = weights ? "" : "weight.";
  await using(Layer.create({ ...options(file), prefix }, state), (layer) => {
    const given = typeof inputs === "function" ? inputs(file) : inputs;
    const result = layer.forward(data, shape, { ...(file["input.lengths"] && { lengths: file["input.lengths"].data }), ...given });
    for (const [ours, theirs] of Object.entries(outputs)) close(result[ours], file[`output.${theirs}`], `${name}: ${ours}`);
    assert.deepEqual(Object.keys(result).sort(), [...Object.keys(outputs), ...others].sort(), name);
  });
}

describe("agrees with PyTorch:", () => {
  const recurrent = (bidirectional) => (file) => {
    const [hidden] = file["output.last"].shape.slice(-1);
    return { input: file["input.x"].shape[2], hidden, bidirectional };
  };
  const last = { output: "states", last: "last" };

  test("SimpleRnn", async () => {
    for (const name of ["rnn", "rnn_long"]) await agrees(name, softalign.SimpleRnn, recurrent(true), { outputs: last });
  });
  test("Lstm", async () => {
    for (const name of ["lstm", "lstm_one_step", "lstm_long"]) {
      await agrees(name, softalign.Lstm, recurrent(true), { outputs: { ...last, lastCell: "last_cell" } });
    }
  });
  test("Gru", async () => {
    for (const name of ["gru_bidirectional", "gru_batch_of_one", "gru_long"]) {
      await agrees(name, softalign.Gru, recurrent(true), { outputs: last });
    }
    await agrees("gru_one_step", softalign.Gru, recurrent(false), { outputs: last });
    await agrees("gru_padded", softalign.Gru, recurrent(false), {
      inputs: (file) => ({ initial: file["input.initial"] }),
      outputs: last,
    });
  });
  test("Ssru", async () => {
    for (const name of ["ssru", "ssru_long"]) {
      const file = await golden(name);
      const weights = renamed(file, (theirs) => theirs.replace(/(_reverse)?$/, "_l0$1"));
      await using(softalign.Ssru.create(recurrent(true)(file), weights), (layer) => {
        const { output, last } = layer.forward(file["input.x"].data, file["input.x"].shape, { lengths: file["input.lengths"].data });
        close(output, file["output.states"]);
        close(last, file["output.last"]);
      });
    }
  });

  test("Attention, additive and dot", async () => {
    for (const [score, suffix] of ["additive", "dot"].flatMap((score) => ["", "_one", "_long"].map((suffix) => [score, suffix]))) {
      await agrees(`${score}_attention${suffix}`, softalign.Attention, () => ({ query: 5, key: 6, width: 7, score }), {
        input: "query",
        weights: (name) => name.replace(/_(weight|bias)$/, ".$1"),
        inputs: (file) => ({ memory: file["input.memory"], attention: true }),
        outputs: { output: "context", attention: "weights" },
      });
    }
  });

  test("MultiHeadAttention, every score and pattern", async () => {
    for (const [i, score] of ["additive", "dot", "scaled_dot", "general"].entries()) {
      for (const [j, kind] of ["dense", "causal", "window", "edges"].entries()) {
        const choices = {
          score,
          ...((i + j) % 2 === 0 && { relative: 3 }),
          ...((i + j) % 4 === 1 && { normaliser: "relu" }),
        };
        await agrees(`multi_head_${score}_${kind}`, softalign.MultiHeadAttention, () => ({ width: 6, heads: 2, ...choices }), {
          inputs: (file) => ({
            pattern: { window: { window: 2 }, edges: { edges: file["input.edges"]?.data } }[kind] ?? kind,
            attention: true,
            heads: true,
          }),
          outputs: { output: "output", heads: "heads", attention: "weights" },
        });
      }
    }
    const outputs = { output: "output", attention: "weights", heads: "heads" };
    await agrees("multi_head_long", softalign.MultiHeadAttention, () => ({ width: 12, heads: 2, relative: 4 }), {
      inputs: { pattern: "causal", attention: true, heads: true },
      outputs,
    });
    await agrees("multi_head_one_step", softalign.MultiHeadAttention, () => ({ width: 6, heads: 2, relative: 1 }), {
      inputs: { attention: true, heads: true },
      outputs,
    });
  });

  test("MultiHeadAttention, as torch.nn.MultiheadAttention with its own state dict", async () => {
    for (const [name, width, heads] of [["multi_head_torch", 6, 2], ["multi_head_torch_long", 12, 2], ["multi_head_torch_one", 5, 1]]) {
      await agrees(name, softalign.MultiHeadAttention, () => ({ width, heads }), {
        inputs: (file) => ({ memory: file["input.memory"], attention: true }),
        outputs: { output: "output", attention: "weights" },
      });
    }
  });

  test("LinearAttention, over all, causal and step by step", async () => {
    for (const [name, heads] of Object.entries({ linear_attention: 2, linear_attention_one: 1, linear_attention_long: 4 })) {
      for (const causal of [false, true]) {
        const file = await golden(causal ? `causal_${name}` : name);
        const { data, shape } = file["input.x"];
        const [T, B, D] = shape;
        const lengths = file["input.lengths"].data;
        const count = causal ? { linear_attention: 3, linear_attention_one: 3, linear_attention_long: 2 }[name] : heads;
        const options = { width: D, heads: count, causal, prefix: "weight." };
        await using(softalign.LinearAttention.create(options, fileOf(causal ? `causal_${name}` : name)), (layer) => {
          const { output, attention } = layer.forward(data, shape, { lengths, attention: true });
          close(attention, file["output.weights"], "attention");
          close(output, file["output.y"]);
          if (!causal) return;
          let state;
          for (let t = 0; t < T; t++) {
            const step = (state = layer.step(data.subarray(t * B * D, (t + 1) * B * D), [B, D], state));
            for (let b = 0; b < B; b++) {
              if (t >= lengths[b]) continue;
              const at = (t * B + b) * D;
              close({ data: step.output.data.slice(b * D, (b + 1) * D), shape: [D] }, { data: output.data.slice(at, at + D), shape: [D] });
            }
          }
        });
      }
    }
  });

  const transformer = (post, activation) => (file) => ({
    width: file["input.x"].shape[2],
    heads: 2,
    feedForward: 7,
    activation,
    normFirst: !post,
  });
  const layerKinds = [["post", true, "relu"], ["pre", false, "gelu"]];
  test("TransformerEncoderLayer", async () => {
    const { TransformerEncoderLayer: Layer } = softalign;
    for (const [suffix, post, activation] of [...layerKinds, ["one", true, "gelu"], ["long", false, "relu"]]) {
      await agrees(`transformer_encoder_${suffix}`, Layer, transformer(post, activation), { outputs: { output: "output" } });
    }
  });
  test("TransformerDecoderLayer", async () => {
    const { TransformerDecoderLayer: Layer } = softalign;
    for (const [suffix, post, activation] of [...layerKinds, ["one", false, "relu"]]) {
      const inputs = (file) => ({ memory: file["input.memory"] });
      await agrees(`transformer_decoder_${suffix}`, Layer, transformer(post, activation), { inputs, outputs: { output: "output" } });
    }
  });

  const positions = async (name, Layer, options, times) => {
    const file = await golden(name);
    const expected = file["output.positions"];
    const [steps, width] = expected.shape;
    await using(Layer.create({ ...options(file), width, prefix: "weight." }, fileOf(name)), (layer) => {
      const at = times && file["input.times"].data;
      close(layer.positions(at ?? steps), expected, name);
      close(layer.forward(file["input.x"].data, file["input.x"].shape, ...(at ? [{ times: at }] : [])).output, file["output.y"], name);
    });
  };
  test("SinusoidalPositions", async () => {
    const Layer = { create: ({ width }) => softalign.SinusoidalPositions.create({ width }) };
    for (const suffix of ["", "_odd", "_one"]) await positions(`sinusoidal_positions${suffix}`, Layer, () => ({}));
  });
  test("LearnedPositions", async () => {
    const options = (file) => ({ positions: file["weight.weight"].shape[0] });
    for (const suffix of ["", "_one"]) await positions(`learned_positions${suffix}`, softalign.LearnedPositions, options);
  });
  test("RecurrentPositions", async () => {
    for (const suffix of ["", "_one"]) await positions(`recurrent_positions${suffix}`, softalign.RecurrentPositions, () => ({}));
  });
  test("ContinuousPositions", async () => {
    for (const [suffix, solverSteps] of [["", 4], ["_uneven", 3], ["_one", 2]]) {
      const options = (file) => ({ hidden: file["weight.time"].shape[0], solverSteps });
      await positions(`continuous_positions${suffix}`, softalign.ContinuousPositions, options, true);
      if (suffix !== "_uneven") await positions(`continuous_positions${suffix}`, softalign.ContinuousPositions, options);
    }
  });

  test("Dense", () => agrees("dense", softalign.Dense, () => ({ input: 5, output: 7 })));
  test("LayerNorm", async () => {
    for (const suffix of ["", "_one", "_wide"]) {
      await agrees(`layer_norm${suffix}`, softalign.LayerNorm, (file) => ({ width: file["input.x"].shape.at(-1) }));
    }
  });
  test("Conv1d", async () => {
    for (const suffix of ["", "_one", "_wider_than_long", "_long"]) {
      await agrees(`conv1d${suffix}`, softalign.Conv1d, (file) => {
        const [output, input, kernel] = file["weight.weight"].shape;
        return { input, output, kernel };
      });
    }
  });
  test("AttentiveRnn and Lstmn, from either end", async () => {
    const rnns = ["beside", "replace"].flatMap((kind) =>
      ["additive", "dot", "scaled_dot", "general"].map((score) => [`attentive_rnn_${kind}_${score}`, softalign.AttentiveRnn, { context: `${kind}`.replace("replace", "replaces"), score }]));
    const lstmns = ["lstmn", "lstmn_one_step", "lstmn_batch_of_one", "lstmn_long"].map((name) => [name, softalign.Lstmn, {}]);
    for (const [name, Network, choices] of [...rnns, ["attentive_rnn_one_step", softalign.AttentiveRnn, {}], ["attentive_rnn_long", softalign.AttentiveRnn, {}], ...lstmns]) {
      const file = await golden(name);
      const [steps, batch, input] = file["input.x"].shape;
      const hidden = file["output.last"].shape[2];
      for (const [side, direction] of ["forward", "backward"].entries()) {
        const suffix = side ? "_reverse" : "";
        const weights = Object.fromEntries(Object.entries(file)
          .filter(([key]) => key.startsWith("weight.") && key.endsWith("_reverse") === (side === 1))
          .map(([key, value]) => [key.slice("weight.".length, key.length - suffix.length), value]));
        if (!Object.keys(weights).length) continue; // a golden of one direction
        const width = (file["weight.attention.key.weight"] ?? file["weight.attention.query.weight"]).shape[0];
        const options = { input, hidden, direction, ...choices, ...(Network === softalign.AttentiveRnn && choices.score !== "general" && { width }) };
        await using(Network.create(options, weights), (layer) => {
          const result = layer.forward(file["input.x"].data, file["input.x"].shape, { lengths: file["input.lengths"].data, attention: true });
          const all = file["output.states"];
          const mine = { data: all.data.filter((_, i) => Math.floor((i % all.shape[2]) / hidden) === side), shape: [steps, batch, hidden] };
          close(result.output, mine, `${name} ${direction}`);
          close(result.attention, file[`output.weights${suffix}`], `${name} ${direction}: attention`);
        });
      }
    }
  });
  test("AttentionDecoder", async () => {
    for (const cell of ["rnn", "gru", "lstm"]) {
      for (const [suffix, score] of [["additive", "additive"], ["dot", "dot"], ["one", "additive"]]) {
        await agrees(`attention_decoder_${cell}_${suffix}`, softalign.AttentionDecoder, (file) => ({
          input: file["input.x"].shape[2],
          hidden: file["output.last"].shape[1],
          memory: file["input.memory"].shape[2],
          width: file["weight.attention.key.weight"].shape[0],
          cell,
          score,
        }), {
          inputs: (file) => ({
            memory: file["input.memory"],
            memoryLengths: file["input.source_lengths"].data,
            start: file["input.start"],
            startCell: file["input.start_cell"],
            attention: true,
          }),
          outputs: { output: "states", last: "last", attention: "weights", ...(cell === "lstm" && { lastCell: "last_cell" }) },
          others: ["contexts"], // beyond a length nobody reads them, and they differ
        });
      }
    }
  });
  test("Window", async () => {
    for (const suffix of ["", "_of_none", "_one", "_long"]) {
      await agrees(`window${suffix}`, softalign.Window, (file) => {
        const input = file["input.x"].shape[2];
        const [output, all] = file["weight.weight"].shape;
        return { input, output, radius: (all / input - 1) / 2 };
      });
    }
  });
  test("PatchEmbedding", async () => {
    for (const suffix of ["", "_of_one", "_of_pixels", "_long"]) {
      const options = (file) => {
        const [, channels, height, width] = file["input.images"].shape;
        const [output, , , patch] = file["weight.patch.weight"].shape;
        return { channels, height, width, patch, output };
      };
      await agrees(`patch_embedding${suffix}`, softalign.PatchEmbedding, options, { input: "images", outputs: { output: "z" } });
    }
  });
  test("SaganAttention, with the weights of convolutions", async () => {
    for (const suffix of ["", "_large", "_pixel"]) {
      const options = (file) => ({ channels: file["input.images"].shape[1], reduced: file["weight.f.weight"].shape[0] });
      const choices = { input: "images", inputs: { attention: true }, outputs: { output: "images", attention: "weights" } };
      await agrees(`sagan_attention${suffix}`, softalign.SaganAttention, options, choices);
    }
  });
  test("GaussianAttention", async () => {
    for (const [suffix, padding] of [["", 1], ["_large", 2], ["_pixel", 0]]) {
      const options = (file) => {
        const [heads] = file["weight.sharpness"].shape;
        const [output, all] = file["weight.out_proj.weight"].shape;
        return { input: file["input.images"].shape[1], output, heads, width: all / heads, padding };
      };
      const choices = { input: "images", inputs: { attention: true }, outputs: { output: "images", attention: "weights" } };
      await agrees(`gaussian_attention${suffix}`, softalign.GaussianAttention, options, choices);
    }
  });
  test("GaussianAttention, of a convolution", async () => {
    for (const name of ["convolution_1", "convolution_3", "convolution_3_pixel", "convolution_5", "convolution_5_small"]) {
      const file = await golden(name);
      const { data, shape } = file["input.images"];
      await using(softalign.GaussianAttention.equalTo(file["weight.weight"], file["weight.bias"]), (layer) => {
        const { output, attention } = layer.forward(data, shape, { attention: true });
        close(output, file["output.images"], name);
        assert.ok(attention.data.every((weight) => weight === 0 || weight === 1));
      });
    }
    const ones = { data: Float32Array.of(1, 2), shape: [2, 1, 1, 1] };
    await using(softalign.GaussianAttention.equalTo(ones), (layer) => {
      assert.deepEqual([...layer.forward(Float32Array.of(3), [1, 1, 1, 1]).output.data], [3, 6]);
    });
    const fails = (weight, bias, error) => assert.rejects(softalign.GaussianAttention.equalTo(weight, bias), { name: "SoftalignError", ...error });
    await fails(tensor([2, 1, 2, 2]), undefined, { code: "argument", message: /K is 2, expected an odd number/ });
    await fails(tensor([2, 1, 3]), undefined, { code: "shape", message: /weight is \[2, 1, 3\]/ });
    await fails(ones, tensor([3]), { code: "shape", message: /biases is 3, expected 2/ });
    await fails(undefined, undefined, { code: "argument", message: /weight is/ });
  });
});

const gruWeights = (input, hidden, suffix = "_l0", bias = true) => ({
  [`weight_ih${suffix}`]: tensor([3 * hidden, input], 1),
  [`weight_hh${suffix}`]: tensor([3 * hidden, hidden], 2),
  ...(bias && { [`bias_ih${suffix}`]: tensor([3 * hidden], 3), [`bias_hh${suffix}`]: tensor([3 * hidden], 4) }),
});
const gru = (options = {}, weights = gruWeights(3, 2)) => softalign.Gru.create({ input: 3, hidden: 2, ...options }, weights);

const attentionWeights = (D) => ({
  in_proj_weight: tensor([3 * D, D], 1),
  in_proj_bias: tensor([3 * D], 2),
  "out_proj.weight": tensor([D, D], 3),
  "out_proj.bias": tensor([D], 4),
});
const multiHead = (options = {}, weights = attentionWeights(4)) =>
  softalign.MultiHeadAttention.create({ width: 4, heads: 2, ...options }, weights);

describe("weights", () => {
  test("stack up as in torch.nn.GRU", async () => {
    const x = tensor([5, 2, 3], 9);
    const weights = { ...gruWeights(3, 2), ...gruWeights(2, 2, "_l1") };
    const second = Object.fromEntries(Object.entries(gruWeights(2, 2, "_l1")).map(([name, value]) => [name.replace("_l1", "_l0"), value]));
    const lengths = [5, 3];
    await using(gru({ layers: 2 }, weights), (both) =>
      using(gru(), (lower) =>
        using(softalign.Gru.create({ input: 2, hidden: 2 }, second), (upper) => {
          const all = both.forward(x.data, x.shape, { lengths });
          const below = lower.forward(x.data, x.shape, { lengths });
          const above = upper.forward(below.output.data, below.output.shape, { lengths });
          assert.deepEqual(all.output, above.output);
          assert.deepEqual(all.last.shape, [2, 2, 2]);
          assert.deepEqual([...all.last.data], [...below.last.data, ...above.last.data]);
        }),
      ),
    );
  });

  test("may lack their biases, and stand behind a prefix among others", async () => {
    const x = tensor([2, 1, 3], 5);
    const bare = gruWeights(3, 2, "_l0", false);
    const zeros = { data: new Float32Array(6), shape: [6] };
    const among = Object.fromEntries(Object.entries(bare).map(([name, value]) => [`encoder.${name}`, value]));
    await using(gru({ bias: false, prefix: "encoder." }, { ...among, "decoder.weight": zeros }), (a) =>
      using(gru({}, { ...bare, bias_ih_l0: zeros, bias_hh_l0: zeros }), (b) =>
        assert.deepEqual(a.forward(x.data, x.shape), b.forward(x.data, x.shape)),
      ),
    );
  });

  test("of queries, keys and values may be apart", async () => {
    const { in_proj_weight: weight, in_proj_bias: bias, ...rest } = attentionWeights(4);
    const x = tensor([3, 2, 4], 7);
    const part = (i, { data, shape: [rows, ...width] }) => {
      const size = data.length / 3;
      return { data: data.slice(i * size, (i + 1) * size), shape: [rows / 3, ...width] };
    };
    const named = (join) => Object.fromEntries(["q_proj", "k_proj", "v_proj"].map((name, i) => [`${name}${join}weight`, part(i, weight)]));
    const biases = Object.fromEntries(["q_proj", "k_proj", "v_proj"].map((name, i) => [`${name}.bias`, part(i, bias)]));
    const whole = await using(multiHead(), (layer) => layer.forward(x.data, x.shape));
    for (const state of [{ ...rest, ...named("."), ...biases }, { ...rest, ...named("_"), in_proj_bias: bias }]) {
      assert.deepEqual(await using(multiHead({}, state), (layer) => layer.forward(x.data, x.shape)), whole);
    }
  });

  test("that are missing, left over or of another shape are named", async () => {
    const { bias_hh_l0, ...missing } = gruWeights(3, 2);
    await assert.rejects(gru({}, missing), {
      name: "SoftalignError",
      code: "argument",
      message: 'Gru: weight "bias_hh_l0" is missing, expected [6]',
    });
    await assert.rejects(gru({}, { ...missing, bias_hh_l0, extra: bias_hh_l0 }), { code: "argument", message: /^Gru: weight "extra" has no place/ });
    await assert.rejects(gru({ bias: false }), { code: "argument", message: /weight "bias_hh_l0" has no place/ });
    await assert.rejects(gru({ input: 4 }), { code: "shape", message: 'Gru: weight "weight_ih_l0" is [6, 3], expected [6, 4]' });
    await assert.rejects(gru({ hidden: 65536, input: 65536 }), { code: "shape", message: /expected \[196608, 65536\]/ });
    const wrong = (value) => gru({}, { ...missing, bias_hh_l0: value });
    await assert.rejects(wrong({ data: numbers(5), shape: [6] }), { code: "shape", message: 'Gru: weight "bias_hh_l0" has 5 floats, expected [6]' });
    for (const nothing of [null, 3, "six", numbers(6), {}, { data: [1, 2, 3, 4, 5, 6], shape: [6] }, { data: numbers(6) }]) {
      await assert.rejects(wrong(nothing), { code: "argument", message: /^Gru: weight "bias_hh_l0" is .*, expected a Float32Array with its shape$/ });
    }
    await assert.rejects(multiHead({}, { ...attentionWeights(4), in_proj_weight: tensor([4, 4]) }), {
      code: "shape",
      message: 'MultiHeadAttention: weight "in_proj_weight" is [4, 4], expected [12, 4]',
    });
    for (const nothing of [undefined, null, 7]) {
      await assert.rejects(softalign.Gru.create({ input: 3, hidden: 2 }, nothing), { code: "argument", message: /the state dict is/ });
    }
    await assert.rejects(gru({}, new Uint8Array(20)), { code: "format", message: /safetensors/ });
  });
});

describe("options and inputs", () => {
  test("that are out of range, of another kind or unknown are named", async () => {
    for (const hidden of [0, -1, 1.5, NaN, undefined, null, 1e9, "2", [2]]) {
      await assert.rejects(gru({ hidden }), { code: "argument", message: /^Gru: hidden is .*, expected a whole number from 1 to 65536$/ });
    }
    await assert.rejects(gru({ hiden: 3 }), { code: "argument", message: /^Gru: there is no option "hiden", expected one of bias, bidirectional, / });
    await assert.rejects(gru({ bidirectional: 1 }), { code: "argument", message: "Gru: bidirectional is 1, expected true or false" });
    await assert.rejects(gru({ layers: 65 }), { code: "argument", message: /layers is 65/ });
    await assert.rejects(softalign.Gru.create(), { code: "argument", message: /the object of options is undefined/ });
    await assert.rejects(multiHead({ score: "cosine" }), { code: "argument", message: /score is "cosine", expected "additive", / });
    await assert.rejects(multiHead({ normaliser: "sigmoid" }), { code: "argument", message: /normaliser is "sigmoid", expected "softmax" or "relu"/ });
    await assert.rejects(multiHead({ heads: 3 }), { code: "argument", message: /heads/ });
    await assert.rejects(softalign.Conv1d.create({ input: 1, output: 1, kernel: 2 }, {}), { code: "argument", message: /kernel is 2/ });
    await assert.rejects(softalign.Window.create({ input: 65536, output: 1, radius: 32768 }, {}), { code: "argument", message: /radius is 32768/ });
  });

  test("of a call likewise", async () => {
    const x = numbers(12);
    await using(gru(), (layer) => {
      const fails = (args, error) => assert.throws(() => layer.forward(...args), { name: "SoftalignError", ...error });
      fails([x, [2, 2, 4]], { code: "shape", message: "Gru: x has 12 floats, expected [2, 2, 4]" });
      fails([x, [3, 1, 4]], { code: "shape", message: "Gru: x is [3, 1, 4], expected [T, B, 3]" });
      fails([x, [4, 3]], { code: "shape", message: "Gru: x is [4, 3], expected [T, B, 3]" });
      fails([x, [0, 1, 3]], { code: "shape", message: /a dimension of 0/ });
      fails([x, []], { code: "shape", message: /0 dimensions/ });
      fails([x, [1, 1, 1, 4, 3]], { code: "shape", message: /5 dimensions/ });
      fails([x, [4, 1, "three"]], { code: "shape", message: /a dimension of NaN/ });
      fails([[...x], [4, 1, 3]], { code: "argument", message: "Gru: x is something else, expected a Float32Array with its shape" });
      fails([x, [2, 2, 3], { lengths: [2, 3] }], { code: "argument", message: "Gru: lengths[1] is 3, expected a whole number from 1 to 2" });
      fails([x, [2, 2, 3], { lengths: [2] }], { code: "shape", message: /number of lengths is 1, expected 2/ });
      fails([x, [2, 2, 3], { lengths: "22" }], { code: "argument", message: /lengths is "22", expected an array/ });
      fails([x, [2, 2, 3], { initial: tensor([1, 1, 2]) }], { code: "shape", message: "Gru: initial is [1, 1, 2], expected [1, 2, 2]" });
      fails([x, [2, 2, 3], { lenghts: [2, 2] }], { code: "argument", message: /there is no option "lenghts", expected one of initial, lengths, x/ });
      // after all of which it works
      assert.deepEqual(layer.forward(x, [2, 2, 3], { lengths: undefined }).output.shape, [2, 2, 2]);
    });
    await using(multiHead(), (layer) => {
      const fails = (options, error) => assert.throws(() => layer.forward(numbers(12), [3, 1, 4], options), error);
      fails({ pattern: "all" }, { code: "argument", message: /pattern is "all", expected "dense" or "causal"/ });
      fails({ pattern: {} }, { code: "argument", message: /pattern names none of window/ });
      fails({ pattern: { windows: 1 } }, { code: "argument", message: /there is no option "windows"/ });
      fails({ pattern: { edges: [[0, 3]] } }, { code: "argument", message: /an edge is \(0, 3\), expected/ });
      fails({ pattern: { edges: [[0, -1]] } }, { code: "argument", message: /edges\[1\] is -1/ });
      fails({ pattern: { edges: [0, 1, 2] } }, { code: "argument", message: /edges are pairs/ });
      fails({ headMask: [1] }, { code: "shape", message: /factors in headMask is 1, expected 2/ });
      fails({ memory: tensor([2, 2, 4]) }, { code: "shape", message: "MultiHeadAttention: memory is [2, 2, 4], expected [S, 1, 4]" });
      fails({ attention: "yes" }, { code: "argument", message: /attention is "yes"/ });
    });
  });
});

describe("attention", () => {
  const x = tensor([6, 1, 4], 3);
  const looks = (attention, t) => [...attention.data.slice(t * 6, t * 6 + 6)].flatMap((weight, s) => (weight > 0 ? [s] : []));
  const seenBy = (pattern) =>
    using(multiHead(), (layer) => {
      const { attention } = layer.forward(x.data, x.shape, { pattern, attention: true });
      assert.deepEqual(attention.shape, [1, 2, 6, 6]);
      return Array.from({ length: 6 }, (_, t) => looks(attention, t));
    });

  test("keeps to its pattern", async () => {
    assert.deepEqual((await seenBy({ strided: 2 }))[5], [1, 3, 4, 5]);
    assert.deepEqual((await seenBy({ globals: 1, window: 1 })).slice(0, 4), [[0, 1, 2, 3, 4, 5], [0, 1, 2], [0, 1, 2, 3], [0, 2, 3, 4]]);
    assert.deepEqual(await seenBy({ edges: [[0, 5], [3, 3], [3, 1]] }), [[5], [], [], [1, 3], [], []]);
    assert.deepEqual(await seenBy({ edges: Uint8Array.of(0, 5, 3, 3, 3, 1) }), [[5], [], [], [1, 3], [], []]);
    assert.deepEqual((await seenBy({ window: 0 }))[2], [2]);
  });

  test("is computed only when asked for, and heads can be switched off", async () => {
    await using(multiHead(), (layer) => {
      assert.deepEqual(Object.keys(layer.forward(x.data, x.shape)), ["output"]);
      const { output, heads } = layer.forward(x.data, x.shape, { headMask: [0, 0], heads: true });
      assert.ok(heads.data.every((value) => value === 0));
      const bias = attentionWeights(4)["out_proj.bias"].data;
      assert.ok(output.data.every((value, i) => value === bias[i % 4]));
    });
  });

  test("of a transformer's layers is returned, too", async () => {
    const common = { width: 4, heads: 2, feedForward: 3, bias: false };
    const { in_proj_weight, "out_proj.weight": out } = attentionWeights(4);
    const attend = (name) => ({ [`${name}.in_proj_weight`]: in_proj_weight, [`${name}.out_proj.weight`]: out });
    const norms = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`norm${i + 1}.weight`, tensor([4], i)]));
    const hidden = { "linear1.weight": tensor([3, 4]), "linear2.weight": tensor([4, 3]) };
    await using(softalign.TransformerEncoderLayer.create(common, { ...attend("self_attn"), ...norms(2), ...hidden }), (layer) => {
      const { attention } = layer.forward(x.data, x.shape, { pattern: { window: 1 }, headMask: [1, 0], attention: true });
      assert.deepEqual(attention.shape, [1, 2, 6, 6]);
      assert.deepEqual(looks(attention, 2), [1, 2, 3]);
    });
    const state = { ...attend("self_attn"), ...attend("multihead_attn"), ...norms(3), ...hidden };
    await using(softalign.TransformerDecoderLayer.create(common, state), (layer) => {
      const memory = tensor([3, 1, 4], 8);
      const { attention, selfAttention } = layer.forward(x.data, x.shape, { memory, lengths: [2], attention: true });
      assert.deepEqual(attention.shape, [1, 2, 6, 3]);
      assert.deepEqual(selfAttention.shape, [1, 2, 6, 6]);
      assert.deepEqual(looks(selfAttention, 2), [0, 1, 2]);
      assert.equal(attention.data[2], 0);
    });
  });

  test("of the general score has no width, and values may be others than keys", async () => {
    await using(softalign.Attention.create({ query: 2, key: 3, score: "general" }, { "key.weight": tensor([2, 3]) }), (layer) => {
      const values = { data: Float32Array.of(1, 2, 3, 4), shape: [4, 1, 1] };
      const { output, attention } = layer.forward(numbers(2), [1, 2], { memory: tensor([4, 1, 3], 2), values, attention: true });
      const mean = values.data.reduce((sum, value, s) => sum + value * attention.data[s], 0);
      close(output, { data: [mean], shape: [1, 1] });
    });
  });
});

test("a sequence can be read in parts", async () => {
  const x = numbers(12);
  const weights = { forget_weight_l0: tensor([2, 3], 1), forget_bias_l0: tensor([2], 2), candidate_weight_l0: tensor([2, 3], 3) };
  await using(softalign.Ssru.create({ input: 3, hidden: 2 }, weights), (layer) => {
    const whole = layer.forward(x, [4, 1, 3]);
    const first = layer.forward(x.subarray(0, 6), [2, 1, 3]);
    const rest = layer.forward(x.subarray(6), [2, 1, 3], { initial: first.last, initialCell: first.lastCell });
    assert.deepEqual([...first.output.data, ...rest.output.data], [...whole.output.data]);
    assert.deepEqual(rest.lastCell, whole.lastCell);
  });
});

describe("memory", () => {
  test("is given back, and a layer without it says so", async () => {
    const layers = [await gru(), await multiHead(), await softalign.SinusoidalPositions.create({ width: 2 })];
    assert.equal(softalign.engineStatus().handles, 3);
    for (const layer of layers) {
      layer.dispose();
      layer.dispose();
      layer[Symbol.dispose]();
    }
    for (const layer of layers) assert.throws(() => layer.forward(numbers(3), [1, 1, 3]), { code: "destroyed" });
    assert.throws(() => layers[2].positions(1), { code: "destroyed" });
  });

  test("may grow: results outlive it and the layer", async () => {
    const layer = await multiHead();
    const { output } = layer.forward(numbers(8), [2, 1, 4]);
    const before = [...output.data];
    layer.forward(numbers(4e6), [1e6, 1, 4], { pattern: { window: 0 } });
    layer.dispose();
    assert.deepEqual([...output.data], before);
    assert.ok(softalign.engineStatus().heapBytes > 16 * 2 ** 20);
  });

  test("that cannot be had is refused, and the next call works", async () => {
    await using(multiHead(), (layer) => {
      const { output } = layer.forward(numbers(8), [2, 1, 4]);
      const x = new Float32Array(4 * 65536);
      // 2^33 weights: a product of 32 bits would say 0
      assert.throws(() => layer.forward(x, [65536, 1, 4]), { code: "out_of_memory" });
      assert.throws(() => layer.forward(new Float32Array(600e6), [150e6, 1, 4]), { code: "out_of_memory" });
      assert.deepEqual(layer.forward(numbers(8), [2, 1, 4]).output, output);
    });
  });
});

test("a safetensors file of any type is read as floats", async () => {
  const types = {
    F16: [Uint16Array.of(0x3c00, 0xc100), [1, -2.5]],
    BF16: [Uint16Array.of(0x3f80, 0xc020), [1, -2.5]],
    F64: [Float64Array.of(1, -2.5), [1, -2.5]],
    I64: [BigInt64Array.of(7n, -8n), [7, -8]],
    U8: [Uint8Array.of(0, 255), [0, 255]],
    BOOL: [Uint8Array.of(0, 1), [0, 1]],
  };
  for (const [dtype, [values, expected]] of Object.entries(types)) {
    const header = JSON.stringify({ ["__proto__"]: { dtype, shape: [1, 2], data_offsets: [0, values.byteLength] } });
    const file = new Uint8Array(8 + header.length + values.byteLength);
    file[0] = header.length;
    file.set(new TextEncoder().encode(header), 8);
    file.set(new Uint8Array(values.buffer), 8 + header.length);
    const read = await softalign.readSafetensors(file.buffer);
    assert.deepEqual(Object.keys(read), ["__proto__"]);
    assert.deepEqual(Object.values(read)[0], { data: Float32Array.from(expected), shape: [1, 2] }, dtype);
  }
  await assert.rejects(softalign.readSafetensors("model.safetensors"), { code: "argument" });
  await assert.rejects(softalign.readSafetensors(new Uint8Array(3)), { code: "format" });
});
