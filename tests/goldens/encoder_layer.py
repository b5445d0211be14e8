# SPDX-License-Identifier: GPL-3.0-or-later
"""torch.nn.TransformerEncoderLayer: outputs and gradients of eight small layers.

All eight share the weights and the input of encoder_layer_inputs.json (torch's names), which are
kept as numbers because torch's random numbers differ in the last digit between its versions.
"""

import itertools
import json
from pathlib import Path

import torch

import golden

HIDDEN, HEADS, FEED_FORWARD = 4, 2, 8
PADDED_LAST = [[0, 0, 0], [0, 0, 1]]

NAMES = {
    "self_attn.out_proj": "self_attention.output",
    "linear1": "feed_forward.linear1",
    "linear2": "feed_forward.linear2",
    "norm1": "self_attention_norm",
    "norm2": "feed_forward_norm",
}


def renamed(by_torch_name):
    """Torch's names to ours; the stacked in_proj is split into query, key and value."""
    ours = {}
    for name, values in by_torch_name.items():
        if name.startswith("self_attn.in_proj_"):
            kind = name.removeprefix("self_attn.in_proj_")
            for part, rows in zip(("query", "key", "value"), values.chunk(3)):
                ours[f"encoder.layers.0.self_attention.{part}.{kind}"] = rows
        else:
            module, kind = name.rsplit(".", 1)
            ours[f"encoder.layers.0.{NAMES[module]}.{kind}"] = values
    return ours


def case(inputs, pre_norm, activation, masked):
    layer = torch.nn.TransformerEncoderLayer(
        HIDDEN,
        HEADS,
        FEED_FORWARD,
        dropout=0.0,
        activation=activation,
        batch_first=True,
        norm_first=pre_norm,
    )
    layer.load_state_dict({n: torch.tensor(v) for n, v in inputs["parameters"].items()})
    x = torch.tensor(inputs["x"], requires_grad=True)
    target = torch.randn(x.shape, generator=torch.Generator().manual_seed(24))
    mask = torch.tensor(PADDED_LAST).bool() if masked else None

    y = layer(x, src_key_padding_mask=mask)
    loss = ((y - target) ** 2).mean()
    loss.backward()
    return {
        "name": " ".join(
            ["pre-norm" if pre_norm else "post-norm", activation, "mask" if masked else "no mask"]
        ),
        "config": {
            "hidden": HIDDEN,
            "heads": HEADS,
            "key_size": HIDDEN // HEADS,
            "value_size": HIDDEN // HEADS,
            "feed_forward": FEED_FORWARD,
            "encoder_layers": 1,
            "decoder_layers": 0,
            "norm": "layer",
            "norm_placement": "pre" if pre_norm else "post",
            "norm_epsilon": layer.norm1.eps,
            "activation": activation,
            "positions": "none",
            "final_norm": False,
        },
        "parameters": golden.tensors(renamed(layer.state_dict())),
        "x": golden.tensor(x),
        "pad": golden.tensor(mask) if masked else None,
        "y": golden.tensor(y),
        "target": golden.tensor(target),
        "loss": loss.item(),
        "gradients": golden.tensors(renamed({n: p.grad for n, p in layer.named_parameters()})),
        "x_gradient": golden.tensor(x.grad),
    }


def main():
    torch.set_default_dtype(torch.float64)
    torch.set_num_threads(1)
    inputs = json.loads(Path(__file__).with_name("encoder_layer_inputs.json").read_text())
    choices = itertools.product((False, True), ("relu", "gelu"), (False, True))
    golden.write(__file__, {"cases": [case(inputs, *choice) for choice in choices]})


if __name__ == "__main__":
    main()
