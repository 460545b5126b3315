"""Whole models. Weights and gradients have our names: the tests copy them one by one."""

import torch

from case import Case
from reference import Seq2Seq, Student, Transformer


def sentence_pairs(case):
    """Three padded pairs as models see them: source, lengths, previous, target."""
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
    return source, lengths, previous, target


def translation_loss(logits, target):
    return torch.nn.functional.cross_entropy(
        logits.flatten(0, 1), target.flatten(), ignore_index=-1, reduction="sum", label_smoothing=0.1
    )


def finish(case, module, loss, logits, weights):
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


def seq2seq(attention):
    case = Case("seq2seq_" + attention)
    module = Seq2Seq(attention, vocabulary=19, embedding=6, encoder=5, decoder=7, alignment=8).double()
    for parameter in module.parameters():
        parameter.data = case.draw(*parameter.shape, scale=0.5)
    source, lengths, previous, target = sentence_pairs(case)
    logits, weights = module(source, lengths, previous)
    return finish(case, module, translation_loss(logits, target), logits, weights)


def transformer(name, links=()):
    """links (t, b, s): head 1 of decoder layer 0 is taught to look at s one step after t, with weight 0.3."""
    case = Case(name)
    module = Transformer(vocabulary=19, width=8, heads=2, feed_forward=10, encoder_layers=2, decoder_layers=2).double()
    for parameter in module.parameters():
        parameter.data = case.draw(*parameter.shape, scale=0.4)
    source, lengths, previous, target = sentence_pairs(case)
    logits, weights = module(source, lengths, previous)  # [T, B, V], of each layer [B, H, T, S]
    loss = translation_loss(logits, target)
    if links:
        case.given("input.links", links)
    for t, b, s in links:
        share = 1 / sum((t, b) == (other[0], other[1]) for other in links)
        loss = loss - 0.3 * share * torch.log(weights[0][b, 1, t + 1, s])
    return finish(case, module, loss, logits, torch.stack(weights))


def student():
    case = Case("student")
    module = Student(vocabulary=19, width=8, heads=2, feed_forward=10, encoder_layers=2, decoder_layers=2).double()
    for parameter in module.parameters():
        parameter.data = case.draw(*parameter.shape, scale=0.4)
    source, lengths, previous, target = sentence_pairs(case)
    logits, weights = module(source, lengths, previous)
    return finish(case, module, translation_loss(logits, target), logits, torch.stack(weights))


def cases():
    for attention in ("none", "additive", "dot"):
        yield seq2seq(attention)
    yield transformer("transformer")
    yield student()
    yield transformer("transformer_guided", [(0, 0, 2), (0, 0, 3), (1, 0, 0), (4, 1, 1)])
