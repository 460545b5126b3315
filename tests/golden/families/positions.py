"""Position encodings p [T, D], and x [T, B, D] + p."""

import math

import torch
from torch.nn.functional import linear

from case import Case


def added(case, positions, batch):
    """The encodings, and what add_positions makes of them."""
    x = case.leaf("input.x", len(positions), batch, positions.shape[1])
    case.tensors["output.positions"] = positions
    case.backward({"y": x + positions[:, None]})
    return case


def sinusoidal(name, steps, width, batch):
    """Vaswani et al. 2017, 3.5; of an odd width the last column is a sine."""
    table = torch.zeros(steps, width, dtype=torch.float64)
    for t in range(steps):
        for column in range(width):
            angle = t / 10000 ** (2 * (column // 2) / width)
            table[t, column] = math.sin(angle) if column % 2 == 0 else math.cos(angle)
    return added(Case(name), table, batch)


def learned(name, table, steps, width, batch):
    case = Case(name)
    weight = case.leaf("weight.weight", table, width)
    return added(case, torch.nn.functional.embedding(torch.arange(steps), weight), batch)


def recurrent(name, steps, width, batch):
    case = Case(name)
    first = case.leaf("weight.first", width)
    weight = case.leaf("weight.weight", width, width, scale=0.6)
    bias = case.leaf("weight.bias", width, scale=0.6)
    rows = [first]
    while len(rows) < steps:
        rows.append(torch.tanh(linear(rows[-1], weight, bias)))
    return added(case, torch.stack(rows), batch)


def continuous(name, times, solver_steps, width, hidden, batch):
    """FLOATER (Liu et al. 2020) with Runge-Kutta 4; gradients by autograd through its steps."""
    case = Case(name)
    case.given("input.times", torch.tensor(times, dtype=torch.float32))
    first = case.leaf("weight.first", width)
    hidden_weight = case.leaf("weight.hidden.weight", hidden, width, scale=0.5)
    hidden_bias = case.leaf("weight.hidden.bias", hidden, scale=0.5)
    time = case.leaf("weight.time", hidden, scale=0.3)
    out_weight = case.leaf("weight.out.weight", width, hidden, scale=0.2)
    out_bias = case.leaf("weight.out.bias", width, scale=0.2)

    def slope(t, p):
        return linear(torch.tanh(linear(p, hidden_weight, hidden_bias) + t * time), out_weight, out_bias)

    rows, p, now = [], first, 0.0
    for then in times:
        count = math.ceil((then - now) * solver_steps)
        for i in range(count):
            d = (then - now) / count
            t = now + i * d
            k1 = slope(t, p)
            k2 = slope(t + d / 2, p + d / 2 * k1)
            k3 = slope(t + d / 2, p + d / 2 * k2)
            k4 = slope(t + d, p + d * k3)
            p = p + d / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        now = then
        rows.append(p)
    return added(case, torch.stack(rows), batch)


def cases():
    yield sinusoidal("sinusoidal_positions", 40, 6, 2)
    yield sinusoidal("sinusoidal_positions_odd", 5, 7, 1)
    yield sinusoidal("sinusoidal_positions_one", 1, 1, 3)
    yield learned("learned_positions", 9, 7, 5, 3)
    yield learned("learned_positions_one", 1, 1, 4, 1)
    yield recurrent("recurrent_positions", 31, 5, 2)
    yield recurrent("recurrent_positions_one", 1, 3, 1)
    yield continuous("continuous_positions", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 4, 5, 7, 2)
    # times that float32 holds exactly: starting late, close together, twice the same, a long gap
    yield continuous("continuous_positions_uneven", [0.75, 0.875, 0.875, 1.5, 6.25], 3, 4, 6, 1)
    yield continuous("continuous_positions_one", [0.0], 2, 3, 2, 1)
