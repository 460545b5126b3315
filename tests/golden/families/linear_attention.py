"""Linear attention (Katharopoulos et al. 2020) by its weights, which our forms never compute."""

import torch
from torch.nn.functional import elu, linear

from case import Case


def linear_attention(name, causal, steps, width, heads, lengths):
    """Self-attention of x [T, B, D]. Nobody reads an output beyond its sequence, so the seeds there are 0."""
    case = Case(name)
    case.given("input.lengths", lengths)
    x = case.leaf("input.x", steps, len(lengths), width)
    projection = {
        part: (case.leaf(f"weight.{part}.weight", width, width, scale=0.5), case.leaf(f"weight.{part}.bias", width))
        for part in ("q_proj", "k_proj", "v_proj", "out_proj")
    }
    split = lambda part: linear(x, *projection[part]).unflatten(2, (heads, width // heads))
    q, k, v = elu(split("q_proj")) + 1, elu(split("k_proj")) + 1, split("v_proj")
    inside = torch.arange(steps)[:, None] < torch.tensor(lengths)[None, :]
    seen = inside.t()[:, None, :, None] & inside.t()[:, None, None, :]
    if causal:
        seen = seen & torch.ones(steps, steps).tril().bool()
    scores = torch.einsum("tbhi,sbhi->bhts", q, k) * seen
    weights = scores / (scores.sum(-1, keepdim=True) + (~inside).t()[:, None, :, None])
    y = torch.einsum("bhts,sbhi->tbhi", weights, v).flatten(2)
    case.tensors["output.weights"] = weights
    case.backward({"y": linear(y, *projection["out_proj"])}, seed_masks={"y": inside[:, :, None]})
    return case


def cases():
    for causal, prefix in ((False, ""), (True, "causal_")):
        heads = (3, 3, 2) if causal else (2, 1, 4)
        yield linear_attention(prefix + "linear_attention", causal, 7, 6, heads[0], [7, 3, 1])
        yield linear_attention(prefix + "linear_attention_one", causal, 1, 3, heads[1], [1])
        yield linear_attention(prefix + "linear_attention_long", causal, 53, 8, heads[2], [53, 38])
