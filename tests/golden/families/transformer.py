"""Transformer layers: torch.nn's own, with in_proj_weight stored as the three maps it is made of."""

import torch

from case import Case


def split_names(module):
    """(our name, PyTorch's parameter, its part) for every weight."""
    for name, parameter in module.named_parameters():
        if "in_proj" not in name:
            yield name, parameter, slice(None)
            continue
        rows = parameter.shape[0] // 3
        for i, part in enumerate(("q_proj", "k_proj", "v_proj")):
            yield name.replace("in_proj_", part + "."), parameter, slice(i * rows, (i + 1) * rows)


def draw(case, module):
    for parameter in module.parameters():
        parameter.data = case.draw(*parameter.shape, scale=0.5)


def finish(case, module, outputs):
    case.backward(outputs)
    for name, parameter, part in split_names(module):
        case.given("weight." + name, parameter[part])
        case.given("grad." + name, parameter.grad[part])
    return case


def encoder_layer(name, steps, lengths, norm_first, activation, width=6, heads=2, feed_forward=7):
    case = Case(name)
    module = torch.nn.TransformerEncoderLayer(
        width, heads, feed_forward, dropout=0.0, activation=activation, norm_first=norm_first
    ).double()
    draw(case, module)
    x = case.leaf("input.x", steps, len(lengths), width)
    case.given("input.lengths", lengths)
    padding = torch.arange(steps)[None, :] >= torch.tensor(lengths)[:, None]
    return finish(case, module, {"output": module(x, src_key_padding_mask=padding)})


def decoder_layer(name, steps, source, lengths, norm_first, activation, width=6, heads=2, feed_forward=7):
    case = Case(name)
    module = torch.nn.TransformerDecoderLayer(
        width, heads, feed_forward, dropout=0.0, activation=activation, norm_first=norm_first
    ).double()
    draw(case, module)
    x = case.leaf("input.x", steps, len(lengths), width)
    memory = case.leaf("input.memory", source, len(lengths), width)
    case.given("input.lengths", lengths)
    padding = torch.arange(source)[None, :] >= torch.tensor(lengths)[:, None]
    future = torch.ones(steps, steps, dtype=torch.bool).triu(1)
    output = module(x, memory, tgt_mask=future, memory_key_padding_mask=padding)
    return finish(case, module, {"output": output})


def cases():
    yield encoder_layer("transformer_encoder_post", 7, [7, 3, 1], False, "relu")
    yield encoder_layer("transformer_encoder_pre", 7, [7, 3, 1], True, "gelu")
    yield encoder_layer("transformer_encoder_one", 1, [1], False, "gelu")
    yield encoder_layer("transformer_encoder_long", 37, [37], True, "relu", width=8)
    yield decoder_layer("transformer_decoder_post", 5, 7, [7, 3], False, "relu")
    yield decoder_layer("transformer_decoder_pre", 5, 7, [7, 3], True, "gelu")
    yield decoder_layer("transformer_decoder_one", 1, 1, [1], True, "relu")
