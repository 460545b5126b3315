"""The models as plain PyTorch: what the golden files and the training benchmark compare us with."""

import math

import torch
from torch.nn.functional import linear


def _weights_and_context(scores, memory, mask):
    """scores, mask [S, B], memory [S, B, K] -> context [B, K], weights [B, S]."""
    weights = scores.masked_fill(~mask, -float("inf")).softmax(0)
    return torch.einsum("sb,sbk->bk", weights, memory), weights.t()


def attend_additive(query, projected, memory, mask, query_weight, score):
    """score . tanh(W_q query + projected): query [B, Q], projected [S, B, A], memory [S, B, K]."""
    hidden = torch.tanh(linear(query, query_weight) + projected)
    return _weights_and_context(torch.einsum("sba,a->sb", hidden, score), memory, mask)


def attend_dot(query, keys, memory, mask, query_weight):
    """keys . W_q query: query [B, Q], keys [S, B, A], memory [S, B, K]."""
    scores = torch.einsum("sba,ba->sb", keys, linear(query, query_weight))
    return _weights_and_context(scores, memory, mask)


class Seq2Seq(torch.nn.Module):
    """src/models/seq2seq.h in PyTorch's own layers; its equations are in that header.

    attention: "none", "additive" or "dot". Time-major: source [S, B], previous and target [T, B].
    """

    def __init__(self, attention, vocabulary, embedding, encoder, decoder, alignment, dropout=0.0):
        super().__init__()
        self.attention, self.dropout = attention, dropout
        self.embedding = torch.nn.Embedding(vocabulary, embedding)
        self.encoder = torch.nn.GRU(embedding, encoder, bidirectional=True)
        self.start = torch.nn.Linear(2 * encoder, decoder)
        self.decoder = torch.nn.GRUCell(embedding + 2 * encoder, decoder)
        self.readout_state = torch.nn.Linear(decoder, embedding)
        self.readout_context = torch.nn.Linear(2 * encoder, embedding, bias=False)
        self.readout_previous = torch.nn.Linear(embedding, embedding, bias=False)
        self.output_bias = torch.nn.Parameter(torch.zeros(vocabulary))
        if attention == "none":
            self.fixed_context = torch.nn.Linear(2 * encoder, 2 * encoder)
        else:
            self.query = torch.nn.Linear(decoder, alignment, bias=False)
            self.key = torch.nn.Linear(2 * encoder, alignment, bias=attention == "additive")
        if attention == "additive":
            self.score = torch.nn.Parameter(torch.zeros(alignment).uniform_(-0.1, 0.1))

    def drop(self, x):
        return torch.nn.functional.dropout(x, self.dropout, self.training)

    def forward(self, source, lengths, previous):
        """-> logits [T, B, V], attention weights [T, B, S] (None without attention)."""
        packed = torch.nn.utils.rnn.pack_padded_sequence(
            self.drop(self.embedding(source)), lengths, enforce_sorted=False
        )
        states, last = self.encoder(packed)
        memory, _ = torch.nn.utils.rnn.pad_packed_sequence(states, total_length=len(source))
        memory = self.drop(memory)
        last = torch.cat([last[0], last[1]], 1)
        state = torch.tanh(self.start(last))
        mask = torch.arange(len(source))[:, None] < torch.as_tensor(lengths)[None, :]
        if self.attention == "none":
            context = self.drop(torch.tanh(self.fixed_context(last)))
        else:
            keys = self.key(memory)
        x = self.drop(self.embedding(previous))
        states, contexts, all_weights = [], [], []
        for step in x:
            if self.attention == "additive":
                context, weights = attend_additive(state, keys, memory, mask, self.query.weight, self.score)
            elif self.attention == "dot":
                context, weights = attend_dot(state, keys, memory, mask, self.query.weight)
            state = self.decoder(torch.cat([step, context], 1), state)
            states.append(state)
            contexts.append(context)
            if self.attention != "none":
                all_weights.append(weights)
        states, contexts = torch.stack(states), torch.stack(contexts)
        hidden = torch.tanh(
            self.readout_state(states) + self.readout_context(contexts) + self.readout_previous(x)
        )
        logits = linear(self.drop(hidden), self.embedding.weight, self.output_bias)
        return logits, torch.stack(all_weights) if all_weights else None

    def our_names(self):
        """Our name of each weight -> a function that takes it out of a tensor named as here."""
        width = self.embedding.embedding_dim
        names = {
            "embedding.weight": ("embedding.weight", lambda t: t),
            "decoder.start.weight": ("start.weight", lambda t: t),
            "decoder.start.bias": ("start.bias", lambda t: t),
            # GRUCell sees [x; c]; ours has one matrix for each.
            "decoder.gru.weight_ih": ("decoder.weight_ih", lambda t: t[:, :width]),
            "decoder.gru.context.weight": ("decoder.weight_ih", lambda t: t[:, width:]),
            "decoder.gru.weight_hh": ("decoder.weight_hh", lambda t: t),
            "decoder.gru.bias_ih": ("decoder.bias_ih", lambda t: t),
            "decoder.gru.bias_hh": ("decoder.bias_hh", lambda t: t),
            "readout.state.weight": ("readout_state.weight", lambda t: t),
            "readout.state.bias": ("readout_state.bias", lambda t: t),
            "readout.context.weight": ("readout_context.weight", lambda t: t),
            "readout.previous.weight": ("readout_previous.weight", lambda t: t),
            "output.bias": ("output_bias", lambda t: t),
        }
        for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            names["encoder.forward." + part] = ("encoder." + part + "_l0", lambda t: t)
            names["encoder.backward." + part] = ("encoder." + part + "_l0_reverse", lambda t: t)
        if self.attention == "none":
            names["context.weight"] = ("fixed_context.weight", lambda t: t)
            names["context.bias"] = ("fixed_context.bias", lambda t: t)
        else:
            names["attention.query.weight"] = ("query.weight", lambda t: t)
            names["attention.key.weight"] = ("key.weight", lambda t: t)
        if self.attention == "additive":
            names["attention.key.bias"] = ("key.bias", lambda t: t)
            names["attention.score"] = ("score", lambda t: t)
        return names


class Transformer(torch.nn.Module):
    """src/models/transformer.h in PyTorch's own layers; its equations are in that header."""

    def __init__(self, vocabulary, width, heads, feed_forward, encoder_layers, decoder_layers, dropout=0.0):
        super().__init__()
        choices = dict(nhead=heads, dim_feedforward=feed_forward, dropout=dropout, norm_first=True)
        self.width, self.dropout = width, dropout
        self.embedding = torch.nn.Embedding(vocabulary, width)
        make = lambda layer, count: torch.nn.ModuleList(layer(width, **choices) for _ in range(count))
        self.encoder = make(torch.nn.TransformerEncoderLayer, encoder_layers)
        self.encoder_norm = torch.nn.LayerNorm(width)
        self.decoder = make(torch.nn.TransformerDecoderLayer, decoder_layers)
        self.decoder_norm = torch.nn.LayerNorm(width)
        self.output_bias = torch.nn.Parameter(torch.zeros(vocabulary))

    def embed(self, ids):
        t = torch.arange(len(ids), dtype=torch.float64)[:, None]
        rates = 10000 ** (-torch.arange(0, self.width, 2, dtype=torch.float64) / self.width)
        positions = torch.stack([torch.sin(t * rates), torch.cos(t * rates)], -1).flatten(1)
        x = self.embedding(ids) * self.width**0.5
        x = x + positions[:, None].to(x.dtype)
        return torch.nn.functional.dropout(x, self.dropout, self.training)

    def forward(self, source, lengths, previous):
        """-> logits [T, B, V], cross-attention of each decoder layer [B, H, T, S]."""
        padding = torch.arange(len(source))[None, :] >= torch.as_tensor(lengths)[:, None]
        memory = self.embed(source)
        for layer in self.encoder:
            memory = layer(memory, src_key_padding_mask=padding)
        memory = self.encoder_norm(memory)
        x = self.embed(previous)
        future = torch.ones(len(x), len(x), dtype=torch.bool).triu(1)
        weights = []
        for layer in self.decoder:
            # What PyTorch's layer does, with the weights kept.
            n = layer.norm1(x)
            x = x + layer.dropout1(layer.self_attn(n, n, n, attn_mask=future, need_weights=False)[0])
            attended, of_layer = layer.multihead_attn(
                layer.norm2(x), memory, memory, key_padding_mask=padding, average_attn_weights=False
            )
            weights.append(of_layer)
            x = x + layer.dropout2(attended)
            hidden = layer.dropout(torch.relu(layer.linear1(layer.norm3(x))))
            x = x + layer.dropout3(layer.linear2(hidden))
        return linear(self.decoder_norm(x), self.embedding.weight, self.output_bias), weights

    def our_names(self):
        names = {}
        for name, parameter in self.named_parameters():
            side, _, rest = name.partition(".")
            ours = name
            if side in ("encoder", "decoder"):
                ours = f"{side}.layers.{rest}"
            ours = ours.replace("_norm.", ".norm.").replace("output_bias", "output.bias")
            if "in_proj_" not in ours:
                names[ours] = (name, lambda t: t)
                continue
            for i, part in enumerate(("q_proj.", "k_proj.", "v_proj.")):
                names[ours.replace("in_proj_", part)] = (name, lambda t, i=i: t.chunk(3)[i])
        return names


class Student(torch.nn.Module):
    """src/models/student.h: PyTorch's encoder layers, and the SSRU (Kim et al. 2019) written out."""

    def __init__(self, vocabulary, width, heads, feed_forward, encoder_layers, decoder_layers):
        super().__init__()
        self.width, epsilon = width, 1e-6
        choices = dict(nhead=heads, dim_feedforward=feed_forward, dropout=0.0, layer_norm_eps=epsilon)
        self.embedding = torch.nn.Embedding(vocabulary, width)
        make = lambda layer, count: torch.nn.ModuleList(layer(width, **choices) for _ in range(count))
        self.encoder = make(torch.nn.TransformerEncoderLayer, encoder_layers)
        # Of these everything but the self-attention.
        self.decoder = make(torch.nn.TransformerDecoderLayer, decoder_layers)
        for layer in self.decoder:
            del layer.self_attn
            layer.forget = torch.nn.Linear(width, width)
            layer.candidate = torch.nn.Linear(width, width, bias=False)
        self.output_bias = torch.nn.Parameter(torch.zeros(vocabulary))

    def place(self, words):
        t = torch.arange(len(words), dtype=torch.float64)[:, None]
        half = self.width // 2
        angles = t * torch.exp(-torch.arange(half, dtype=torch.float64) * math.log(10000) / (half - 1))
        positions = torch.cat([torch.sin(angles), torch.cos(angles)], 1)
        return words * self.width**0.5 + positions[:, None].to(words.dtype)

    def forward(self, source, lengths, previous):
        """-> logits [T, B, V], cross-attention of each decoder layer [B, H, T, S]. What `previous` begins with is not looked at."""
        padding = torch.arange(len(source))[None, :] >= torch.as_tensor(lengths)[:, None]
        memory = self.place(self.embedding(source))
        for layer in self.encoder:
            memory = layer(memory, src_key_padding_mask=padding)
        words = self.embedding(previous[1:])
        x = self.place(torch.cat([torch.zeros_like(words[:1]), words]))
        weights = []
        for layer in self.decoder:
            forget, candidate = torch.sigmoid(layer.forget(x)), layer.candidate(x)
            cell, states = torch.zeros_like(x[0]), []
            for f, w in zip(forget, candidate):
                cell = f * cell + (1 - f) * w
                states.append(torch.relu(cell))
            x = layer.norm1(x + torch.stack(states))
            attended, of_layer = layer.multihead_attn(x, memory, memory, key_padding_mask=padding, average_attn_weights=False)
            weights.append(of_layer)
            x = layer.norm2(x + attended)
            x = layer.norm3(x + layer.linear2(torch.relu(layer.linear1(x))))
        return linear(x, self.embedding.weight, self.output_bias), weights

    def our_names(self):
        names = Transformer.our_names(self)
        for name in [name for name in names if ".forget." in name or ".candidate." in name]:
            names[name.replace(".forget.", ".ssru.forget.").replace(".candidate.", ".ssru.candidate.")] = names.pop(name)
        return names
