# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's speed on a Funnel-Transformer of class size; prints one JSON line.

The preset funnel: three blocks of two layers at lengths 128, 64 and 32, hidden 64, 4 heads,
feed-forward 256, relative attention, pooled queries, separate [CLS], truncation, mean pooling; 32
sequences, two classes, Adam, float32. Written plainly, with and without PyTorch's fused attention, and
as FunnelForSequenceClassification where the transformers package is installed. A step is forward,
backward and update; its time is the median of all steps. The data is made before the clock starts.
"""

import math
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from torch_bench import arguments_of, optimizer_flags, print_report

try:
    from transformers import FunnelConfig, FunnelForSequenceClassification
except ImportError:
    FunnelConfig = None

VOCABULARY, CLASSES, HIDDEN, HEADS, INNER = 27, 2, 64, 4, 256
BLOCKS = (2, 2, 2)
BATCH, LENGTH = 32, 128
WARM_UP, BATCHES = 5, 8
EPS = 1e-9
SIZE = HIDDEN // HEADS


def distance_table(queries, keys, ratio, stride):
    """Sines and cosines of the distances that a query has from the keys, from right to left."""
    rows = torch.arange((queries - 1) * ratio + keys)
    distances = ((queries - 1) * ratio - rows - (ratio - 1)) * stride
    rates = 10000.0 ** (-torch.arange(0, HIDDEN, 2) / HIDDEN)
    angles = distances[:, None] * rates
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def pooled(x):
    """[CLS] as it is, then the means of pairs without the last position."""
    return torch.cat([x[:, :1], x[:, 1:-1].unflatten(1, (-1, 2)).mean(2)], dim=1)


def pooled_pad(pad):
    return torch.cat([pad[:, :1], pad[:, 1:-1].unflatten(1, (-1, 2)).amin(2)], dim=1)


class Attention(nn.Module):
    def __init__(self, queries, keys, stride, fused):
        super().__init__()
        self.queries, self.keys, self.fused = queries, keys, fused
        self.ratio = 1 if queries == keys else 2
        self.query, self.position = (nn.Linear(HIDDEN, HIDDEN, bias=False) for _ in range(2))
        self.key, self.value, self.output = (nn.Linear(HIDDEN, HIDDEN) for _ in range(3))
        self.content_bias, self.position_bias, self.segment_bias = (
            nn.Parameter(0.1 * torch.randn(HEADS, 1, SIZE)) for _ in range(3)
        )
        self.segments = nn.Parameter(0.1 * torch.randn(2, HEADS, SIZE, 1))
        table = distance_table(queries, keys, self.ratio, stride)
        self.register_buffer("table", table, persistent=False)
        # [CLS] has no place.
        placed = torch.ones(queries, keys)
        placed[0], placed[:, 0] = 0.0, 0.0
        self.register_buffer("placed", placed, persistent=False)

    def shifted(self, scores):
        """Of scores by row of the table those by key: key j of query i is row (last - i) ratio + j."""
        first, width = (self.queries - 1) * self.ratio, scores.shape[-1] - self.ratio
        scores = scores.flatten(-2)[..., first : first + self.queries * width]
        return scores.unflatten(-1, (self.queries, width))[..., : self.keys]

    def forward(self, query_from, x, blocked):
        query, key, value = (
            y.unflatten(-1, (HEADS, SIZE)).transpose(1, 2)
            for y in (self.query(query_from), self.key(x), self.value(x))
        )
        distances = self.position(self.table).unflatten(-1, (HEADS, SIZE)).permute(1, 2, 0)
        bias = self.shifted((query + self.position_bias) @ distances)
        bias = bias + (query + self.segment_bias) @ self.segments[0]  # one segment
        bias = bias * self.placed / math.sqrt(SIZE) + blocked
        query = query + self.content_bias
        if self.fused:
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        else:
            scores = query @ key.transpose(-1, -2) / math.sqrt(SIZE) + bias
            mixed = scores.softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, queries, keys, stride, fused):
        super().__init__()
        self.pools = queries < keys
        self.attention = Attention(queries, keys, stride, fused)
        self.inner, self.outer = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        self.attention_norm, self.feed_forward_norm = (
            nn.LayerNorm(HIDDEN, eps=EPS) for _ in range(2)
        )

    def forward(self, x, blocked):
        query = pooled(x) if self.pools else x
        x = self.attention_norm(query + self.attention(query, x, blocked))
        y = self.outer(F.gelu(self.inner(x), approximate="tanh"))
        return self.feed_forward_norm(x + y)


class Funnel(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN, eps=EPS)
        self.output = nn.Linear(HIDDEN, CLASSES)
        self.layers = nn.ModuleList()
        length = LENGTH
        for block, layers in enumerate(BLOCKS):
            for i in range(layers):
                pools = block > 0 and i == 0
                keys, stride = length, 2 ** (block - 1 if pools else block)
                length = length // 2 if pools else length
                self.layers.append(Layer(length, keys, stride, fused))

    def forward(self, tokens, pad):
        x = self.norm(self.embedding(tokens))
        for layer in self.layers:
            x = layer(x, -10000.0 * pad[:, None, None, :])
            if layer.pools:
                pad = pooled_pad(pad)
        there = (1.0 - pad)[..., None]
        return self.output((x * there).sum(1) / there.sum(1))


class OfTransformers(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = FunnelForSequenceClassification(
            FunnelConfig(
                vocab_size=VOCABULARY,
                block_sizes=list(BLOCKS),
                d_model=HIDDEN,
                n_head=HEADS,
                d_head=SIZE,
                d_inner=INNER,
                hidden_act="gelu_new",
                hidden_dropout=0.0,
                attention_dropout=0.0,
                activation_dropout=0.0,
                num_labels=CLASSES,
            )
        )
        types = torch.zeros(BATCH, LENGTH, dtype=torch.long)
        types[:, 0] = 2  # [CLS]
        self.register_buffer("types", types, persistent=False)

    def forward(self, tokens, pad):
        return self.model(tokens, attention_mask=1.0 - pad, token_type_ids=self.types).logits


def measure(make, arguments):
    torch.manual_seed(0)
    model = make()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, **optimizer_flags(arguments))
    forward = torch.compile(model) if arguments.compile else model
    tokens = torch.randint(0, VOCABULARY, (BATCHES, BATCH, LENGTH))
    labels = torch.randint(0, CLASSES, (BATCHES, BATCH))
    pad = torch.zeros(BATCH, LENGTH)

    seconds = []
    for step in range(WARM_UP + arguments.steps):
        batch, wanted = tokens[step % BATCHES], labels[step % BATCHES]
        begin = time.perf_counter()
        loss = F.cross_entropy(forward(batch, pad), wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
    return {
        "steps_per_second": round(1 / statistics.median(seconds[WARM_UP:]), 2),
        "best_step_per_second": round(1 / min(seconds[WARM_UP:]), 2),
        "parameters": sum(p.numel() for p in model.parameters()),
    }


def main():
    arguments = arguments_of(__doc__, steps=50)

    variants = {"sdpa": lambda: Funnel(True), "plain": lambda: Funnel(False)}
    if FunnelConfig is not None:
        variants["transformers"] = OfTransformers
    results = {name: measure(make, arguments) for name, make in variants.items()}
    print_report("funnel", arguments, results, "steps_per_second")


if __name__ == "__main__":
    main()
