# SPDX-License-Identifier: GPL-3.0-or-later
"""Encoders of PyTorch as files that are imported, and what PyTorch computes from them.

The folder torch_encoder/ is what a reader of the encoder-layer notebook saves who runs its test on a
CPU: the state_dict() of its layer, drawn with seed 42, the input, drawn with seed 0, and the
arguments in config.json. `printed` is its output in float32, as the notebook prints it on its device;
the generators of devices draw other numbers. The other cases are encoders whose layers differ.
Outputs are computed in float64 from the same float32 weights.
"""

import json
from pathlib import Path

import numpy as np
import safetensors.numpy
import torch
from torch import nn

import golden

FOLDER = Path(__file__).with_name("torch_encoder")
NOTEBOOK = {
    "d_model": 4,
    "nhead": 2,
    "dim_feedforward": 64,
    "dropout": 0.2,
    "activation": "gelu",
    "layer_norm_eps": 1e-5,
    "batch_first": True,
    "norm_first": True,
    "bias": True,
}
OTHERS = [
    # Everything that PyTorch has as its default.
    ("defaults", {"d_model": 4, "nhead": 2, "dim_feedforward": 8}, 2, {}),
    ("pre-norm without biases", NOTEBOOK | {"dim_feedforward": 8, "bias": False}, 2, {"norm": True}),
    (
        "another eps",
        NOTEBOOK | {"dim_feedforward": 8, "layer_norm_eps": 0.1, "nhead": 1},
        2,
        {"norm": True, "norm_eps": 1e-5},
    ),
    (
        "another eps of the last norm",
        NOTEBOOK | {"dim_feedforward": 8, "layer_norm_eps": 0.1},
        1,
        {"norm": True, "norm_eps": 0.2},
    ),
]


def numbers(encoder):
    return {name: values.detach().numpy() for name, values in encoder.state_dict().items()}


def notebook():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 4)
    torch.manual_seed(42)
    layer = nn.TransformerEncoderLayer(**NOTEBOOK)
    encoder = nn.TransformerEncoder(layer, 3, enable_nested_tensor=False).eval()
    FOLDER.mkdir(exist_ok=True)
    arguments = NOTEBOOK | {"num_layers": 3, "share_layers": True}
    text = json.dumps({"model_type": "TransformerEncoder"} | arguments, indent=2) + "\n"
    (FOLDER / "config.json").write_text(text, encoding="utf-8")
    safetensors.numpy.save_file(numbers(layer), FOLDER / "model.safetensors")
    np.savez(FOLDER / "inputs.npz", inputs=x.numpy())
    printed = encoder(x).detach().double()
    return {"printed": golden.tensor(printed), "y": golden.tensor(encoder.double()(x.double()))}


def other(name, arguments, layers, norm, generator):
    layer = nn.TransformerEncoderLayer(**arguments)
    eps = norm.get("norm_eps", 1e-5)
    last = nn.LayerNorm(arguments["d_model"], eps=eps) if norm else None
    encoder = nn.TransformerEncoder(layer, layers, norm=last, enable_nested_tensor=False).eval()
    with torch.no_grad():  # away from gains of 1, biases of 0 and layers that are alike
        for parameter in encoder.parameters():
            parameter.copy_(0.7 * torch.randn(parameter.shape, generator=generator))
    x = torch.randn(3, 2, arguments["d_model"], generator=generator)
    config = {"model_type": "TransformerEncoder"} | arguments | {"num_layers": layers, "norm": False} | norm
    tensors = {n: golden.tensor(v.astype(np.float64)) for n, v in numbers(encoder).items()}
    return {
        "name": name,
        "config": json.dumps(config),
        "tensors": tensors,
        "x": golden.tensor(x.double()),
        "y": golden.tensor(encoder.double()(x.double())),
    }


def main():
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(3)
    cases = [other(*choice, generator) for choice in OTHERS]
    golden.write(__file__, {"notebook": notebook(), "others": cases})


if __name__ == "__main__":
    main()
