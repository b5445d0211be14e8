# SPDX-License-Identifier: GPL-3.0-or-later
"""Every model of tests/goldens/families, opened here, written again, and opened by transformers.

    python hand_back_families.py TOOL

The library's logits of what it saved and of what TOOL (transformarium-cli) wrote must agree to 1e-5
of their scale, in double. Says which models are refused, and why. Needs torch and transformers.
"""

import json
import shutil
import string
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from transformers import AutoConfig

CLOSE = 1e-5
SPECIAL = {"<pad>": 0, "<s>": 1, "</s>": 2, "<mask>": 30}
IDS = torch.tensor([[5, 7, 9, 3, 12, 8]])


def letters():
    """A tokenizer.json of one token for each letter."""
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False}
    vocabulary = SPECIAL | {letter: 3 + i for i, letter in enumerate(string.ascii_lowercase)}
    return {"added_tokens": [{"id": i, "content": name, "special": True, **flags}
                             for name, i in SPECIAL.items()],
            "decoder": {"type": "Fuse"},
            "model": {"type": "BPE", "merges": [], "vocab": vocabulary}}


def numbers(folder):
    config = AutoConfig.from_pretrained(folder)
    model_class = getattr(transformers, config.architectures[0])
    model = model_class.from_pretrained(folder, dtype=torch.float64).eval()
    more = {"decoder_input_ids": IDS[:, :4]} if config.is_encoder_decoder else {}
    with torch.no_grad():
        out = model(input_ids=IDS, **more)
    return out.logits if hasattr(out, "logits") else out.last_hidden_state


def compare(tool, saved, folder):
    given, document, written = folder / "given", folder / "model.safetensors", folder / "written"
    shutil.copytree(saved, given)
    (given / "tokenizer.json").write_text(json.dumps(letters()))
    family = json.loads((given / "config.json").read_text())["model_type"]
    subprocess.run([tool, "import", given, "--out", document], check=True, capture_output=True)
    done = subprocess.run([tool, "export", document, "--format", "huggingface", "--as", family,
                           "--out", written], capture_output=True, text=True)
    if done.returncode != 0:
        return "refused: " + " ".join(done.stderr.split())
    expected, got = numbers(given), numbers(written)
    worst = ((got - expected).abs().max() / expected.abs().max()).item()
    assert worst <= CLOSE, (saved.name, worst)
    return f"{worst:.1e}"


def main():
    families = Path(__file__).resolve().parent.parent / "goldens" / "families"
    for saved in sorted(families.iterdir()):
        with tempfile.TemporaryDirectory() as folder:
            print(f"{saved.name:16}", compare(sys.argv[1], saved, Path(folder)))


main()
