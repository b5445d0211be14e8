# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's speed on a small GPT of 3.2 million parameters; prints one JSON line.

Four pre-norm layers, hidden 256, feed-forward 1024, 8 heads, 32 sequences of 128 tokens, GELU,
AdamW, float32. A step is forward, backward and update; its time is the median of all steps. The
rate of a large matrix product, measured in the same run, says what the machine could give.
"""

import math
import resource
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from torch_bench import arguments_of, optimizer_flags, print_report

VOCABULARY, HIDDEN, INNER, HEADS, LAYERS = 65, 256, 1024, 8, 4
BATCH, LENGTH = 32, 128
WARM_UP, BATCHES = 2, 4
PRODUCT_SIZE, PRODUCT_RUNS = 2048, 7


class Attention(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.fused = fused
        self.query_key_value = nn.Linear(HIDDEN, 3 * HIDDEN)
        self.output = nn.Linear(HIDDEN, HIDDEN)
        causal = torch.ones(LENGTH, LENGTH).triu(1).bool()
        self.register_buffer("blocked", causal, persistent=False)

    def forward(self, x):
        query, key, value = (
            y.unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for y in self.query_key_value(x).chunk(3, dim=-1)
        )
        if self.fused:
            mixed = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        else:
            scores = query @ key.transpose(-1, -2) / math.sqrt(HIDDEN // HEADS)
            mixed = scores.masked_fill(self.blocked, -torch.inf).softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.attention_norm, self.feed_forward_norm = nn.LayerNorm(HIDDEN), nn.LayerNorm(HIDDEN)
        self.attention = Attention(fused)
        self.feed_forward = nn.Sequential(
            nn.Linear(HIDDEN, INNER), nn.GELU(), nn.Linear(INNER, HIDDEN)
        )

    def forward(self, x):
        x = x + self.attention(self.attention_norm(x))
        return x + self.feed_forward(self.feed_forward_norm(x))


class Decoder(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.embedding = nn.Embedding(VOCABULARY, HIDDEN)
        self.positions = nn.Parameter(0.02 * torch.randn(LENGTH, HIDDEN))
        self.layers = nn.Sequential(*[Layer(fused) for _ in range(LAYERS)])
        self.final_norm = nn.LayerNorm(HIDDEN)
        self.output = nn.Linear(HIDDEN, VOCABULARY)

    def forward(self, tokens):
        return self.output(self.final_norm(self.layers(self.embedding(tokens) + self.positions)))


def peak_rss_mib():
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)


def measure(fused, arguments):
    torch.manual_seed(0)
    model = Decoder(fused)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4, **optimizer_flags(arguments))
    forward = torch.compile(model) if arguments.compile else model
    data = torch.randint(0, VOCABULARY, (BATCHES, BATCH, LENGTH + 1))

    seconds = []
    for step in range(WARM_UP + arguments.steps):
        tokens = data[step % BATCHES]
        begin = time.perf_counter()
        loss = F.cross_entropy(forward(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
    median = statistics.median(seconds[WARM_UP:])
    return {
        "tokens_per_second": round(BATCH * LENGTH / median),
        "best_step_tokens_per_second": round(BATCH * LENGTH / min(seconds[WARM_UP:])),
        "loss": round(loss.item(), 4),
        "parameters": sum(p.numel() for p in model.parameters()),
        "peak_rss_mib": peak_rss_mib(),
    }


def product_gflops():
    """The median of a few 2048^3 products in float32, in 10^9 floating-point operations a second."""
    a, b = torch.randn(2, PRODUCT_SIZE, PRODUCT_SIZE)
    out = a @ b
    seconds = []
    for _ in range(PRODUCT_RUNS):
        begin = time.perf_counter()
        torch.mm(a, b, out=out)
        seconds.append(time.perf_counter() - begin)
    return round(2 * PRODUCT_SIZE**3 / statistics.median(seconds) / 1e9, 1)


def main():
    arguments = arguments_of(__doc__, steps=10)

    # In this order, because the peak never falls: each peak covers what ran before it.
    results = {"sdpa": measure(True, arguments), "plain": measure(False, arguments)}
    print_report("decoder", arguments, results, "tokens_per_second",
                 peak_rss_mib=results["sdpa"]["peak_rss_mib"], product_gflops=product_gflops())


if __name__ == "__main__":
    main()
