# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's speed on a nested classifier's joint step (MatFormer, arXiv v1); prints one JSON line.

Two pre-norm encoder layers, hidden 64, 4 heads, feed-forward 256 with its first 32, 64 and 128
entries as submodels, 32 sequences of 64 tokens, masked mean pooling, two classes, Adam, float32. A
step adds the mean of the four losses on one batch up, then backward and update; its time is the
median of all steps. The data is made before the clock starts.
"""

import math
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from torch_bench import arguments_of, optimizer_flags, print_report

VOCABULARY, CLASSES, HIDDEN, HEADS, LAYERS = 27, 2, 64, 4, 2
WIDTHS = (32, 64, 128, 256)
BATCH, LENGTH = 32, 64
WARM_UP, BATCHES = 10, 8


class Attention(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.fused = fused
        self.query_key_value = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.output = nn.Linear(HIDDEN, HIDDEN)

    def forward(self, x, blocked):
        query, key, value = (
            y.unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for y in self.query_key_value(x).chunk(3, dim=-1)
        )
        if self.fused:
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=blocked)
        else:
            scores = query @ key.transpose(-1, -2) / math.sqrt(HIDDEN // HEADS) + blocked
            mixed = scores.softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.attention_norm, self.feed_forward_norm = nn.LayerNorm(HIDDEN), nn.LayerNorm(HIDDEN)
        self.attention = Attention(fused)
        self.inner, self.outer = nn.Linear(HIDDEN, WIDTHS[-1]), nn.Linear(WIDTHS[-1], HIDDEN)

    def forward(self, x, blocked, width):
        x = x + self.attention(self.attention_norm(x), blocked)
        y = self.feed_forward_norm(x)
        y = F.relu(F.linear(y, self.inner.weight[:width], self.inner.bias[:width]))
        return x + F.linear(y, self.outer.weight[:, :width], self.outer.bias)


class Classifier(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.positions = nn.Parameter(0.02 * torch.randn(LENGTH, HIDDEN))
        self.layers = nn.ModuleList([Layer(fused) for _ in range(LAYERS)])
        self.final_norm = nn.LayerNorm(HIDDEN)
        self.output = nn.Linear(HIDDEN, CLASSES)

    def forward(self, tokens, pad, width):
        blocked = -10000.0 * pad[:, None, None, :]
        x = self.embedding(tokens) * math.sqrt(HIDDEN) + self.positions
        for layer in self.layers:
            x = layer(x, blocked, width)
        there = (1.0 - pad)[..., None]
        return self.output((self.final_norm(x) * there).sum(1) / there.sum(1))


def measure(fused, together, arguments):
    """together: one backward pass for the sum of the losses, else one after each forward pass."""
    torch.manual_seed(0)
    model = Classifier(fused)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, **optimizer_flags(arguments))
    forward = torch.compile(model) if arguments.compile else model
    tokens = torch.randint(0, VOCABULARY, (BATCHES, BATCH, LENGTH))
    labels = torch.randint(0, CLASSES, (BATCHES, BATCH))
    pad = torch.zeros(BATCH, LENGTH)

    seconds = []
    for step in range(WARM_UP + arguments.steps):
        batch, wanted = tokens[step % BATCHES], labels[step % BATCHES]
        begin = time.perf_counter()
        optimizer.zero_grad()
        total = 0.0
        for width in WIDTHS:
            loss = F.cross_entropy(forward(batch, pad, width), wanted) / len(WIDTHS)
            if together:
                total = total + loss
            else:
                loss.backward()
        if together:
            total.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
    return {
        "examples_per_second": round(BATCH / statistics.median(seconds[WARM_UP:])),
        "best_step_examples_per_second": round(BATCH / min(seconds[WARM_UP:])),
        "parameters": sum(p.numel() for p in model.parameters()),
    }


def main():
    arguments = arguments_of(__doc__, steps=100)

    results = {
        f"{'sdpa' if fused else 'plain'}, {'one backward' if together else 'a backward each'}":
            measure(fused, together, arguments)
        for fused in (True, False)
        for together in (True, False)
    }
    print_report("joint", arguments, results, "examples_per_second")


if __name__ == "__main__":
    main()
