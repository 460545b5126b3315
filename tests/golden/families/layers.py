"""Layers without a memory: normalisation and activations."""

import torch
from torch.nn import functional

from case import Case


def layer_norm(name, *shape):
    case = Case(name)
    x = case.leaf("input.x", *shape, scale=2.0)
    weight = case.leaf("weight.weight", shape[-1])
    bias = case.leaf("weight.bias", shape[-1])
    case.backward({"y": functional.layer_norm(x, shape[-1:], weight, bias, eps=1e-5)})
    return case


def activations():
    case = Case("activations")
    x = case.draw(5, 13, scale=2.0)
    x[0, :6] = torch.tensor([0.0, -30.0, 30.0, 1e-6, -1e-6, -6.0])
    x = case.leaf("input.x", value=x)
    case.backward(
        {"relu": functional.relu(x), "gelu": functional.gelu(x), "elu_plus_one": functional.elu(x) + 1}
    )
    return case


def cases():
    yield layer_norm("layer_norm", 4, 3, 10)
    yield layer_norm("layer_norm_one", 1, 1, 1)
    yield layer_norm("layer_norm_wide", 3, 131)
    yield activations()
