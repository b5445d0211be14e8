# SPDX-License-Identifier: GPL-3.0-or-later
"""ANNalog, an encoder-decoder that nobody here wrote, in no family's format: opened by a map.

    pip download --no-deps annalog==1.0.6 && unzip annalog-1.0.6-*.whl
    python3 tests/real/annalog.py build/release/app/transformarium-cli annalog/ckpt_and_vocab

Needs torch and safetensors. annalog.map.json says how its 132 tensors become ours. Expected: the molecules that it
writes for three others, with the sum of log p that an independent program computes in double.
"""

import json
import pathlib
import pickletools
import subprocess
import sys
import tempfile

import torch
from safetensors.torch import save_file

ANSWERS = {
    "CCO": ("CCOC(CO)CCOC(=O)CCO", -8.457834932),
    "CC(=O)Oc1ccccc1C(=O)O": ("CC(=O)Oc1ccccc1C(=O)O", -3.546179304),
    "CN1C=NC2=C1": ("CN1C=NC2=C1CCCCC2", -4.988842347),
}
TOLERANCE = 1e-4  # single precision


def tokenizerOf(words):
    """The longest token from the front, between <sos> and <eos>."""
    around = {name: {"id": name, "ids": [words.index(name)], "tokens": [name]} for name in ("<sos>", "<eos>")}
    return {
        "model": {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "",
                  "max_input_chars_per_word": 1000, "vocab": {word: i for i, word in enumerate(words)}},
        "decoder": {"type": "Fuse"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<sos>", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                       {"SpecialToken": {"id": "<eos>", "type_id": 0}}],
            "pair": [], "special_tokens": around}}


def main():
    tool, source = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    pickled = (source / "stereo_experiment_vocab_ttf.pkl").read_bytes()
    words = [argument for _, argument, _ in pickletools.genops(pickled) if isinstance(argument, str)][1:60]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        weights = torch.load(source / "Lev_extended.pt", weights_only=True, map_location="cpu")
        save_file({k: v.clone() for k, v in weights.items()}, folder / "annalog.safetensors")
        (folder / "annalog.tokenizer.json").write_text(json.dumps(tokenizerOf(words)))
        written = pathlib.Path(__file__).with_name("annalog.map.json")
        (folder / written.name).write_bytes(written.read_bytes())
        subprocess.run([tool, "import", folder / "annalog.safetensors", "--map", folder / written.name, "--out",
                        folder / "model.safetensors"], check=True)
        result = subprocess.run([tool, "decode", folder / "model.safetensors", *ANSWERS, "--beam", "1", "--max-tokens",
                                 "100", "--json"], check=True, capture_output=True, text=True)
    for (text, (answer, expected)), beams in zip(ANSWERS.items(), json.loads(result.stdout)["beams"]):
        print(f"{text} -> {beams[0]['output']}  log p {beams[0]['log_probability']:.6f}, expected {expected:.6f}")
        assert beams[0]["output"] == answer
        assert abs(beams[0]["log_probability"] - expected) < TOLERANCE


if __name__ == "__main__":
    main()
