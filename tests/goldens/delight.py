# SPDX-License-Identifier: GPL-3.0-or-later
"""Small DeLighT models (Mehta et al. 2021) in plain torch: logits, loss and gradients.

The blocks of the official code: a DExTra unit to half the width, single-head attention there, then a
light feed-forward; a decoder has cross-attention between them. Sizes and groups are derived anew,
and a grouped map is a product with the whole block-diagonal matrix.
"""

import math

import numpy as np
import torch
import torch.nn.functional as F

import golden
from plain_transformer import PlainTransformer, causal_mask

SEQUENCES, SOURCE, TARGET = 3, 6, 5
INNER_EPSILON = 1e-5

COMMON = {
    "vocabulary": 9,
    "hidden": 8,
    "norm": "layer",
    "norm_epsilon": 1e-5,
    "activation": "gelu",
    "positions": "sinusoidal",
    "embedding_scale": 1.0,
    "embedding_size": 0,
    "shared": False,
    "tied_output": False,
    "final_norm": False,
    "output_bias": True,
}
UNIT = {"depth": 4, "width": 2.0, "groups": 4, "rising": True, "shuffle": True, "mixer": True}

CASES = {
    "post_norm_shared_table": {
        **COMMON,
        "norm_placement": "post",
        "embedding_size": 12,
        "shared": True,
        "tied_output": True,
        "output_bias": False,
        "encoder": [UNIT, {**UNIT, "depth": 5, "width": 2.5}],
        "decoder": [UNIT],
    },
    "pre_norm_without_shuffle": {
        **COMMON,
        "norm_placement": "pre",
        "final_norm": True,
        "activation": "relu",
        "encoder": [{**UNIT, "shuffle": False}],
        "decoder": [{**UNIT, "shuffle": False, "depth": 3}],
    },
    "decoder_without_mixer": {
        **COMMON,
        "norm_placement": "post",
        "embedding_size": 8,
        "tied_output": True,
        "encoder": [],
        "decoder": [{**UNIT, "mixer": False}, {**UNIT, "mixer": False, "shuffle": False}],
    },
    "decoder_with_fixed_groups": {
        **COMMON,
        "norm_placement": "pre",
        "final_norm": True,
        "embedding_size": 12,
        "encoder": [],
        "decoder": [{**UNIT, "rising": False, "groups": 2, "depth": 6}],
    },
    "decoder_with_swish": {
        **COMMON,
        "norm_placement": "post",
        "activation": "silu",
        "encoder": [],
        "decoder": [UNIT],
    },
}


def unit_maps(projected, out, widest, depth, most_groups, rising, mixer):
    """(groups, inputs, outputs) of each grouped map."""
    middle = math.ceil(depth / 2)
    groups = [min(2 ** (i + 1), most_groups) if rising else most_groups for i in range(middle)]
    outs = np.linspace(projected, widest, middle).astype(int).tolist()
    mirrored = slice(None) if depth % 2 == 0 else slice(1, None)
    groups = groups + groups[::-1][mirrored]
    outs = outs + outs[::-1][mirrored]
    ins = [projected] * depth
    for i in range(depth - 1):
        part = max(groups[i], groups[i + 1], 8)
        outs[i] = math.ceil(outs[i] / part) * part
        ins[i + 1] = outs[i] + (projected if mixer else 0)
    outs[-1] = out
    return list(zip(groups, ins, outs))


def block_unit(config, unit):
    hidden = config["hidden"]
    maps = unit_maps(
        hidden // 2,
        hidden // 2,
        unit["width"] * hidden,
        unit["depth"],
        unit["groups"],
        unit["rising"],
        unit["mixer"],
    )
    return {**unit, "in": hidden, "projected": hidden // 2, "out": hidden // 2, "maps": maps}


def embedding_unit(config):
    hidden, size = config["hidden"], config["embedding_size"]
    most = 2 ** math.ceil(math.log2(max(1, hidden // 32)))
    maps = unit_maps(hidden // 2, hidden, 2.0 * size, 4, most, True, True)
    return {**UNIT, "in": size, "projected": hidden // 2, "out": hidden, "maps": maps}


def parameter_shapes(c):
    shapes = {}
    hidden, half = c["hidden"], c["hidden"] // 2

    def linear(path, outputs, inputs, bias=True):
        shapes[f"{path}.weight"] = (outputs, inputs)
        if bias:
            shapes[f"{path}.bias"] = (outputs,)

    def norm(path, size=hidden):
        shapes[f"{path}.weight"] = (size,)
        shapes[f"{path}.bias"] = (size,)

    def dextra(path, unit):
        linear(f"{path}.dextra_input", unit["projected"], unit["in"])
        norm(f"{path}.dextra_input.norm", unit["projected"])
        for i, (groups, inputs, outputs) in enumerate(unit["maps"]):
            linear(f"{path}.dextra_map{i + 1}", outputs, inputs // groups)
            norm(f"{path}.dextra_map{i + 1}.norm", outputs // groups)
        last = unit["maps"][-1][2] + (unit["projected"] if unit["mixer"] else 0)
        linear(f"{path}.dextra_output", unit["out"], last)
        norm(f"{path}.dextra_output.norm", unit["out"])

    def attention(path, inputs):
        for name in ("query", "key", "value"):
            linear(f"{path}.{name}", half, inputs)
        linear(f"{path}.output", hidden, half)
        norm(f"{path}_norm")

    if c["shared"]:
        shapes["embedding.weight"] = (c["vocabulary"], c["embedding_size"] or hidden)
    for stack in ("encoder", "decoder"):
        if not c[stack]:
            continue
        if not c["shared"]:
            shapes[f"{stack}.embedding.weight"] = (c["vocabulary"], c["embedding_size"] or hidden)
        if c["embedding_size"]:
            dextra(f"{stack}.embedding", embedding_unit(c))
        for i, unit in enumerate(c[stack]):
            layer = f"{stack}.layers.{i}"
            dextra(f"{layer}.delight_attention", block_unit(c, unit))
            attention(f"{layer}.delight_attention", half)
            if stack == "decoder" and c["encoder"]:
                attention(f"{layer}.cross_attention", hidden)
            linear(f"{layer}.feed_forward.linear1", hidden // 4, hidden)
            linear(f"{layer}.feed_forward.linear2", hidden, hidden // 4)
            norm(f"{layer}.feed_forward_norm")
        if c["final_norm"]:
            norm(f"{stack}.final_norm")
    if c["tied_output"]:
        if c["embedding_size"] != hidden:
            linear("output.projection", c["embedding_size"], hidden, False)
        if c["output_bias"]:
            shapes["output.bias"] = (c["vocabulary"],)
    else:
        linear("output", c["vocabulary"], hidden, c["output_bias"])
    return shapes


class Delight(PlainTransformer):
    def __init__(self, config, parameters):
        sizes = {"heads": 1, "key_size": config["hidden"] // 2}
        super().__init__({**config, **sizes}, parameters)

    def logits(self, target, source=None, source_pad=None):
        memory, blocked = None, None
        if source is not None:
            blocked = source_pad[:, None, None, :]
            memory = self._run("encoder", source, blocked)
        x = self._run("decoder", target, causal_mask(target.shape[1]), memory, blocked)
        if not self.config["tied_output"]:
            return self._linear("output", x)
        if "output.projection.weight" in self.parameters:
            x = self._linear("output.projection", x)
        y = x @ self._table("decoder").T
        return y + self.parameters["output.bias"] if self.config["output_bias"] else y

    def _table(self, stack):
        shared = self.parameters.get("embedding.weight")
        return self.parameters[f"{stack}.embedding.weight"] if shared is None else shared

    def _embed(self, stack, tokens):
        x = self._table(stack)[tokens] * self.config["embedding_scale"]
        if self.config["embedding_size"]:
            x = self._dextra(f"{stack}.embedding", x, embedding_unit(self.config))
        rates = 10000.0 ** (-torch.arange(0, x.shape[2], 2, dtype=torch.float64) / x.shape[2])
        angles = torch.arange(x.shape[1], dtype=torch.float64)[:, None] * rates
        return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)

    def _run(self, stack, tokens, blocked, memory=None, memory_blocked=None):
        x = self._embed(stack, tokens)
        for i, unit in enumerate(self.config[stack]):

            def attend(path, y):
                y = self._dextra(path, y, block_unit(self.config, unit))
                return self._attention(path, y, y, blocked)

            layer = f"{stack}.layers.{i}"
            x = self._residual(f"{layer}.delight_attention", x, attend)
            if memory is not None:
                x = self._residual(
                    f"{layer}.cross_attention",
                    x,
                    lambda path, y: self._attention(path, y, memory, memory_blocked),
                )
            x = self._residual(f"{layer}.feed_forward", x, self._feed_forward)
        return self._norm(f"{stack}.final_norm", x) if self.config["final_norm"] else x

    def _dextra(self, path, x, unit):
        first = self._normed(f"{path}.dextra_input", self._linear(f"{path}.dextra_input", x), 1)
        y = first
        for i, (groups, _, outputs) in enumerate(unit["maps"]):
            name = f"{path}.dextra_map{i + 1}"
            blocks = self.parameters[f"{name}.weight"].chunk(groups)
            y = y @ torch.block_diag(*blocks).T + self.parameters[f"{name}.bias"]
            if unit["shuffle"]:
                order = torch.arange(outputs).reshape(groups, -1).T.flatten()
                y = y[..., order]
            y = self._normed(name, y, groups)
            if unit["mixer"]:
                following = unit["maps"][i + 1][0] if i + 1 < len(unit["maps"]) else 1
                pairs = zip(first.chunk(following, -1), y.chunk(following, -1))
                y = torch.cat([part for pair in pairs for part in pair], dim=-1)
        return self._normed(f"{path}.dextra_output", self._linear(f"{path}.dextra_output", y), 1)

    def _normed(self, path, y, groups):
        gain, shift = (self.parameters[f"{path}.norm.{n}"] for n in ("weight", "bias"))
        parts = [F.layer_norm(p, p.shape[-1:], gain, shift, INNER_EPSILON) for p in y.chunk(groups, -1)]
        return self._activation(torch.cat(parts, dim=-1))


def random_parameters(config, generator):
    """None of them 0 or 1, so that no term can hide."""
    parameters = {}
    for name, shape in parameter_shapes(config).items():
        values = torch.randn(shape, generator=generator, dtype=torch.float64)
        if len(shape) == 2:
            values = values / math.sqrt(shape[1])
        else:
            values = (1 if name.endswith("norm.weight") else 0) + 0.2 * values
        parameters[name] = values.requires_grad_()
    return parameters


def case(config, generator):
    parameters = random_parameters(config, generator)
    words = config["vocabulary"]
    data = {
        "source": torch.randint(0, words, (SEQUENCES, SOURCE), generator=generator),
        "source_pad": torch.arange(SOURCE)[None] >= torch.tensor([[SOURCE], [SOURCE - 1], [2]]),
        "target": torch.randint(0, words, (SEQUENCES, TARGET), generator=generator),
        "labels": torch.randint(0, words, (SEQUENCES, TARGET), generator=generator),
    }
    model = Delight(config, parameters)
    encoder = (data["source"], data["source_pad"]) if config["encoder"] else ()
    logits = model.logits(data["target"], *encoder)
    loss = F.cross_entropy(logits.flatten(0, 1), data["labels"].flatten())
    return {
        "config": config,
        "parameters": golden.tensors(parameters),
        "batch": golden.tensors(data),
        "logits": golden.tensor(logits),
        "loss": loss.item(),
        "gradients": golden.tensors(model.gradients(loss)),
        "probabilities": golden.tensors(model.probabilities),
    }


def main():
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(21)
    golden.write(__file__, {name: case(config, generator) for name, config in CASES.items()})


if __name__ == "__main__":
    main()
