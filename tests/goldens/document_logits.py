#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Logits of the saved models in documents/, computed as docs/file-format.md says and by nothing else."""

import json
import math
import struct
from pathlib import Path

import numpy as np
import torch

import golden

FOLDER = Path(__file__).parent / "documents"


def read(path):
    """Tensors in float64, and the metadata with its JSON parsed."""
    data = path.read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__")
    types = {"F32": np.float32, "F64": np.float64, "I64": np.int64}
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        numbers = np.frombuffer(data[begin:end], types[entry["dtype"]])
        tensors[name] = torch.tensor(numbers.reshape(entry["shape"]).astype(np.float64))
    parsed = {}
    for key, text in metadata.items():
        parsed[key] = json.loads(text) if text[:1] in "{[" else text
    return tensors, parsed


def old_blocks(layer):
    """The blocks of a layer in the form that has them as members."""
    blocks = []
    for kind in ("self_attention", "cross_attention", "feed_forward"):
        if kind in layer:
            sizes = layer[kind] if isinstance(layer[kind], dict) else {"width": layer[kind]}
            blocks.append({"kind": kind, **sizes, "norm_eps": layer[f"{kind}_norm_eps"]})
    return blocks


def stack_layers(config, stack):
    """(number, number of the layer that holds the parameters, layer) for each run of a layer."""
    given = config.get(f"{stack}_layers", 0)
    if isinstance(given, int):
        attention = {k: config[k] for k in ("heads", "key_size", "value_size")}
        kinds = ["self_attention"]
        if stack == "decoder" and config["architecture"] == "encoder_decoder":
            kinds.append("cross_attention")
        blocks = [{"kind": kind, **attention, "norm_eps": config["norm_eps"]} for kind in kinds]
        blocks.append(
            {"kind": "feed_forward", "width": config["feed_forward"], "norm_eps": config["norm_eps"]}
        )
        given = [{"blocks": blocks}] * given
    runs = []
    for layer in given:
        if "blocks" not in layer:
            layer = {"blocks": old_blocks(layer), "gated": layer["gated"]}
        holder = len(runs)
        for _ in range(layer.get("repeats", 1)):
            runs.append((len(runs), 0 if config["share_layers"] else holder, layer))
    return runs


class Model:
    def __init__(self, tensors, metadata, widths=None):
        self.t = tensors
        self.c = metadata["model"]
        self.step = metadata["state"]["step"]
        self.widths = widths  # of each layer, encoder layers first; None: the whole model

    def linear(self, name, x, inputs=None, outputs=None):
        weight = self.t[f"{name}.weight"][:outputs, :inputs]
        bias = self.t.get(f"{name}.bias")
        return x @ weight.T + (0 if bias is None else bias[:outputs])

    def norm(self, name, x, eps):
        weight = self.t[f"{name}.weight"]
        if self.c["norm"] == "rms_norm":
            return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) * weight
        m = torch.ones(x.shape[-1], dtype=torch.float64)
        if self.c["mask_size"] > 0:
            done = (self.step - self.c["mask_begin"]) / self.c["mask_steps"]
            m[self.c["mask_size"] :] = min(max(done, 0.0), 1.0)
        mean = (m * x).sum(-1, keepdim=True) / m.sum()
        variance = (m * (x - mean) ** 2).sum(-1, keepdim=True) / m.sum()
        return m * ((x - mean) / torch.sqrt(variance + eps) * weight + self.t[f"{name}.bias"])

    def positions(self, stack, length):
        hidden = self.c["hidden"]
        if self.c["positions"] == "none":
            return torch.zeros(length, hidden, dtype=torch.float64)
        if self.c["positions"] == "learned":
            return self.t[f"{stack}.positions.weight"][:length]
        s = self.c["sinusoid_size"] or hidden
        table = torch.zeros(length, hidden, dtype=torch.float64)
        for i in range(length):
            for j in range(s // 2):
                angle = i / 10000 ** (2 * j / s)
                table[i, 2 * j], table[i, 2 * j + 1] = math.sin(angle), math.cos(angle)
        if self.c["sinusoid_repeats"]:
            for column in range(s, hidden):
                table[:, column] = table[:, column - s]
        return table

    def attention(self, name, block, x, memory, pad, causal):
        def heads(of, y):
            return self.linear(f"{name}.{of}", y).unflatten(-1, (block["heads"], -1)).transpose(0, 1)

        q, k, v = heads("query", x), heads("key", memory), heads("value", memory)
        scores = q @ k.transpose(1, 2) / math.sqrt(block["key_size"])
        scores = scores - 1e30 * pad
        if causal:
            later = torch.ones(len(x), len(memory)).triu(1).bool()
            scores = scores.masked_fill(later, -math.inf)
        mixed = (scores.softmax(-1) @ v).transpose(0, 1).flatten(1)
        return self.linear(f"{name}.output", mixed)

    def activation(self, x):
        name = self.c["activation"]
        if name == "relu":
            return x.clamp(min=0)
        if name == "gelu":
            return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))
        if name == "silu":
            return x / (1 + torch.exp(-x))
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))

    def stack(self, stack, ids, pad, memory=None, memory_pad=None):
        c = self.c
        table = "embedding" if c.get("share_embeddings") else f"{stack}.embedding"
        x = self.t[f"{table}.weight"][ids] * c["embedding_scale"] + self.positions(stack, len(ids))
        usual = c.get("norm_eps", 1e-5)
        if c["embedding_norm"]:
            x = self.norm(f"{stack}.embedding_norm", x, c.get("embedding_norm_eps", usual))
        before = 0 if stack == "encoder" else len(stack_layers(c, "encoder"))
        for number, holder, layer in stack_layers(c, stack):
            path = f"{stack}.layers.{holder}"
            width = self.widths[before + number] if self.widths else None
            start, seen = x, {}
            for block in layer["blocks"]:
                kind = block["kind"]
                seen[kind] = seen.get(kind, 0) + 1
                name = f"{path}.{kind}" + (str(seen[kind]) if seen[kind] > 1 else "")

                def f(y):
                    if kind == "feed_forward":
                        y = self.activation(self.linear(f"{name}.linear1", y, outputs=width))
                        return self.linear(f"{name}.linear2", y, inputs=width)
                    if kind == "cross_attention":
                        return self.attention(name, block, y, memory, memory_pad, False)
                    return self.attention(name, block, y, y, pad, stack == "decoder")

                eps = block["norm_eps"]
                if c["norm_placement"] == "pre":
                    x = x + f(self.norm(f"{name}_norm", x, eps))
                else:
                    x = self.norm(f"{name}_norm", x + f(x), eps)
            if layer.get("gated"):
                x = start + self.t[f"{path}.gate"] * (x - start)
        if c["final_norm"]:
            x = self.norm(f"{stack}.final_norm", x, c.get(f"{stack}_final_norm_eps", usual))
        return x

    def logits(self, source, source_pad, target):
        c, memory, pad = self.c, None, None
        if source:
            pad = torch.tensor(source_pad, dtype=torch.float64)
            memory = self.stack("encoder", source, pad)
        x = memory
        if target:
            x = self.stack("decoder", target, torch.zeros(len(target)), memory, pad)
        if c["output"] == "classes":
            real = 1 - pad
            x = (real @ x / real.sum())[None]
        if not c["tie_output"]:
            return self.linear("output", x)
        return x @ self.t["decoder.embedding.weight"].T + self.t.get("output.bias", 0)


def sample(c):
    """A question with two pads at its end and an answer, as far as the model reads them."""
    length = min(c["source_length"], 6) if c.get("encoder_layers") else 0
    source = [(3 + 7 * i) % c["source_vocabulary"] for i in range(length)]
    pads = [0] * max(length - 2, 1) + [1] * min(2, length - 1) if length else []
    length = min(c["target_length"], 5) if c.get("decoder_layers") else 0
    return source, pads, [(5 + 11 * i) % c["target_vocabulary"] for i in range(length)]


def main():
    result = {}
    for path in sorted(FOLDER.glob("*.safetensors")):
        tensors, metadata = read(path)
        inputs = sample(metadata["model"])
        case = {"source": inputs[0], "source_pad": inputs[1], "target": inputs[2]}
        case["logits"] = golden.tensor(Model(tensors, metadata).logits(*inputs))
        widths = metadata["train"].get("nesting", {}).get("widths")
        if widths:
            case["widths"] = [widths[1], widths[0]]
            narrow = Model(tensors, metadata, case["widths"])
            case["narrow_logits"] = golden.tensor(narrow.logits(*inputs))
        result[path.stem] = case
    golden.write(__file__, result)


if __name__ == "__main__":
    main()
