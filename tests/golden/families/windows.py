"""Layers that see a few neighbours on each side, and nothing beyond a sequence's end."""

import torch
from torch.nn.functional import conv1d as torch_conv1d
from torch.nn.functional import linear, pad

from case import Case


def inputs(name, steps, width, lengths):
    case = Case(name)
    case.given("input.lengths", lengths)
    x = case.leaf("input.x", steps, len(lengths), width)
    return case, x * (torch.arange(steps)[:, None] < torch.tensor(lengths)[None, :])[:, :, None]


def conv1d(name, steps, width, out, k, lengths):
    case, x = inputs(name, steps, width, lengths)
    weight = case.leaf("weight.weight", out, width, k, scale=0.5)
    bias = case.leaf("weight.bias", out)
    y = torch_conv1d(x.permute(1, 2, 0), weight, bias, padding=(k - 1) // 2)
    case.backward({"y": y.permute(2, 0, 1)})
    return case


def window(name, steps, width, out, radius, lengths):
    case, x = inputs(name, steps, width, lengths)
    weight = case.leaf("weight.weight", out, (2 * radius + 1) * width, scale=0.5)
    bias = case.leaf("weight.bias", out)
    padded = pad(x, (0, 0, 0, 0, radius, radius))
    neighbours = torch.cat([padded[j : j + steps] for j in range(2 * radius + 1)], 2)
    case.backward({"y": torch.tanh(linear(neighbours, weight, bias))})
    return case


def cases():
    yield conv1d("conv1d", 7, 4, 5, 3, [7, 2, 5])
    yield conv1d("conv1d_one", 1, 3, 2, 1, [1])
    yield conv1d("conv1d_wider_than_long", 3, 2, 3, 9, [3, 1])
    yield conv1d("conv1d_long", 61, 3, 4, 5, [61, 40])
    yield window("window", 7, 4, 5, 2, [7, 2, 5])
    yield window("window_of_none", 4, 3, 2, 0, [4, 3])
    yield window("window_one", 1, 3, 4, 3, [1])
    yield window("window_long", 61, 3, 4, 1, [40, 61])
