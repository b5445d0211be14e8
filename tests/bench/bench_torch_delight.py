# SPDX-License-Identifier: GPL-3.0-or-later
"""PyTorch's speed on a DeLighT encoder-decoder of class size; prints one JSON line.

The preset delight-sequence: hidden 64, two blocks a stack with 3 and 4 grouped maps, embedding units
from tables of 32 columns, a tied output, pre-norm. A grouped map is one bmm, as in the official code.
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

VOCABULARY, HIDDEN, TABLE, GROUPS = 28, 64, 32, 2
BLOCKS = ((3, 2.0), (4, 2.333))  # depth and width
BATCH, LENGTH = 50, 15
WARM_UP, BATCHES = 10, 8
HALF = HIDDEN // 2


def sinusoid(length, hidden):
    rates = 10000.0 ** (-torch.arange(0, hidden, 2) / hidden)
    angles = torch.arange(length)[:, None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).reshape(length, hidden)


def unit_maps(projected, out, widest, depth):
    """(groups, inputs, outputs) of each grouped map."""
    middle = math.ceil(depth / 2)
    groups = [min(2 ** (i + 1), GROUPS) for i in range(middle)]
    steps = max(1, middle - 1)
    outs = [int(projected + i * (widest - projected) / steps) for i in range(middle)]
    mirrored = slice(None) if depth % 2 == 0 else slice(1, None)
    groups, outs = groups + groups[::-1][mirrored], outs + outs[::-1][mirrored]
    ins = [projected] * depth
    for i in range(depth - 1):
        part = max(groups[i], groups[i + 1], 8)
        outs[i] = math.ceil(outs[i] / part) * part
        ins[i + 1] = outs[i] + projected
    outs[-1] = out
    return list(zip(groups, ins, outs))


class Mapped(nn.Module):
    """A linear map with its norm and activation."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear, self.norm = nn.Linear(inputs, outputs), nn.LayerNorm(outputs)

    def forward(self, x):
        return F.silu(self.norm(self.linear(x)))


class Grouped(nn.Module):
    def __init__(self, groups, inputs, outputs):
        super().__init__()
        self.groups = groups
        self.weight = nn.Parameter(torch.empty(groups, inputs // groups, outputs // groups))
        self.bias = nn.Parameter(torch.zeros(groups, 1, outputs // groups))
        self.norm = nn.LayerNorm(outputs // groups)
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x):
        rows = x.shape[0]
        y = torch.baddbmm(self.bias, x.view(rows, self.groups, -1).transpose(0, 1), self.weight)
        y = y.permute(1, 2, 0).reshape(rows, self.groups, -1)
        return F.silu(self.norm(y)).view(rows, -1)


class Dextra(nn.Module):
    def __init__(self, inputs, out, widest, depth):
        super().__init__()
        maps = unit_maps(HALF, out, widest, depth)
        self.input = Mapped(inputs, HALF)
        self.maps = nn.ModuleList([Grouped(*sizes) for sizes in maps])
        self.output = Mapped(out + HALF, out)
        self.following = [groups for groups, _, _ in maps[1:]] + [1]

    def forward(self, x):
        first = self.input(x.flatten(0, -2))
        y, rows = first, first.shape[0]
        for grouped, groups in zip(self.maps, self.following):
            parts = [t.view(rows, groups, -1) for t in (first, grouped(y))]
            y = torch.cat(parts, dim=-1).view(rows, -1)
        return self.output(y).view(*x.shape[:-1], -1)


class Attention(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.query, self.key_value = nn.Linear(inputs, HALF), nn.Linear(inputs, 2 * HALF)
        self.output = nn.Linear(HALF, HIDDEN)

    def forward(self, x, memory, blocked, fused):
        query = self.query(x)
        key, value = self.key_value(memory).chunk(2, dim=-1)
        if fused:
            mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=blocked)
        else:
            scores = query @ key.transpose(-1, -2) / math.sqrt(HALF) + blocked
            mixed = scores.softmax(-1) @ value
        return self.output(mixed)


class Layer(nn.Module):
    def __init__(self, depth, width, cross):
        super().__init__()
        self.dextra = Dextra(HIDDEN, HALF, width * HIDDEN, depth)
        self.attention = Attention(HALF)
        self.cross = Attention(HIDDEN) if cross else None
        self.inner, self.outer = nn.Linear(HIDDEN, HIDDEN // 4), nn.Linear(HIDDEN // 4, HIDDEN)
        self.norms = nn.ModuleList([nn.LayerNorm(HIDDEN) for _ in range(3 if cross else 2)])

    def forward(self, x, blocked, fused, memory=None, memory_blocked=None):
        y = self.dextra(self.norms[0](x))
        x = x + self.attention(y, y, blocked, fused)
        if memory is not None:
            x = x + self.cross(self.norms[1](x), memory, memory_blocked, fused)
        return x + self.outer(F.silu(self.inner(self.norms[-1](x))))


class Stack(nn.Module):
    def __init__(self, cross):
        super().__init__()
        self.table = nn.Embedding(VOCABULARY, TABLE)
        self.unit = Dextra(TABLE, HIDDEN, 2.0 * TABLE, 4)
        self.layers = nn.ModuleList([Layer(depth, width, cross) for depth, width in BLOCKS])
        self.norm = nn.LayerNorm(HIDDEN)
        self.register_buffer("positions", sinusoid(LENGTH, HIDDEN))

    def forward(self, tokens, *rest):
        x = self.unit(self.table(tokens)) + self.positions
        for layer in self.layers:
            x = layer(x, *rest)
        return self.norm(x)


class Delight(nn.Module):
    def __init__(self, fused):
        super().__init__()
        self.fused = fused
        self.encoder, self.decoder = Stack(cross=False), Stack(cross=True)
        self.projection = nn.Linear(HIDDEN, TABLE, bias=False)
        self.register_buffer("causal", torch.full((LENGTH, LENGTH), -10000.0).triu(1))

    def forward(self, source, target, pad):
        memory = self.encoder(source, pad, self.fused)
        x = self.decoder(target, self.causal, self.fused, memory, pad)
        return F.linear(self.projection(x), self.decoder.table.weight)


def measure(fused, arguments):
    torch.manual_seed(0)
    model = Delight(fused)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, **optimizer_flags(arguments))
    forward = torch.compile(model) if arguments.compile else model
    tokens = torch.randint(0, VOCABULARY, (BATCHES, 3, BATCH, LENGTH))
    pad = torch.zeros(BATCH, 1, LENGTH)

    seconds = []
    for step in range(WARM_UP + arguments.steps):
        source, target, labels = tokens[step % BATCHES]
        begin = time.perf_counter()
        loss = F.cross_entropy(forward(source, target, pad).flatten(0, 1), labels.flatten())
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
    arguments = arguments_of(__doc__, steps=100)

    results = {"sdpa": measure(True, arguments), "plain": measure(False, arguments)}
    print_report("delight", arguments, results, "steps_per_second")


if __name__ == "__main__":
    main()
