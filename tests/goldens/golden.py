# SPDX-License-Identifier: GPL-3.0-or-later
"""What the golden scripts share: tensors as JSON, and one way to write a file.

A tensor is {"shape": [...], "values": [...]}, values flat in row-major order. Numbers are written
with as many digits (at most 17) as it takes to read the same double back.
"""

import json
from pathlib import Path

import numpy as np


def tensor(values):
    """A numpy or jax array, a torch tensor or a nested list as a JSON tensor."""
    array = np.asarray(values.detach() if hasattr(values, "detach") else values)
    if array.dtype == bool:
        array = array.astype(int)
    if array.dtype.kind == "f" and array.dtype != np.float64:
        raise TypeError(f"goldens are computed in float64, not in {array.dtype}")
    return {"shape": list(array.shape), "values": array.ravel().tolist()}


def tensors(by_name):
    """A dictionary of arrays as a dictionary of JSON tensors, in the same order."""
    return {name: tensor(values) for name, values in by_name.items()}


def write(script, document):
    """Writes the document beside the script, under the script's name."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n"
    Path(script).with_suffix(".json").write_text(text, encoding="utf-8")
