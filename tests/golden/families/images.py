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


def cases():
    yield patch_embedding("patch_embedding", 3, 3, 4, 6, 2, 7)
    yield patch_embedding("patch_embedding_of_one", 1, 1, 5, 5, 5, 3)
    yield patch_embedding("patch_embedding_of_pixels", 2, 2, 3, 1, 1, 4)
    yield patch_embedding("patch_embedding_long", 2, 1, 18, 21, 3, 5)
