# SPDX-License-Identifier: GPL-3.0-or-later
"""The decoder of 4,192 parameters that courses begin with, in double: its logits, gradients and three steps of training.

    python3 tests/goldens/microgpt.py

One layer of 16 with four heads; RMS norms without gains, one in front of the layer and one in front of each block, none
at the end; no biases; ReLU; a learned table of 16 positions; an output that is not tied. The 26 letters and one token
that begins and ends a name. Adam with rate 0.01 (1 - step / 1000), beta 0.85 and 0.99. microgpt.json has the
weights, the logits and the loss of "emma" before and after, the gradients, and the losses of three names.
"""

import numpy as np
import torch

import golden

torch.set_default_dtype(torch.float64)
END, NAMES = 26, ["emma", "olivia", "ava"]
LAYER = "decoder.layers.0."
SHAPES = {"decoder.embedding.weight": (27, 16), "decoder.positions.weight": (16, 16),
          LAYER + "self_attention.query.weight": (16, 16), LAYER + "self_attention.key.weight": (16, 16),
          LAYER + "self_attention.value.weight": (16, 16), LAYER + "self_attention.output.weight": (16, 16),
          LAYER + "feed_forward.linear1.weight": (64, 16), LAYER + "feed_forward.linear2.weight": (16, 64),
          "output.weight": (27, 16)}


def normed(x):
    return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5)


def logits(w, ids):
    length = len(ids)
    table, places, query, key, value, mix, widen, narrow, answer = w.values()
    x = normed(table[ids] + places[:length])
    n = normed(x)
    heads = [(n @ m.T).unflatten(-1, (4, 4)).swapaxes(0, 1) for m in (query, key, value)]
    hidden = torch.ones(length, length).triu(1).bool()
    scores = (heads[0] @ heads[1].mT / 2).masked_fill(hidden, -torch.inf)
    x = x + (scores.softmax(-1) @ heads[2]).swapaxes(0, 1).flatten(1) @ mix.T
    x = x + (normed(x) @ widen.T).relu() @ narrow.T
    return x @ answer.T


def idsOf(name):
    return [END] + [ord(c) - ord("a") for c in name] + [END]


def loss(w, name):
    ids = idsOf(name)
    return torch.nn.functional.cross_entropy(logits(w, ids[:-1]), torch.tensor(ids[1:]))


def main():
    rng = np.random.default_rng(4192)
    w = {name: torch.tensor(rng.normal(0, 0.3, shape), requires_grad=True) for name, shape in SHAPES.items()}
    first = loss(w, "emma")
    first.backward()
    result = {"parameters": {name: golden.tensor(value) for name, value in w.items()},
              "logits": golden.tensor(logits(w, idsOf("emma")[:-1])), "loss": first.item(),
              "gradients": {name: golden.tensor(value.grad) for name, value in w.items()}}
    optimizer = torch.optim.Adam(w.values(), lr=0.01, betas=(0.85, 0.99), eps=1e-8)
    losses = []
    for step, name in enumerate(NAMES):
        for group in optimizer.param_groups:
            group["lr"] = 0.01 * (1 - step / 1000)
        optimizer.zero_grad()
        now = loss(w, name)
        now.backward()
        optimizer.step()
        losses.append(now.item())
    result |= {"losses": losses, "loss_after": loss(w, "emma").item()}
    golden.write(__file__, result)
    print(first.item(), losses, result["loss_after"])


main()
