# SPDX-License-Identifier: GPL-3.0-or-later
"""Models opened here, written again as folders, and opened by the transformers library.

    python hand_back.py TOOL MODEL [MODEL ...]

TOOL is transformarium-cli. A MODEL is a folder that the transformers library opens, or a GGUF file or
a document of this program, of which only what is written is looked at. For each, the library's logits (or hidden states) of the
model and of what was written must agree to 1e-5 of their scale, in double, and the tokens of texts
must be those of its tokenizer.json (the library has tokenizers of its own for some families, which
do something else); then the answer of the written model is that of this program. Needs torch and
transformers. A model that GGUF files have is written as such a file, too, which the library (with the
package gguf) and, if it is installed, llama-cpp-python read.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

try:
    import llama_cpp
except ImportError:
    llama_cpp = None

TEXTS = ["The capital of France is", "Hello, world!  It's 12 o'clock.", "naïve Σίσυφος 你好 🙂"]
CLOSE = 1e-5
LLAMA_CLOSE = 1e-3  # it computes in float, and GELU from a table of 16 bits
F32 = 0  # of keys and values, which it would keep in 16 bits
GGUF = ("llama", "qwen2", "gpt2")


def opened(folder):
    """The model of a folder by the class that its config names, and its tokenizer."""
    config = AutoConfig.from_pretrained(folder)
    model_class = getattr(transformers, config.architectures[0])
    model = model_class.from_pretrained(folder, dtype=torch.float64).eval()
    return model, AutoTokenizer.from_pretrained(folder)


def numbers(model, ids):
    with torch.no_grad():
        more = {}
        if model.config.is_encoder_decoder:
            more["decoder_input_ids"] = ids[:, : max(1, ids.shape[1] // 2)]
        out = model(input_ids=ids, **more)
    return out.logits if hasattr(out, "logits") else out.last_hidden_state


def compare_gguf(tool, document, folder, model):
    """The library's logits of the GGUF file beside those of the folder, and llama.cpp's if it is here."""
    path = Path(folder) / "written.gguf"
    subprocess.run([tool, "export", document, "--format", "gguf", "--out", str(path)], check=True,
                   capture_output=True)
    # The library does not read how many positions a GPT-2 has.
    more = {"n_positions": model.config.n_positions} if model.config.model_type == "gpt2" else {}
    again = AutoModelForCausalLM.from_pretrained(folder, gguf_file=path.name, dtype=torch.float64,
                                                 **more)
    tokens = AutoTokenizer.from_pretrained(Path(folder) / "written")
    ids = tokens(TEXTS[0], return_tensors="pt").input_ids
    expected, got = numbers(model, ids), numbers(again.eval(), ids)
    worst = ((got - expected).abs().max() / expected.abs().max()).item()
    assert worst <= CLOSE, worst
    words = f"; gguf {worst:.1e}"
    if llama_cpp is None:
        return words
    running = llama_cpp.Llama(model_path=str(path), logits_all=True, n_ctx=64, verbose=False,
                              type_k=F32, type_v=F32)
    theirs = running.tokenize(TEXTS[0].encode(), add_bos=True, special=False)
    assert theirs == ids[0].tolist(), (theirs, ids)
    running.eval(theirs)
    scores = torch.tensor(running.scores[: len(theirs)], dtype=torch.float64)
    worst = ((scores - expected[0]).abs().max() / expected.abs().max()).item()
    assert worst <= LLAMA_CLOSE, worst
    return f"{words}; llama.cpp {worst:.1e}"


def compare(tool, source, folder):
    document = source
    written = str(Path(folder) / "written")
    if not source.endswith(".safetensors"):
        document = str(Path(folder) / "model.safetensors")
        subprocess.run([tool, "import", source, "--out", document], check=True, capture_output=True)
    done = subprocess.run([tool, "export", document, "--format", "huggingface", "--out", written],
                          check=True, capture_output=True, text=True)
    family = next(line for line in done.stdout.splitlines() if line.startswith("family"))
    ours, our_tokens = opened(written)
    worst = float("nan")
    if Path(source).is_dir():
        theirs, _ = opened(source)
        their_tokens = Tokenizer.from_file(str(Path(source) / "tokenizer.json"))
        their_tokens.no_truncation()
        their_tokens.no_padding()
        worst = 0.0
        for text in TEXTS:
            ids = torch.tensor([their_tokens.encode(text).ids])
            again = our_tokens(text, return_tensors="pt").input_ids
            assert torch.equal(ids, again), (text, ids, again)
            expected, got = numbers(theirs, ids), numbers(ours, ids)
            got, expected = got[..., : expected.shape[-1]], expected[..., : got.shape[-1]]
            worst = max(worst, ((got - expected).abs().max() / expected.abs().max()).item())
        assert worst <= CLOSE, worst
    family = family[6:].split(",")[0].strip()
    gguf = compare_gguf(tool, document, folder, ours) if family in GGUF else ""
    answer = ""
    if ours.can_generate():
        answers = subprocess.run([tool, "decode", document, TEXTS[0], "--max-tokens", "12", "--json"],
                                 check=True, capture_output=True, text=True).stdout
        answers = json.loads(answers)["outputs"][0]
        ids = our_tokens(TEXTS[0], return_tensors="pt").input_ids
        made = ours.generate(ids, max_new_tokens=12, do_sample=False)[0]
        if not ours.config.is_encoder_decoder:
            made = made[ids.shape[1]:]
        answer = our_tokens.decode(made, skip_special_tokens=True)
        # Of bytes that are no text, the two write different things.
        assert "\ufffd" in answer or answer.strip() in answers, (answer, answers)
    print(f"{source}: {family}; worst {worst:.1e}; {answer!r}{gguf}")


def main():
    tool, *models = sys.argv[1:]
    for model in models:
        with tempfile.TemporaryDirectory() as folder:
            compare(tool, model, folder)


main()
