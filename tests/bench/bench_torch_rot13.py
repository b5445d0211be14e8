# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's speed on the rot13 encoder-decoder of 4,665 parameters; prints one JSON line.

One step is forward, mean cross entropy over 50 x 15 positions, backward and Adam, in float32; its
time is the median of all steps. The data is made before the clock starts.
"""

import math
import statistics
import time

import torch
import torch.nn.functional as F
from torch import nn

from torch_bench import arguments_of, optimizer_flags, print_report

VOCABULARY, START, PAD = 28, 26, 27
HIDDEN, HEADS, KEY, INNER = 8, 7, 5, 5
BATCH, LENGTH = 50, 15
WARM_UP, BATCHES = 20, 32


def sinusoid(length, hidden):
    rates = 10000.0 ** (-torch.arange(0, hidden, 2) / hidden)
    angles = torch.arange(length)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, hidden)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(HIDDEN, HEADS * KEY)
        self.key_value = nn.Linear(HIDDEN, 2 * HEADS * KEY)
        self.output = nn.Linear(HEADS * KEY, HIDDEN)

    def forward(self, x, memory, blocked, fused):
        def heads(y):
            return y.unflatten(-1, (HEADS, KEY)).transpose(1, 2)

        query = heads(self.query(x))
        key, value = map(heads, self.key_value(memory).chunk(2, dim=-1))
        if fused:
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=blocked)
        else:
            scores = query @ key.transpose(-1, -2) / math.sqrt(KEY) + blocked
            mixed = scores.softmax(-1) @ value
        return self.output(mixed.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, cross):
        super().__init__()
        self.attentions = nn.ModuleList([Attention() for _ in range(2 if cross else 1)])
        self.inner, self.outer = nn.Linear(HIDDEN, INNER), nn.Linear(INNER, HIDDEN)
        norms = len(self.attentions) + 1
        self.norms = nn.ModuleList([nn.LayerNorm(HIDDEN, eps=1e-6) for _ in range(norms)])

    def forward(self, x, blocked, fused, memory=None, memory_blocked=None):
        x = self.norms[0](x + self.attentions[0](x, x, blocked, fused))
        if memory is not None:
            x = self.norms[1](x + self.attentions[1](x, memory, memory_blocked, fused))
        return self.norms[-1](x + self.outer(F.relu(self.inner(x))))


class Rot13(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.fused = fused
        self.source = nn.Embedding(VOCABULARY, HIDDEN)
        self.target = nn.Embedding(VOCABULARY, HIDDEN)
        self.encoder, self.decoder = Layer(cross=False), Layer(cross=True)
        self.output = nn.Linear(HIDDEN, VOCABULARY)
        self.register_buffer("positions", sinusoid(LENGTH, HIDDEN))
        self.register_buffer("causal", torch.full((LENGTH, LENGTH), -10000.0).triu(1))

    def forward(self, source, target, pad):
        memory = self.source(source) * math.sqrt(HIDDEN) + self.positions
        memory = self.encoder(memory, pad, self.fused)
        x = self.target(target) * math.sqrt(HIDDEN) + self.positions
        return self.output(self.decoder(x, self.causal, self.fused, memory, pad))


def batch(generator):
    letters = torch.randint(0, 26, (BATCH, LENGTH), generator=generator)
    lengths = torch.randint(1, LENGTH, (BATCH, 1), generator=generator)
    pad = torch.arange(LENGTH)[None] >= lengths
    labels = ((letters + 13) % 26).masked_fill(pad, PAD)
    target = torch.cat([torch.full((BATCH, 1), START), labels[:, :-1]], dim=1)
    return letters.masked_fill(pad, PAD), target, -10000.0 * pad[:, None, None, :], labels


def measure(fused, arguments):
    torch.manual_seed(0)
    model = Rot13(fused)
    count = sum(p.numel() for p in model.parameters())
    if count != 4665:
        raise AssertionError(f"the rot13 model has 4,665 parameters, not {count}")
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, **optimizer_flags(arguments))
    forward = torch.compile(model) if arguments.compile else model
    generator = torch.Generator().manual_seed(1)
    batches = [batch(generator) for _ in range(BATCHES)]

    seconds = []
    for step in range(WARM_UP + arguments.steps):
        source, target, pad, labels = batches[step % BATCHES]
        begin = time.perf_counter()
        loss = F.cross_entropy(forward(source, target, pad).flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seconds.append(time.perf_counter() - begin)
    return {
        "steps_per_second": round(1 / statistics.median(seconds[WARM_UP:]), 2),
        "best_step_per_second": round(1 / min(seconds[WARM_UP:]), 2),
        "loss": round(loss.item(), 4),
    }


def main():
    arguments = arguments_of(__doc__, steps=500)

    results = {"sdpa": measure(True, arguments), "plain": measure(False, arguments)}
    print_report("rot13", arguments, results, "steps_per_second")


if __name__ == "__main__":
    main()
