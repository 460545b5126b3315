"""The models as plain PyTorch: what the golden files and the training benchmark compare us with."""

import torch
from torch.nn.functional import linear


def _weights_and_context(scores, memory, mask):
    """scores, mask [S, B], memory [S, B, K] -> context [B, K], weights [B, S]."""
    weights = scores.masked_fill(~mask, -float("inf")).softmax(0)
    return torch.einsum("sb,sbk->bk", weights, memory), weights.t()


def attend_additive(query, projected, memory, mask, query_weight, score):
    """score . tanh(W_q query + projected): query [B, Q], projected [S, B, A], memory [S, B, K]."""
    hidden = torch.tanh(linear(query, query_weight) + projected)
    return _weights_and_context(torch.einsum("sba,a->sb", hidden, score), memory, mask)


def attend_dot(query, keys, memory, mask, query_weight):
    """keys . W_q query: query [B, Q], keys [S, B, A], memory [S, B, K]."""
    scores = torch.einsum("sba,ba->sb", keys, linear(query, query_weight))
    return _weights_and_context(scores, memory, mask)
