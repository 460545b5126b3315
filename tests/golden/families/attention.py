"""Attention of every kind."""

import torch

from case import Case
from reference import attend_additive, attend_dot


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


def cases():
    yield additive_attention("additive_attention", 9, [9, 4, 1])
    yield additive_attention("additive_attention_one", 1, [1])
    yield additive_attention("additive_attention_long", 47, [46, 47])
    yield dot_attention("dot_attention", 9, [9, 4, 1])
    yield dot_attention("dot_attention_one", 1, [1])
    yield dot_attention("dot_attention_long", 47, [46, 47])
