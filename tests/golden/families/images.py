"""What sees images, in PyTorch's layout [B, C, H, W]."""

import torch
from torch.nn.functional import conv2d

from case import Case


def patch_embedding(name, batch, channels, height, width, patch, out):
    """The input of the vision transformer (Dosovitskiy et al. 2021), by a convolution of stride P."""
    case = Case(name)
    images = case.leaf("input.images", batch, channels, height, width)
    weight = case.leaf("weight.patch.weight", out, channels, patch, patch, scale=0.4)
    bias = case.leaf("weight.patch.bias", out)
    token = case.leaf("weight.class_token", out)
    patches = conv2d(images, weight, bias, stride=patch).flatten(2).permute(2, 0, 1)
    positions = case.leaf("weight.positions", 1 + len(patches), out)
    case.backward({"z": torch.cat([token.expand(1, batch, out), patches]) + positions[:, None]})
    return case


def sagan_attention(name, batch, channels, reduced, height, width):
    """Zhang, Goodfellow, Metaxas & Odena 2019, equations 1 to 3, by convolutions 1 x 1."""
    case = Case(name)
    images = case.leaf("input.images", batch, channels, height, width)
    f, g, h = (case.leaf(f"weight.{part}.weight", reduced, channels, 1, 1, scale=0.5) for part in "fgh")
    v = case.leaf("weight.v.weight", channels, reduced, 1, 1, scale=0.5)
    gamma = case.leaf("weight.gamma", 1)
    keys, queries, values = (conv2d(images, weight).flatten(2) for weight in (f, g, h))
    beta = torch.einsum("bci,bcj->bji", keys, queries).softmax(-1)
    attended = torch.einsum("bji,bci->bcj", beta, values).reshape(batch, reduced, height, width)
    case.backward({"images": gamma * conv2d(attended, v) + images, "weights": beta[:, None]})
    return case


def cases():
    yield patch_embedding("patch_embedding", 3, 3, 4, 6, 2, 7)
    yield patch_embedding("patch_embedding_of_one", 1, 1, 5, 5, 5, 3)
    yield patch_embedding("patch_embedding_of_pixels", 2, 2, 3, 1, 1, 4)
    yield patch_embedding("patch_embedding_long", 2, 1, 18, 21, 3, 5)
    yield sagan_attention("sagan_attention", 2, 5, 3, 3, 4)
    yield sagan_attention("sagan_attention_large", 2, 8, 3, 9, 5)  # a matrix product in our code
    yield sagan_attention("sagan_attention_pixel", 1, 3, 1, 1, 1)
