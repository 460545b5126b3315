"""Recurrent networks."""

import torch

from case import Case


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
