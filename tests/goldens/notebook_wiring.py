# SPDX-License-Identifier: GPL-3.0-or-later
"""One granularity of the notebook's wiring: torch's own attention, fed batch first as it is there."""

import torch
import torch.nn.functional as F
from torch import nn

import golden

SEQUENCES, LENGTH = 3, 5
HIDDEN, FEED_FORWARD, HEADS, LAYERS, HEAD_SIZE = 8, 16, 2, 2, 6
WIDTH = 4


def attention(generator):
    """Sequence first, as torch's is unless told; its biases begin as zeros."""
    module = nn.MultiheadAttention(HIDDEN, HEADS, dtype=torch.float64)
    with torch.no_grad():
        module.in_proj_weight.copy_(torch.randn(3 * HIDDEN, HIDDEN, generator=generator) * 0.3)
        module.out_proj.weight.copy_(torch.randn(HIDDEN, HIDDEN, generator=generator) * 0.3)
    return module


def main():
    torch.set_default_dtype(torch.float64)
    generator = torch.Generator().manual_seed(7)

    def random(*shape):
        return torch.randn(*shape, generator=generator)

    features = random(SEQUENCES, LENGTH, HIDDEN)
    classes = torch.tensor([1, 0, 1])
    parameters = {
        "feed_forward.linear1.weight": random(FEED_FORWARD, HIDDEN),
        "feed_forward.linear1.bias": random(FEED_FORWARD),
        "feed_forward.linear2.weight": random(HIDDEN, FEED_FORWARD),
        "feed_forward.linear2.bias": random(HIDDEN),
        "final_norm.weight": 1 + 0.1 * random(HIDDEN),
        "final_norm.bias": 0.1 * random(HIDDEN),
        "head.linear1.weight": random(HEAD_SIZE, HIDDEN),
        "head.linear1.bias": random(HEAD_SIZE),
        "head.linear2.weight": random(1, HEAD_SIZE),
        "head.linear2.bias": random(1),
    }
    for p in parameters.values():
        p.requires_grad_()
    attentions = [attention(generator) for _ in range(LAYERS)]

    x = features
    for module in attentions:
        x = F.layer_norm(x + module(x, x, x)[0], (HIDDEN,))
        inner = F.gelu(
            x @ parameters["feed_forward.linear1.weight"][:WIDTH].T
            + parameters["feed_forward.linear1.bias"][:WIDTH]
        )
        fed = inner @ parameters["feed_forward.linear2.weight"][:, :WIDTH].T
        x = F.layer_norm(x + fed + parameters["feed_forward.linear2.bias"], (HIDDEN,))
    x = F.layer_norm(
        x, (HIDDEN,), parameters["final_norm.weight"], parameters["final_norm.bias"]
    )
    pooled = x.mean(dim=1)
    head = F.linear(pooled, parameters["head.linear1.weight"], parameters["head.linear1.bias"])
    logit = F.linear(
        F.relu(head), parameters["head.linear2.weight"], parameters["head.linear2.bias"]
    ).squeeze(1)
    loss = F.binary_cross_entropy_with_logits(logit, (classes == 0).double())
    loss.backward()

    untrained = {}
    for i, module in enumerate(attentions):
        parts = dict(zip(("query", "key", "value"), module.in_proj_weight.chunk(3)))
        parts["output"] = module.out_proj.weight
        for name, weight in parts.items():
            untrained[f"layers.{i}.self_attention.{name}.weight"] = weight
    golden.write(
        __file__,
        {
            "features": golden.tensor(features),
            "classes": classes.tolist(),
            "untrained": golden.tensors(untrained),
            "parameters": golden.tensors(parameters),
            "logit_of_class_0": golden.tensor(logit),
            "loss": loss.item(),
            "gradients": golden.tensors({n: p.grad for n, p in parameters.items()}),
        },
    )


main()
