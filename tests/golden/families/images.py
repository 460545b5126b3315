"""What sees images, in PyTorch's layout [B, C, H, W]."""

import torch
from torch.nn.functional import conv2d, pad

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


def convolution(name, batch, channels, out, height, width, kernel):
    case = Case(name)
    images = case.leaf("input.images", batch, channels, height, width)
    weight = case.leaf("weight.weight", out, channels, kernel, kernel, scale=0.5)
    bias = case.leaf("weight.bias", out)
    case.backward({"images": conv2d(images, weight, bias, padding=(kernel - 1) // 2)})
    return case


def gaussian_attention(name, batch, channels, out, heads, width, size, padding):
    """The quadratic encoding of Cordonnier, Loukas & Jaggi 2020, equation 9, around an image padded with zeros."""
    case = Case(name)
    images = case.leaf("input.images", batch, channels, *size)
    centres = case.leaf("weight.centres", heads, 2)
    sharpness = case.leaf("weight.sharpness", heads, value=0.2 + 0.3 * case.draw(heads).abs())
    value = case.leaf("weight.v_proj.weight", heads * width, channels, scale=0.5)
    weight = case.leaf("weight.out_proj.weight", out, heads * width, scale=0.5)
    bias = case.leaf("weight.out_proj.bias", out)

    def positions(begin, rows, columns):
        grid = torch.meshgrid(torch.arange(rows) + begin, torch.arange(columns) + begin, indexing="ij")
        return torch.stack(grid, -1).reshape(-1, 2).double()

    keys = pad(images, [padding] * 4)
    delta = positions(-padding, *keys.shape[2:])[None] - positions(0, *size)[:, None]
    # v . r with v = -alpha (1, -2 Delta) and r = (|delta|^2, delta), as the paper writes it
    v = -sharpness[:, None] * torch.cat([torch.ones(heads, 1), -2 * centres], 1)
    scores = torch.einsum("hd,qkd->hqk", v, torch.cat([(delta**2).sum(-1, keepdim=True), delta], -1))
    weights = scores.softmax(-1)[None].expand(batch, -1, -1, -1)
    values = torch.einsum("hac,bck->bhak", value.reshape(heads, width, channels), keys.flatten(2))
    context = torch.einsum("bhqk,bhak->bqha", weights, values).flatten(2)
    y = torch.nn.functional.linear(context, weight, bias)
    case.backward({"images": y.transpose(1, 2).reshape(batch, out, *size), "weights": weights})
    return case


def cases():
    yield patch_embedding("patch_embedding", 3, 3, 4, 6, 2, 7)
    yield patch_embedding("patch_embedding_of_one", 1, 1, 5, 5, 5, 3)
    yield patch_embedding("patch_embedding_of_pixels", 2, 2, 3, 1, 1, 4)
    yield patch_embedding("patch_embedding_long", 2, 1, 18, 21, 3, 5)
    yield sagan_attention("sagan_attention", 2, 5, 3, 3, 4)
    yield sagan_attention("sagan_attention_large", 2, 8, 3, 9, 5)  # a matrix product in our code
    yield sagan_attention("sagan_attention_pixel", 1, 3, 1, 1, 1)
    yield convolution("convolution_1", 2, 3, 4, 3, 2, 1)
    yield convolution("convolution_3", 2, 4, 3, 7, 5, 3)
    yield convolution("convolution_3_pixel", 1, 2, 3, 1, 1, 3)
    yield convolution("convolution_5", 1, 2, 3, 6, 9, 5)
    yield convolution("convolution_5_small", 2, 3, 3, 2, 3, 5)  # the image is smaller than the kernel
    yield gaussian_attention("gaussian_attention", 2, 3, 4, 3, 2, (3, 4), 1)
    yield gaussian_attention("gaussian_attention_large", 1, 3, 2, 2, 2, (7, 6), 2)
    yield gaussian_attention("gaussian_attention_pixel", 2, 2, 3, 2, 1, (1, 1), 0)
