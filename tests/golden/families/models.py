"""Whole models. Weights and gradients have our names: the tests copy them one by one."""

import torch

from case import Case
from reference import Seq2Seq


def seq2seq(attention):
    """The whole model. Weights and gradients have our names: the test copies them one by one."""
    case = Case("seq2seq_" + attention)
    module = Seq2Seq(attention, vocabulary=19, embedding=6, encoder=5, decoder=7, alignment=8).double()
    for parameter in module.parameters():
        parameter.data = case.draw(*parameter.shape, scale=0.5)
    lengths = [7, 3, 5]
    target_lengths = [4, 6, 1]
    ids = lambda steps: torch.randint(2, 19, (steps, 3), generator=case.generator)
    source, target = ids(7), ids(6)
    for b in range(3):
        source[lengths[b] - 1, b] = 1
        target[target_lengths[b] - 1, b] = 1
    # Beyond the ends stands any valid word: it must not matter which.
    previous = torch.cat([torch.ones(1, 3, dtype=torch.long), target[:-1]])
    target = target.masked_fill(torch.arange(6)[:, None] >= torch.tensor(target_lengths)[None, :], -1)
    case.given("input.source", source)
    case.given("input.lengths", lengths)
    case.given("input.previous", previous)
    case.given("input.target", target)
    logits, weights = module(source, lengths, previous)
    loss = torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum", label_smoothing=0.1
    )
    loss.backward()
    case.given("output.loss", loss)
    case.given("output.logits", logits)
    if weights is not None:
        case.given("output.weights", weights)
    parameters = dict(module.named_parameters())
    for ours, (theirs, part) in module.our_names().items():
        case.given("weight." + ours, part(parameters[theirs]))
        case.given("grad." + ours, part(parameters[theirs].grad))
    return case


def cases():
    for attention in ("none", "additive", "dot"):
        yield seq2seq(attention)
