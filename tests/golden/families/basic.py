"""Dense layers, embeddings, losses and Adam."""

import torch

from case import Case


def embedding():
    case = Case("embedding")
    table = case.leaf("weight.table", 7, 5)
    # Repeated indices: their gradients add up.
    ids = case.given("input.ids", [[0, 3, 3], [6, 1, 3]])
    case.backward({"rows": torch.nn.functional.embedding(ids, table)})
    return case


def dense():
    case = Case("dense")
    x = case.leaf("input.x", 3, 2, 5)
    weight = case.leaf("weight.weight", 7, 5)
    bias = case.leaf("weight.bias", 7)
    case.backward({"y": torch.nn.functional.linear(x, weight, bias)})
    return case


def masked_softmax():
    """Softmax over the first `lengths[b]` of each row, exactly 0 beyond; large scores included."""
    case = Case("masked_softmax")
    scores = case.draw(6, 9, scale=3.0)
    scores[1] *= 30  # exp would overflow without subtracting the maximum
    scores[2] -= 200  # and underflow
    scores = case.leaf("input.scores", value=scores)
    lengths = case.given("input.lengths", [9, 9, 8, 5, 2, 1])
    mask = torch.arange(9)[None, :] < lengths[:, None]
    case.backward({"weights": scores.masked_fill(~mask, -float("inf")).softmax(-1)})
    return case


def cross_entropy(name, smoothing):
    """Sum over the targets that are not padding (-1), and the same without smoothing."""
    case = Case(name)
    logits = case.leaf("input.logits", 8, 13, scale=3.0)
    targets = case.given("input.targets", [0, 12, 5, -1, 7, 7, -1, 3])
    loss = torch.nn.functional.cross_entropy
    case.tensors["output.plain"] = loss(logits, targets, ignore_index=-1, reduction="sum")
    case.given("input.smoothing", torch.tensor([smoothing], dtype=torch.float32))
    case.backward(
        {"loss": loss(logits, targets, ignore_index=-1, reduction="sum", label_smoothing=smoothing)}
    )
    return case


def adam():
    """Five steps from `input.start` with gradients `input.gradients` [5, N]; output.steps [5, N]."""
    case = Case("adam")
    start = case.draw(11)
    gradients = case.draw(5, 11) * torch.tensor(
        [1e-6, 1e-4, 1e-2, 1, 1, 1, 1, 10, 100, 0, 1], dtype=torch.float64
    )
    gradients = gradients.float().double()
    case.given("input.start", start)
    case.given("input.gradients", gradients)
    parameter = start.clone().requires_grad_()
    optimiser = torch.optim.Adam([parameter], lr=0.0015, betas=(0.9, 0.998), eps=1e-8)
    steps = []
    for gradient in gradients:
        parameter.grad = gradient.clone()
        optimiser.step()
        steps.append(parameter.detach().clone())
    case.given("output.steps", torch.stack(steps))
    return case


def cases():
    yield embedding()
    yield dense()
    yield masked_softmax()
    yield cross_entropy("cross_entropy", 0.1)
    yield cross_entropy("cross_entropy_plain", 0.0)
    yield adam()
