#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Keeps core/io true to the Python packages safetensors (with PyTorch) and NumPy.

    check_safetensors.py make     writes io/from_python.safetensors, io/from_numpy.npz: the tests read them
    check_safetensors.py check    opens io/from_core.safetensors, io/from_core.npz: what the tests write
    check_safetensors.py open F   lists what the safetensors package finds in any file F

from_core.* come from test_safetensors and test_npz run with TFM_UPDATE_GOLDENS=1.
"""
import sys
from pathlib import Path

import numpy
import torch
from safetensors import safe_open
from safetensors.torch import save_file

FOLDER = Path(__file__).parent / "io"
METADATA = {"format": "pt", "note": "Grüße"}
SAMPLE = {
    "weight": torch.arange(6, dtype=torch.float32).reshape(2, 3) / 4,
    "precise": torch.tensor([0.1, 0.2, 0.3], dtype=torch.float64),
    "half": torch.tensor([1.5, -2.0], dtype=torch.float16),
    "brain": torch.tensor([1.0, -3.0], dtype=torch.bfloat16),
    "ids": torch.tensor([-1, 2**40], dtype=torch.int64),
    "counts": torch.tensor([[7], [-8]], dtype=torch.int32),
    "octets": torch.tensor([0, 127, 255], dtype=torch.uint8),
    "flags": torch.tensor([True, False]),
    "scalar": torch.tensor(2.5),
    "empty": torch.zeros(0, 4),
}


def numpy_sample():
    """The same without bfloat16, which NumPy lacks."""
    return {name: tensor.numpy() for name, tensor in SAMPLE.items() if name != "brain"}


def make():
    save_file(SAMPLE, FOLDER / "from_python.safetensors", METADATA)
    numpy.savez(FOLDER / "from_numpy.npz", **numpy_sample())
    numpy.savez_compressed(FOLDER / "from_numpy_compressed.npz", **numpy_sample())


def check():
    with safe_open(FOLDER / "from_core.safetensors", "pt") as file:
        assert file.metadata() == METADATA, file.metadata()
        assert set(file.keys()) == set(SAMPLE), file.keys()
        for name, expected in SAMPLE.items():
            found = file.get_tensor(name)
            assert found.dtype == expected.dtype and torch.equal(found, expected), name
    for archive in ("from_core.npz", "from_core_compressed.npz"):
        arrays = numpy.load(FOLDER / archive)
        assert set(arrays.files) == set(numpy_sample()), arrays.files
        for name, expected in numpy_sample().items():
            found = arrays[name]
            assert found.dtype == expected.dtype and numpy.array_equal(found, expected), name
    print("safetensors and NumPy read the same tensors from core's files")


def show(path):
    with safe_open(path, "pt") as file:
        for key, value in (file.metadata() or {}).items():
            print(f"{key}: {value[:100]}")
        for name in file.keys():
            tensor = file.get_tensor(name)
            print(name, tensor.dtype, tuple(tensor.shape))


if __name__ == "__main__":
    if sys.argv[1:] == ["make"]:
        make()
    elif sys.argv[1:] == ["check"]:
        check()
    elif len(sys.argv) == 3 and sys.argv[1] == "open":
        show(sys.argv[2])
    else:
        sys.exit(__doc__)
