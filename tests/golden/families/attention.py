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


def scores_of(kind, q, k, weight):
    """q [T, B, H, A], k [S, B, H, A] -> [B, H, T, S]."""
    if kind == "additive":
        return torch.einsum("tsbha,ha->bhts", torch.tanh(q[:, None] + k[None]), weight)
    if kind == "general":
        k = torch.einsum("hna,sbha->sbhn", weight, k)
    return torch.einsum("tbha,sbha->bhts", q, k) / (q.shape[-1] ** 0.5 if kind == "scaled_dot" else 1)


def pattern_mask(pattern, steps, edges):
    t, s = torch.arange(steps)[:, None], torch.arange(steps)[None, :]
    if pattern == "causal":
        return s <= t
    if pattern == "window":  # of radius 2
        return (s - t).abs() <= 2
    if pattern == "edges":
        mask = torch.zeros(steps, steps, dtype=torch.bool)
        mask[edges[:, 0], edges[:, 1]] = True
        return mask
    return torch.ones(steps, steps, dtype=torch.bool)


def multi_head(name, score, pattern, normaliser, relative, lengths, steps, heads=2, width=6):
    """Self-attention [T, B, D] with a score, a pattern and relative positions clipped at `relative`."""
    case = Case(name)
    batch, A = len(lengths), width // heads
    x = case.leaf("input.x", steps, batch, width, scale=0.5)
    case.given("input.lengths", lengths)
    edges = torch.randint(0, steps, (2 * steps, 2), generator=case.generator)
    edges = edges[edges[:, 0] != 2]  # query 2 looks at nothing
    if pattern == "edges":
        case.given("input.edges", edges)

    def dense(part, value):
        weight = case.leaf(f"weight.{part}.weight", width, width, scale=0.5)
        return torch.nn.functional.linear(value, weight, case.leaf(f"weight.{part}.bias", width, scale=0.5))

    q, k, v = (dense(part, x).reshape(steps, batch, heads, A) for part in ("q_proj", "k_proj", "v_proj"))
    weight = None
    if score == "additive":
        weight = case.leaf("weight.score", heads * A).reshape(heads, A)
    if score == "general":
        weight = case.leaf("weight.score", heads, A, A, scale=0.5)
    e = scores_of(score, q, k, weight)
    offset = (torch.arange(steps)[None, :] - torch.arange(steps)[:, None]).clamp(-relative, relative) + relative
    if relative:
        key_table = case.leaf("weight.relative.key", 2 * relative + 1, A, scale=0.5)
        value_table = case.leaf("weight.relative.value", 2 * relative + 1, A, scale=0.5)
        scale = A**-0.5 if score == "scaled_dot" else 1
        e = e + scale * torch.einsum("tbha,tsa->bhts", q, key_table[offset])
    mask = pattern_mask(pattern, steps, edges)[None, None] & (
        torch.arange(steps)[None, :] < torch.tensor(lengths)[:, None]
    )[:, None, None]
    if normaliser == "relu":
        positive = torch.relu(e) * mask
        total = positive.sum(-1, keepdim=True)
        a = positive / torch.where(total > 0, total, torch.ones_like(total))
    else:  # a query that sees nothing has weights 0
        a = e.masked_fill(~mask, -1e9).softmax(-1) * mask
    context = torch.einsum("bhts,sbha->tbha", a, v)
    if relative:
        context = context + torch.einsum("bhts,tsa->tbha", a, value_table[offset])
    context = context.reshape(steps, batch, width)
    case.backward({"output": dense("out_proj", context), "heads": context, "weights": a})
    return case


def torch_multi_head(name, queries, keys, lengths, heads, width):
    """torch.nn.MultiheadAttention itself, T queries looking at S keys of another sequence."""
    case = Case(name)
    batch = len(lengths)
    module = torch.nn.MultiheadAttention(width, heads).double()
    x = case.leaf("input.x", queries, batch, width, scale=0.5)
    memory = case.leaf("input.memory", keys, batch, width, scale=0.5)
    case.given("input.lengths", lengths)
    case.parameters(module, scale=0.5)
    padding = torch.arange(keys)[None, :] >= torch.tensor(lengths)[:, None]
    output, weights = module(x, memory, memory, key_padding_mask=padding, average_attn_weights=False)
    case.backward({"output": output, "weights": weights})
    return case


def cases():
    yield additive_attention("additive_attention", 9, [9, 4, 1])
    yield additive_attention("additive_attention_one", 1, [1])
    yield additive_attention("additive_attention_long", 47, [46, 47])
    yield dot_attention("dot_attention", 9, [9, 4, 1])
    yield dot_attention("dot_attention_one", 1, [1])
    yield dot_attention("dot_attention_long", 47, [46, 47])
    kinds, patterns = ("additive", "dot", "scaled_dot", "general"), ("dense", "causal", "window", "edges")
    for i, score in enumerate(kinds):
        for j, pattern in enumerate(patterns):
            relative = 3 if (i + j) % 2 == 0 else 0
            normaliser = "relu" if (i + j) % 4 == 1 else "softmax"
            yield multi_head(f"multi_head_{score}_{pattern}", score, pattern, normaliser, relative, [7, 4, 1], 7)
    yield multi_head("multi_head_long", "scaled_dot", "causal", "softmax", 4, [37], 37, heads=2, width=12)
    yield multi_head("multi_head_one_step", "scaled_dot", "dense", "softmax", 1, [1], 1)
    yield torch_multi_head("multi_head_torch", 5, 9, [9, 3], 2, 6)
    yield torch_multi_head("multi_head_torch_long", 29, 37, [37, 35], 2, 12)
    yield torch_multi_head("multi_head_torch_one", 1, 1, [1], 1, 5)
