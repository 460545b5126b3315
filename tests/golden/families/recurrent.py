"""Recurrent networks."""

import torch
from torch.nn.functional import linear

from case import Case
from families.attention import scores_of


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
        forget = torch.sigmoid(linear(x, forget_weight, forget_bias))
        fresh = (1 - forget) * linear(x, weight)
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


def zeros(*shape):
    return torch.zeros(*shape, dtype=torch.float64)


def score(kind, query, keys, v):
    """One query [A] against keys [n, A] -> [n]."""
    A = len(query)
    return scores_of(kind, query.reshape(1, 1, 1, A), keys.reshape(-1, 1, 1, A), v)[0, 0, 0]


def looking_back(case, x, lengths, width, suffixes, make_reader):
    """Networks that look back at all their own steps, forward and, where there are two suffixes, backward, with
    the outputs of `recurrent`; output.weights and output.weights_reverse [B, T, T] beside them.

    make_reader(suffix) makes a direction's weights and gives a function from one sequence's elements, in the
    order of reading, to (h, what each step looked at, what the header calls the rest of the last state), where
    the first two have an entry for each step."""
    steps, batch = len(x), len(lengths)
    halves, last, rest = [], [], []
    for suffix in suffixes:
        read = make_reader(suffix)
        weights = zeros(batch, steps, steps)
        columns, ends, rests = [], [], []
        for b, length in enumerate(lengths):
            order = list(range(length)) if suffix == "" else list(reversed(range(length)))
            h, looks, final = read([x[t, b] for t in order])
            for step, row in enumerate(looks):
                for i, weight in enumerate(row):
                    weights[b, order[step], order[i]] = weight.detach()
            columns.append(torch.cat([torch.stack([h[order.index(t)] for t in range(length)]), zeros(steps - length, width)]))
            ends.append(h[-1])
            rests.append(final)
        case.tensors["output.weights" + suffix] = weights
        halves.append(torch.stack(columns, 1))
        last.append(torch.stack(ends))
        rest.append(torch.stack(rests))
    inside = torch.arange(steps)[:, None, None] < torch.tensor(lengths)[None, :, None]
    outputs = {"states": torch.cat(halves, 2), "last": torch.stack(last), "last_cell": torch.stack(rest)}
    case.backward(outputs, seed_masks={"states": inside})
    return case


BOTH = ("", "_reverse")


def attentive_rnn(name, context, kind, steps, inputs, width, alignment, lengths, suffixes=BOTH):
    """A simple RNN that reads a context of its own states in place of the last one ("replace") or beside it."""
    case = Case(name)
    case.given("input.lengths", lengths)
    x = case.leaf("input.x", steps, len(lengths), inputs)

    def make_reader(suffix):
        leaf = lambda part, *shape: case.leaf("weight." + part + suffix, *shape, scale=0.4)
        weight_ih, weight_ch = leaf("weight_ih", width, inputs), leaf("weight_ch", width, width)
        weight_hh = leaf("weight_hh", width, width) if context == "beside" else zeros(width, width)
        bias = leaf("bias", width)
        # The general score is q . W k, which is the dot product once keys are mapped.
        key_weight = leaf("attention.key.weight", width if kind == "general" else alignment, width)
        query_weight = torch.eye(width).double() if kind == "general" else leaf("attention.query.weight", alignment, width)
        key_bias = leaf("attention.key.bias", alignment) if kind == "additive" else None
        v = leaf("attention.score", alignment).reshape(1, -1) if kind == "additive" else None

        def read(elements):
            h, c, states, looks = zeros(width), zeros(width), [], []
            for element in elements:
                h = torch.tanh(weight_ih @ element + weight_hh @ h + weight_ch @ c + bias)
                states.append(h)
                past = torch.stack(states)
                e = score("dot" if kind == "general" else kind, query_weight @ h, linear(past, key_weight, key_bias), v)
                a = e.softmax(0)
                looks.append(a)
                c = a @ past
            return states, looks, c

        return read

    return looking_back(case, x, lengths, width, suffixes, make_reader)


def lstmn(name, steps, inputs, width, lengths, suffixes=BOTH):
    """Cheng, Dong & Lapata 2016, eq. 4-9, with the gates of torch's LSTM cell."""
    case = Case(name)
    case.given("input.lengths", lengths)
    x = case.leaf("input.x", steps, len(lengths), inputs)

    def make_reader(suffix):
        leaf = lambda part, *shape: case.leaf("weight." + part + suffix, *shape, scale=0.6)
        cell = leaf("weight_ih", 4 * width, inputs), leaf("weight_hh", 4 * width, width), leaf("bias_ih", 4 * width), leaf("bias_hh", 4 * width)
        key_weight = leaf("attention.key.weight", width, width)
        input_weight = leaf("attention.input.weight", width, inputs)
        reading_weight = leaf("attention.reading.weight", width, width)
        v = leaf("attention.score", width)

        def read(elements):
            hidden_tape, memory_tape, looks = [], [], []
            reading, memory = zeros(width), zeros(width)
            for element in elements:
                looks.append([])
                if hidden_tape:
                    hs, cs = torch.stack(hidden_tape), torch.stack(memory_tape)
                    query = input_weight @ element + reading_weight @ reading
                    s = (torch.tanh(linear(hs, key_weight) + query) @ v).softmax(0)
                    looks[-1] = s
                    reading, memory = s @ hs, s @ cs
                h, c = torch.lstm_cell(element[None], (reading[None], memory[None]), *cell)
                hidden_tape.append(h[0])
                memory_tape.append(c[0])
            return hidden_tape, looks, memory_tape[-1]

        return read

    return looking_back(case, x, lengths, width, suffixes, make_reader)


def attention_decoder(name, cell, kind, steps, source, lengths, source_lengths, inputs=3, width=5, memory=4, alignment=6):
    """s_t = cell([x_t; c], s_{t-1}), where c is what s_{t-1} sees of a memory [S, B, D]; sequences keep their state
    beyond their length. Nobody reads contexts there. torch.rnn_tanh_cell and so on are what nn.RNNCell calls."""
    case = Case(name)
    batch = len(lengths)
    case.given("input.lengths", lengths)
    case.given("input.source_lengths", source_lengths)
    x = case.leaf("input.x", steps, batch, inputs)
    values = case.leaf("input.memory", source, batch, memory)
    h = case.leaf("input.start", batch, width)
    c = case.leaf("input.start_cell", batch, width) if cell == "lstm" else None
    leaf = lambda part, *shape: case.leaf("weight." + part, *shape, scale=0.6)
    gates = {"rnn": 1, "gru": 3, "lstm": 4}[cell] * width
    weight_ih = torch.cat([leaf("weight_ih", gates, inputs), leaf("context.weight", gates, memory)], 1)
    weights = weight_ih, leaf("weight_hh", gates, width), leaf("bias_ih", gates), leaf("bias_hh", gates)
    query_weight, key_weight = leaf("attention.query.weight", alignment, width), leaf("attention.key.weight", alignment, memory)
    v = leaf("attention.score", alignment).reshape(1, -1) if kind == "additive" else None
    keys = linear(values, key_weight, leaf("attention.key.bias", alignment) if kind == "additive" else None)
    there = torch.arange(source)[None, :] < torch.tensor(source_lengths)[:, None]
    states, contexts, looks = [], [], []
    for t in range(steps):
        e = scores_of(kind, linear(h, query_weight)[None, :, None], keys[:, :, None], v)[:, 0, 0]
        a = e.masked_fill(~there, -float("inf")).softmax(-1)
        context = torch.einsum("bs,sbd->bd", a, values)
        active = (t < torch.tensor(lengths))[:, None]
        both = torch.cat([x[t], context], 1)
        if cell == "lstm":
            fresh, fresh_cell = torch.lstm_cell(both, (h, c), *weights)
            c = torch.where(active, fresh_cell, c)
        else:
            fresh = {"rnn": torch.rnn_tanh_cell, "gru": torch.gru_cell}[cell](both, h, *weights)
        h = torch.where(active, fresh, h)
        states.append(h)
        contexts.append(context)
        looks.append((a * active).detach())
    case.tensors["output.weights"] = torch.stack(looks, 1)
    inside = torch.arange(steps)[:, None, None] < torch.tensor(lengths)[None, :, None]
    outputs = {"states": torch.stack(states), "contexts": torch.stack(contexts), "last": h}
    if c is not None:
        outputs["last_cell"] = c
    case.backward(outputs, seed_masks={"contexts": inside})
    return case


def cases():
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
    kinds = ("additive", "dot", "scaled_dot", "general")
    for kind in kinds:
        yield attentive_rnn(f"attentive_rnn_beside_{kind}", "beside", kind, 7, 3, 5, 4, [4, 7, 1])
        yield attentive_rnn(f"attentive_rnn_replace_{kind}", "replace", kind, 6, 3, 5, 4, [6, 3])
    yield attentive_rnn("attentive_rnn", "beside", "additive", 9, 6, 5, 5, [9, 2, 7, 1])
    yield attentive_rnn("attentive_rnn_one_step", "beside", "additive", 1, 3, 17, 17, [1])
    yield attentive_rnn("attentive_rnn_long", "beside", "additive", 41, 4, 8, 8, [41, 23])
    yield lstmn("lstmn", 9, 6, 5, [9, 2, 7, 1])
    yield lstmn("lstmn_one_step", 1, 3, 17, [1])
    yield lstmn("lstmn_batch_of_one", 5, 3, 4, [5])
    yield lstmn("lstmn_long", 41, 4, 8, [41, 23])
    for cell in ("rnn", "gru", "lstm"):
        for kind in ("additive", "dot"):
            yield attention_decoder(f"attention_decoder_{cell}_{kind}", cell, kind, 5, 7, [3, 5, 1], [7, 1, 4])
        yield attention_decoder(f"attention_decoder_{cell}_one", cell, "additive", 1, 1, [1], [1])
    yield attention_decoder("attention_decoder_gru_long", "gru", "additive", 29, 37, [29, 11], [35, 37])
