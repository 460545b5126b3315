"""Text models, one text at a time and so without any padding. Weights have our names."""

import math

import torch
from torch.nn.functional import cross_entropy, gelu, layer_norm, linear

from case import Case

VOCABULARY, WIDTH, HEADS, FEED_FORWARD, RADIUS, LABELS = 11, 8, 2, 6, 2, 5


def dense(leaf, name, out, inputs):
    weight, bias = leaf(name + ".weight", out, inputs), leaf(name + ".bias", out)
    return lambda x: linear(x, weight, bias)


def norm(leaf, name, width):
    weight, bias = leaf(name + ".weight", width), leaf(name + ".bias", width)
    return lambda x: layer_norm(x, (width,), weight, bias)


def lstm(leaf, name, inputs, width):
    cell = (leaf(name + ".weight_ih", 4 * width, inputs), leaf(name + ".weight_hh", 4 * width, width),
            leaf(name + ".bias_ih", 4 * width), leaf(name + ".bias_hh", 4 * width))

    def read(x):
        h = c = torch.zeros(1, width, dtype=torch.float64)
        states = []
        for element in x:
            h, c = torch.lstm_cell(element[None], (h, c), *cell)
            states.append(h[0])
        return torch.stack(states)

    return read


def lstmn(leaf, name, inputs, width):
    """Cheng, Dong & Lapata 2016, eq. 4-9, with the gates of torch's LSTM cell."""
    cell = (leaf(name + ".weight_ih", 4 * width, inputs), leaf(name + ".weight_hh", 4 * width, width),
            leaf(name + ".bias_ih", 4 * width), leaf(name + ".bias_hh", 4 * width))
    key = leaf(name + ".attention.key.weight", width, width)
    element_weight = leaf(name + ".attention.input.weight", width, inputs)
    reading_weight = leaf(name + ".attention.reading.weight", width, width)
    v = leaf(name + ".attention.score", width)

    def read(x):
        hidden, memory = [], []
        h = c = torch.zeros(width, dtype=torch.float64)
        for element in x:
            if hidden:
                hs, cs = torch.stack(hidden), torch.stack(memory)
                a = (torch.tanh(hs @ key.T + element_weight @ element + reading_weight @ h) @ v).softmax(0)
                h, c = a @ hs, a @ cs
            new_h, new_c = torch.lstm_cell(element[None], (h[None], c[None]), *cell)
            hidden.append(new_h[0])
            memory.append(new_c[0])
        return torch.stack(hidden)

    return read


def self_attention_layer(leaf, name):
    """Pre-norm, with relative positions (Shaw et al. 2018, eq. 3 and 4)."""
    maps = {part: dense(leaf, f"{name}.self_attn.{part}_proj", WIDTH, WIDTH) for part in ("q", "k", "v", "out")}
    size = WIDTH // HEADS
    relative_key = leaf(name + ".self_attn.relative.key", 2 * RADIUS + 1, size)
    relative_value = leaf(name + ".self_attn.relative.value", 2 * RADIUS + 1, size)
    linear1, linear2 = dense(leaf, name + ".linear1", FEED_FORWARD, WIDTH), dense(leaf, name + ".linear2", WIDTH, FEED_FORWARD)
    norm1, norm2 = norm(leaf, name + ".norm1", WIDTH), norm(leaf, name + ".norm2", WIDTH)

    def read(x):
        n = norm1(x)
        q, k, v = (maps[part](n).view(len(x), HEADS, size) for part in "qkv")
        t = torch.arange(len(x))
        apart = (t[None, :] - t[:, None]).clamp(-RADIUS, RADIUS) + RADIUS
        e = torch.einsum("tha,sha->hts", q, k) + torch.einsum("tha,tsa->hts", q, relative_key[apart])
        a = (e / math.sqrt(size)).softmax(-1)
        c = torch.einsum("hts,sha->tha", a, v) + torch.einsum("hts,tsa->tha", a, relative_value[apart])
        x = x + maps["out"](c.flatten(1))
        return x + linear2(gelu(linear1(norm2(x))))

    return read


def encoder(leaf, kind, layers=2):
    embedding = leaf("encoder.embedding.weight", VOCABULARY + 1, WIDTH)
    steps = []
    for i in range(layers):
        name = f"encoder.layers.{i}"
        if kind == "self-attention":
            steps.append(self_attention_layer(leaf, name))
        elif kind == "bilstm":
            forward, backward = (lstm(leaf, f"{name}.{way}", WIDTH, WIDTH // 2) for way in ("forward", "backward"))
            steps.append(lambda x, f=forward, b=backward: torch.cat([f(x), b(x.flip(0)).flip(0)], 1))
        else:
            layer = dense(leaf, name, WIDTH, (2 * RADIUS + 1) * WIDTH)
            nothing = torch.zeros(RADIUS, WIDTH, dtype=torch.float64)
            steps.append(lambda x, layer=layer: torch.tanh(layer(
                torch.cat([torch.cat([nothing, x, nothing])[i:i + len(x)] for i in range(2 * RADIUS + 1)], 1))))
    if kind == "self-attention":
        steps.append(norm(leaf, "encoder.norm", WIDTH))

    def read(ids):
        x = embedding[ids] * math.sqrt(WIDTH)
        for step in steps:
            x = step(x)
        return x

    return read, embedding


def texts(case):
    lengths = [6, 1, 4]
    ids = torch.randint(0, VOCABULARY + 1, (6, 3), generator=case.generator)
    case.given("input.ids", ids)
    case.given("input.lengths", lengths)
    return [ids[:length, b] for b, length in enumerate(lengths)]


def finish(case, logits, answers):
    logits = torch.cat(logits)
    answers = torch.tensor(answers)
    case.given("input.answers", answers)
    loss = cross_entropy(logits, answers, reduction="sum", label_smoothing=0.1)
    case.given("output.logits", logits)
    case.backward({"loss": loss})
    return case


def at_places(case, states):
    """The rows of each text's states that are asked about, and where those stand in our batch."""
    places = [[0, 2, 5], [0], [3, 1]]
    case.given("input.places", [t * len(places) + b for b, of_text in enumerate(places) for t in of_text])
    return [s[of_text] for s, of_text in zip(states, places)]


def new_case(name):
    case = Case(name)
    return case, lambda weight, *shape: case.leaf("weight." + weight, *shape, scale=0.4)


def tagger(kind):
    case, leaf = new_case("tagger_" + kind.replace("-", "_"))
    encode, _ = encoder(leaf, kind)
    output = dense(leaf, "output", LABELS, WIDTH)
    return finish(case, [output(h) for h in at_places(case, [encode(ids) for ids in texts(case)])], [0, 4, 2, 2, 1, 3])


def classifier():
    case, leaf = new_case("classifier")
    encode, _ = encoder(leaf, "self-attention")
    key, v, output = dense(leaf, "pooling.key", 7, WIDTH), leaf("pooling.score", 7), dense(leaf, "output", LABELS, WIDTH)
    logits, pooling = [], torch.zeros(3, 6, dtype=torch.float64)
    for b, ids in enumerate(texts(case)):
        h = encode(ids)
        a = (torch.tanh(key(h)) @ v).softmax(0)
        pooling[b, : len(ids)] = a.detach()
        logits.append(output(a @ h)[None])
    case.given("output.pooling", pooling)
    return finish(case, logits, [3, 0, 4])


def masked_language_model():
    case, leaf = new_case("masked_language_model")
    encode, embedding = encoder(leaf, "self-attention", layers=1)
    transform, normalise = dense(leaf, "transform", WIDTH, WIDTH), norm(leaf, "norm", WIDTH)
    bias = leaf("output.bias", VOCABULARY + 1)
    states = at_places(case, [encode(ids) for ids in texts(case)])
    return finish(case, [linear(normalise(gelu(transform(h))), embedding, bias) for h in states], [9, 0, 3, 10, 7, 1])


def language_model(kind):
    case, leaf = new_case("language_model_" + kind)
    width, inputs = 7, 6
    embedding = leaf("embedding.weight", VOCABULARY + 1, inputs)
    read = {"lstm": lstm, "lstmn": lstmn}[kind](leaf, "reader", inputs, width)
    readout, bias = dense(leaf, "readout", inputs, width), leaf("output.bias", VOCABULARY + 1)
    states = at_places(case, [read(embedding[ids]) for ids in texts(case)])
    return finish(case, [linear(readout(h), embedding, bias) for h in states], [9, 0, 3, 10, 7, 1])


def cases():
    for kind in ("self-attention", "bilstm", "window"):
        yield tagger(kind)
    yield classifier()
    yield masked_language_model()
    for kind in ("lstm", "lstmn"):
        yield language_model(kind)
