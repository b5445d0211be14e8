# SPDX-License-Identifier: GPL-3.0-or-later
"""Recomputes the goldens of plain_transformer.py with stock modules of torch and flax.

Reads the committed files and writes none; fails where a loss or gradient is off by over 1e-13.
"""

import json
import math
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import torch
import torch.nn.functional as F
from flax import linen as nn

from plain_transformer import sinusoid


def load(name):
    return json.loads(Path(__file__).with_name(f"{name}.json").read_text())


def arrays(by_name):
    return {n: np.array(t["values"]).reshape(t["shape"]) for n, t in by_name.items()}


def compare(name, loss, gradients, case):
    expected = arrays(case["gradients"])
    if gradients.keys() != expected.keys():
        raise AssertionError(f"{name}: not the same parameters")
    worst = max(np.abs(np.asarray(gradients[n]) - expected[n]).max() for n in expected)
    worst = max(worst, abs(float(loss) - case["loss"]))
    print(f"{name}: worst difference {worst:.1e}")
    if not worst < 1e-13:
        raise AssertionError(f"{name}: {worst}")


def torch_case(case, logits):
    """Loss and gradients of `logits(parameters, tokens)`, a decoder-only model."""
    values = arrays(case["parameters"])
    parameters = {n: torch.tensor(v).requires_grad_() for n, v in values.items()}
    batch = {n: torch.tensor(v) for n, v in arrays(case["batch"]).items()}
    loss = F.cross_entropy(logits(parameters, batch["target"]).mT, batch["labels"])
    gradients = torch.autograd.grad(loss, list(parameters.values()))
    compare(case["name"], loss.item(), dict(zip(parameters, gradients)), case)


def usual_lm(p, tokens):
    """Through torch.nn.TransformerEncoderLayer."""
    length = tokens.shape[1]
    x = p["decoder.embedding.weight"][tokens] + p["decoder.positions.weight"][:length]
    for i in range(2):
        path = f"decoder.layers.{i}"
        attention = f"{path}.self_attention"
        layer = torch.nn.TransformerEncoderLayer(
            12, 3, 20, 0.0, "gelu", batch_first=True, norm_first=True, dtype=torch.float64
        )
        values = {
            f"self_attn.in_proj_{kind}": torch.cat(
                [p[f"{attention}.{part}.{kind}"] for part in ("query", "key", "value")]
            )
            for kind in ("weight", "bias")
        }
        for kind in ("weight", "bias"):
            values[f"self_attn.out_proj.{kind}"] = p[f"{attention}.output.{kind}"]
            values[f"norm1.{kind}"] = p[f"{attention}_norm.{kind}"]
            values[f"norm2.{kind}"] = p[f"{path}.feed_forward_norm.{kind}"]
            for linear in ("linear1", "linear2"):
                values[f"{linear}.{kind}"] = p[f"{path}.feed_forward.{linear}.{kind}"]
        mask = torch.nn.Transformer.generate_square_subsequent_mask(length, dtype=torch.float64)
        x = torch.func.functional_call(layer, values, (x, mask))
    norm = "decoder.final_norm"
    x = F.layer_norm(x, (12,), p[f"{norm}.weight"], p[f"{norm}.bias"])
    return x @ p["decoder.embedding.weight"].T


def unusual_lm(p, tokens):
    """Through torch's fused functions, which allow value sizes unlike the key's."""

    def linear(path, x):
        return F.linear(x, p[f"{path}.weight"], p[f"{path}.bias"])

    def norm(path, x):
        return F.rms_norm(x, (12,), p[f"{path}.weight"], eps=1e-6)

    x = p["decoder.embedding.weight"][tokens] * math.sqrt(12) + sinusoid(tokens.shape[1], 12)
    for i in range(2):
        path = f"decoder.layers.{i}.self_attention"
        heads = [
            linear(f"{path}.{part}", x).unflatten(-1, (3, -1)).transpose(1, 2)
            for part in ("query", "key", "value")
        ]
        mixed = F.scaled_dot_product_attention(*heads, is_causal=True).transpose(1, 2).flatten(2)
        x = norm(f"{path}_norm", x + linear(f"{path}.output", mixed))
        path = f"decoder.layers.{i}.feed_forward"
        inner = F.gelu(linear(f"{path}.linear1", x), approximate="tanh")
        x = norm(f"{path}_norm", x + linear(f"{path}.linear2", inner))
    return linear("output", x)


def rot13_loss(p, batch):
    """Through flax's MultiHeadDotProductAttention and LayerNorm."""

    def linear(path, x):
        return x @ p[f"{path}.weight"].T + p[f"{path}.bias"]

    def norm(path, x):
        values = {"scale": p[f"{path}.weight"], "bias": p[f"{path}.bias"]}
        return nn.LayerNorm().apply({"params": values}, x)

    def attention(path, x, memory, visible):
        values = {
            part: {
                "kernel": p[f"{path}.{part}.weight"].T.reshape(8, 7, 5),
                "bias": p[f"{path}.{part}.bias"].reshape(7, 5),
            }
            for part in ("query", "key", "value")
        }
        values["out"] = {
            "kernel": p[f"{path}.output.weight"].T.reshape(7, 5, 8),
            "bias": p[f"{path}.output.bias"],
        }
        module = nn.MultiHeadDotProductAttention(num_heads=7, qkv_features=35, out_features=8)
        y = module.apply({"params": values}, x, memory, mask=visible, deterministic=True)
        return norm(f"{path}_norm", x + y)

    def feed_forward(path, x):
        y = linear(f"{path}.linear2", nn.relu(linear(f"{path}.linear1", x)))
        return norm(f"{path}_norm", x + y)

    def embed(stack, tokens):
        x = p[f"{stack}.embedding.weight"][tokens] * math.sqrt(8)
        return x + sinusoid(tokens.shape[1], 8).numpy()

    source_visible = batch["source_pad"][:, None, None, :] == 0
    memory = embed("encoder", batch["source"])
    memory = attention("encoder.layers.0.self_attention", memory, memory, source_visible)
    memory = feed_forward("encoder.layers.0.feed_forward", memory)
    x = embed("decoder", batch["target"])
    x = attention("decoder.layers.0.self_attention", x, x, nn.make_causal_mask(batch["target"]))
    x = attention("decoder.layers.0.cross_attention", x, memory, source_visible)
    x = feed_forward("decoder.layers.0.feed_forward", x)
    log_probabilities = nn.log_softmax(linear("output", x))
    return -jnp.take_along_axis(log_probabilities, batch["labels"][..., None], axis=-1).mean()


def main():
    jax.config.update("jax_enable_x64", True)
    usual, unusual = load("decoder_lm")["cases"]
    torch_case(usual, usual_lm)
    torch_case(unusual, unusual_lm)
    rot13 = load("encoder_decoder_step")
    batch = arrays(rot13["step"]["batch"])
    step = jax.value_and_grad(rot13_loss)(arrays(rot13["parameters"]), batch)
    compare("rot13 encoder-decoder", *step, rot13["step"])


if __name__ == "__main__":
    main()
