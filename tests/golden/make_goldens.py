#!/usr/bin/python3
"""Writes the golden files beside this script: PyTorch's answers, which our layers must reproduce.

    apt-get install python3-torch libopenblas0-pthread   # Debian 12: PyTorch 1.13
    /usr/bin/python3 tests/golden/make_goldens.py [--check]

Every value handed to PyTorch is a float32 number, PyTorch computes in float64, and what is stored is
rounded to float32 once, so the files do not depend on thread counts or on the order of sums.
--check writes nothing and fails if a file would differ by more than one unit in its last place.

Names in each file: `input.*` what goes in, `weight.*` parameters in PyTorch's layout, `seed.*` the
gradients put in at the outputs (the loss is sum(seed * output)), `output.*` what comes out,
`grad.*` the gradient of that loss for each input and weight. Sequences are time-major [T, B, D].
The seq2seq_* files hold our own weight names, and their loss is the cross entropy.
"""

import argparse
import json
import os
import pathlib
import struct
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.dont_write_bytecode = True

import numpy as np
import torch

import safetensors_file
from reference import Seq2Seq, attend_additive, attend_dot

HERE = pathlib.Path(__file__).resolve().parent
SEED = 20260101


class Case:
    """Tensors of one golden file. Draws from a generator of its own, so cases do not affect each other."""

    def __init__(self, name):
        self.name = name
        self.tensors = {}
        self.leaves = {}
        self.generator = torch.Generator().manual_seed(SEED + sum(map(ord, name)))

    def draw(self, *shape, scale=1.0):
        """Normal float32 numbers, as float64."""
        return (torch.randn(*shape, generator=self.generator, dtype=torch.float32) * scale).double()

    def leaf(self, name, *shape, scale=1.0, value=None):
        """An input or weight whose gradient is stored."""
        value = self.draw(*shape, scale=scale) if value is None else value
        value = value.float().double().requires_grad_()
        self.tensors[name] = value
        self.leaves[name] = value
        return value

    def given(self, name, values):
        """An input without a gradient: lengths, indices, masks."""
        value = torch.as_tensor(values)
        self.tensors[name] = value
        return value

    def parameters(self, module, scale=0.5):
        """Replaces a module's parameters by drawn float32 numbers and stores them as weight.*."""
        for name, parameter in module.named_parameters():
            parameter.data = self.draw(*parameter.shape, scale=scale)
            self.tensors["weight." + name] = parameter
            self.leaves["weight." + name] = parameter

    def backward(self, outputs, seed_masks={}):
        """outputs: name -> tensor. Stores them, their seeds, and every leaf's gradient."""
        loss = 0
        for name, value in outputs.items():
            self.tensors["output." + name] = value
            if value.dim() == 0:
                loss = loss + value
            else:
                seed = self.draw(*value.shape) * seed_masks.get(name, 1)
                self.tensors["seed." + name] = seed
                loss = loss + (seed * value).sum()
        loss.backward()
        for name, value in self.leaves.items():
            gradient = "grad." + name.split(".", 1)[1]
            assert gradient not in self.tensors, f"{self.name}: two tensors want the name {gradient}"
            self.tensors[gradient] = value.grad


def embedding():
    case = Case("embedding")
    table = case.leaf("weight.table", 7, 5)
    # Repeated indices: their gradients add up.
    ids = case.given("input.ids", [[0, 3, 3], [6, 1, 3]])
    case.backward({"rows": torch.nn.functional.embedding(ids, table)})
    return case


def dense():
    case = Case("dense")
    x = case.leaf("input.x", 3, 2, 5)
    weight = case.leaf("weight.weight", 7, 5)
    bias = case.leaf("weight.bias", 7)
    case.backward({"y": torch.nn.functional.linear(x, weight, bias)})
    return case


def recurrent(name, module, steps, inputs, width, lengths, bidirectional=False, initial=False):
    """torch.nn.RNN, GRU or LSTM over a padded batch. `last` is each sequence's own last state,
    [directions, B, H], `last_cell` an LSTM's. Nobody reads a state beyond its sequence's end, so the
    seeds there are 0."""
    case = Case(name)
    batch = len(lengths)
    module = module(inputs, width, bidirectional=bidirectional).double()
    case.parameters(module, scale=0.6)
    case.given("input.lengths", lengths)
    x = case.leaf("input.x", steps, batch, inputs)
    directions = 2 if bidirectional else 1
    start = case.leaf("input.initial", directions, batch, width, scale=0.5) if initial else None
    packed = torch.nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
    states, last = module(packed, start)
    states, _ = torch.nn.utils.rnn.pad_packed_sequence(states, total_length=steps)
    inside = torch.arange(steps)[:, None, None] < torch.tensor(lengths)[None, :, None]
    outputs = {"states": states, "last": last}
    if isinstance(last, tuple):
        outputs["last"], outputs["last_cell"] = last
    case.backward(outputs, seed_masks={"states": inside})
    return case


def ssru(name, steps, inputs, width, lengths):
    """The SSRU (Kim et al. 2019) in both directions, with the names and outputs of `recurrent`."""
    case = Case(name)
    case.given("input.lengths", lengths)
    x = case.leaf("input.x", steps, len(lengths), inputs)
    halves, last = [], []
    for direction, suffix in enumerate(("", "_reverse")):
        forget_weight = case.leaf("weight.forget_weight" + suffix, width, inputs, scale=0.6)
        forget_bias = case.leaf("weight.forget_bias" + suffix, width, scale=0.6)
        weight = case.leaf("weight.candidate_weight" + suffix, width, inputs, scale=0.6)
        forget = torch.sigmoid(torch.nn.functional.linear(x, forget_weight, forget_bias))
        fresh = (1 - forget) * torch.nn.functional.linear(x, weight)
        columns, ends = [], []
        for b, length in enumerate(lengths):
            cell, outputs = torch.zeros(width, dtype=torch.float64), [None] * length
            for t in range(length) if direction == 0 else reversed(range(length)):
                cell = forget[t, b] * cell + fresh[t, b]
                outputs[t] = torch.relu(cell)
            ends.append(torch.relu(cell))
            padding = torch.zeros(steps - length, width, dtype=torch.float64)
            columns.append(torch.cat([torch.stack(outputs), padding]))
        last.append(torch.stack(ends))
        halves.append(torch.stack(columns, 1))
    inside = torch.arange(steps)[:, None, None] < torch.tensor(lengths)[None, :, None]
    outputs = {"states": torch.cat(halves, 2), "last": torch.stack(last)}
    case.backward(outputs, seed_masks={"states": inside})
    return case


def attention_inputs(case, source, lengths, query_width, key_width):
    query = case.leaf("input.query", len(lengths), query_width)
    memory = case.leaf("input.memory", source, len(lengths), key_width)
    case.given("input.lengths", lengths)
    mask = torch.arange(source)[:, None] < torch.tensor(lengths)[None, :]
    return query, memory, mask


def additive_attention(name, source, lengths):
    """Bahdanau, Cho & Bengio 2015, A.1.2. Keys and values are the same memory [S, B, K]."""
    case = Case(name)
    query, memory, mask = attention_inputs(case, source, lengths, 5, 6)
    query_weight = case.leaf("weight.query_weight", 7, 5, scale=0.5)
    key_weight = case.leaf("weight.key_weight", 7, 6, scale=0.5)
    bias = case.leaf("weight.key_bias", 7, scale=0.5)
    score = case.leaf("weight.score", 7)
    projected = torch.nn.functional.linear(memory, key_weight, bias)
    context, weights = attend_additive(query, projected, memory, mask, query_weight, score)
    case.tensors["output.projected"] = projected
    case.backward({"context": context, "weights": weights})
    return case


def dot_attention(name, source, lengths):
    """k = W_K h, q = W_Q s, softmax of k . q; the values are h itself."""
    case = Case(name)
    query, memory, mask = attention_inputs(case, source, lengths, 5, 6)
    query_weight = case.leaf("weight.query_weight", 7, 5, scale=0.5)
    key_weight = case.leaf("weight.key_weight", 7, 6, scale=0.5)
    keys = torch.nn.functional.linear(memory, key_weight)
    context, weights = attend_dot(query, keys, memory, mask, query_weight)
    case.tensors["output.projected"] = keys
    case.backward({"context": context, "weights": weights})
    return case


def masked_softmax():
    """Softmax over the first `lengths[b]` of each row, exactly 0 beyond; large scores included."""
    case = Case("masked_softmax")
    scores = case.draw(6, 9, scale=3.0)
    scores[1] *= 30  # exp would overflow without subtracting the maximum
    scores[2] -= 200  # and underflow
    scores = case.leaf("input.scores", value=scores)
    lengths = case.given("input.lengths", [9, 9, 8, 5, 2, 1])
    mask = torch.arange(9)[None, :] < lengths[:, None]
    case.backward({"weights": scores.masked_fill(~mask, -float("inf")).softmax(-1)})
    return case


def cross_entropy(name, smoothing):
    """Sum over the targets that are not padding (-1), and the same without smoothing."""
    case = Case(name)
    logits = case.leaf("input.logits", 8, 13, scale=3.0)
    targets = case.given("input.targets", [0, 12, 5, -1, 7, 7, -1, 3])
    loss = torch.nn.functional.cross_entropy
    case.tensors["output.plain"] = loss(logits, targets, ignore_index=-1, reduction="sum")
    case.given("input.smoothing", torch.tensor([smoothing], dtype=torch.float32))
    case.backward(
        {"loss": loss(logits, targets, ignore_index=-1, reduction="sum", label_smoothing=smoothing)}
    )
    return case


def adam():
    """Five steps from `input.start` with gradients `input.gradients` [5, N]; output.steps [5, N]."""
    case = Case("adam")
    start = case.draw(11)
    gradients = case.draw(5, 11) * torch.tensor(
        [1e-6, 1e-4, 1e-2, 1, 1, 1, 1, 10, 100, 0, 1], dtype=torch.float64
    )
    gradients = gradients.float().double()
    case.given("input.start", start)
    case.given("input.gradients", gradients)
    parameter = start.clone().requires_grad_()
    optimiser = torch.optim.Adam([parameter], lr=0.0015, betas=(0.9, 0.998), eps=1e-8)
    steps = []
    for gradient in gradients:
        parameter.grad = gradient.clone()
        optimiser.step()
        steps.append(parameter.detach().clone())
    case.given("output.steps", torch.stack(steps))
    return case


def seq2seq(attention):
    """The whole model. Weights and gradients have our names: the test copies them one by one."""
    case = Case("seq2seq_" + attention)
    module = Seq2Seq(attention, vocabulary=19, embedding=6, encoder=5, decoder=7, alignment=8).double()
    for parameter in module.parameters():
        parameter.data = case.draw(*parameter.shape, scale=0.5)
    lengths = [7, 3, 5]
    target_lengths = [4, 6, 1]
    ids = lambda steps: torch.randint(2, 19, (steps, 3), generator=case.generator)
    source, target = ids(7), ids(6)
    for b in range(3):
        source[lengths[b] - 1, b] = 1
        target[target_lengths[b] - 1, b] = 1
    # Beyond the ends stands any valid word: it must not matter which.
    previous = torch.cat([torch.ones(1, 3, dtype=torch.long), target[:-1]])
    target = target.masked_fill(torch.arange(6)[:, None] >= torch.tensor(target_lengths)[None, :], -1)
    case.given("input.source", source)
    case.given("input.lengths", lengths)
    case.given("input.previous", previous)
    case.given("input.target", target)
    logits, weights = module(source, lengths, previous)
    loss = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum", label_smoothing=0.1
    )
    loss.backward()
    case.given("output.loss", loss)
    case.given("output.logits", logits)
    if weights is not None:
        case.given("output.weights", weights)
    parameters = dict(module.named_parameters())
    for ours, (theirs, part) in module.our_names().items():
        case.given("weight." + ours, part(parameters[theirs]))
        case.given("grad." + ours, part(parameters[theirs].grad))
    return case


def cases():
    yield embedding()
    yield dense()
    yield recurrent("gru_one_step", torch.nn.GRU, 1, 3, 4, [1])
    yield recurrent("gru_padded", torch.nn.GRU, 7, 5, 4, [4, 7, 1], initial=True)
    yield recurrent("gru_bidirectional", torch.nn.GRU, 9, 6, 5, [9, 2, 7, 1], bidirectional=True)
    yield recurrent("gru_batch_of_one", torch.nn.GRU, 5, 3, 17, [5], bidirectional=True)
    yield recurrent("gru_long", torch.nn.GRU, 61, 4, 8, [61, 33], bidirectional=True)
    yield recurrent("rnn", torch.nn.RNN, 9, 6, 5, [9, 2, 7, 1], bidirectional=True)
    yield recurrent("rnn_long", torch.nn.RNN, 23, 4, 8, [23, 12], bidirectional=True)
    yield recurrent("lstm", torch.nn.LSTM, 9, 6, 5, [9, 2, 7, 1], bidirectional=True)
    yield recurrent("lstm_one_step", torch.nn.LSTM, 1, 3, 17, [1], bidirectional=True)
    yield recurrent("lstm_long", torch.nn.LSTM, 61, 4, 8, [61, 33], bidirectional=True)
    yield ssru("ssru", 9, 6, 5, [9, 2, 7, 1])
    yield ssru("ssru_long", 61, 4, 8, [61, 33])
    yield additive_attention("additive_attention", 9, [9, 4, 1])
    yield additive_attention("additive_attention_one", 1, [1])
    yield additive_attention("additive_attention_long", 47, [46, 47])
    yield dot_attention("dot_attention", 9, [9, 4, 1])
    yield dot_attention("dot_attention_one", 1, [1])
    yield dot_attention("dot_attention_long", 47, [46, 47])
    yield masked_softmax()
    yield cross_entropy("cross_entropy", 0.1)
    yield cross_entropy("cross_entropy_plain", 0.0)
    yield adam()
    for attention in ("none", "additive", "dot"):
        yield seq2seq(attention)


def tensors_differ(path, fresh):
    """The first tensor of `fresh` the file at `path` does not hold, up to one unit in the last place."""
    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    if set(header) - {"__metadata__"} != set(fresh):
        return "the set of names"
    for name, value in fresh.items():
        entry = header[name]
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        if value.is_floating_point():
            stored = np.frombuffer(data[begin:end], np.float32)
            expected = value.detach().float().numpy().ravel()
            same = np.allclose(stored, expected, rtol=2.0**-23, atol=1e-12)
        else:
            stored = np.frombuffer(data[begin:end], np.int32)
            expected = value.int().numpy().ravel()
            same = np.array_equal(stored, expected)
        if list(value.shape) != entry["shape"] or not same:
            return name
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the files instead of writing them")
    check = parser.parse_args().check
    torch.set_num_threads(1)
    metadata = {"made_by": "tests/golden/make_goldens.py", "seed": str(SEED), "torch": torch.__version__}
    for case in cases():
        path = HERE / (case.name + ".safetensors")
        if not check:
            safetensors_file.save(path, case.tensors, metadata)
            continue
        culprit = tensors_differ(path, case.tensors) if path.exists() else "the file is missing"
        if culprit:
            sys.exit(f"{path.name}: {culprit} differs from what PyTorch {torch.__version__} computes")
    print("golden files", "agree" if check else "written")


if __name__ == "__main__":
    main()
