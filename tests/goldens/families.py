# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models of families of Hugging Face's transformers library: files as it saves them, and what they compute.

    python3 tests/goldens/families.py [family ...]

Decoders, and encoders (ENCODERS) with their masked-token head, which is not read.
families/NAME has config.json and model.safetensors with random weights (multiples of 1/1024, exact in float32), and
golden.json: ids, logits, the hidden states after the embeddings and after each layer (the last one after the final
norm), the mean cross entropy of each next token, and of its gradient by each tensor: the sum, the sum of squares, and
the sum of g_i cos(i), i from 1 in the order of the file.

The library computes norms, softmax and angles in float32 even where a model is double; here float32 is another name
of float64 while models are built and run.
"""

import json
import os
import pathlib
import sys

import numpy as np

os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import torch

torch.set_num_threads(1)
torch.float32 = torch.float = torch.float64
torch.Tensor.float = torch.Tensor.double
torch.FloatTensor = torch.DoubleTensor
torch.set_default_dtype(torch.float64)
import transformers as tf
from safetensors.numpy import save_file

import golden

TOKENS, SEQUENCES, LENGTH = 31, 2, 7
LAYERS = dict(vocab_size=TOKENS, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=20,
              max_position_embeddings=32, attention_dropout=0.0)
GPT2 = dict(vocab_size=TOKENS, n_positions=16, n_embd=16, n_layer=2, n_head=2)

ANGLES = dict(rope_type="default", rope_theta=100000.0)

FAMILIES = {
    "gpt2": (tf.GPT2Config, dict(GPT2, n_inner=20)),
    "gpt2-inverse": (tf.GPT2Config, dict(GPT2, scale_attn_by_inverse_layer_idx=True)),
    "gpt2-untied": (tf.GPT2Config, dict(GPT2, tie_word_embeddings=False, scale_attn_weights=False)),
    "llama": (tf.LlamaConfig, dict(LAYERS, num_key_value_heads=2, rms_norm_eps=1e-5)),
    "llama-biased": (tf.LlamaConfig, dict(LAYERS, num_key_value_heads=1, head_dim=8, attention_bias=True,
                                          mlp_bias=True)),
    "smollm2": (tf.LlamaConfig, dict(LAYERS, num_key_value_heads=2, tie_word_embeddings=True, rope_parameters=ANGLES)),
    "mistral": (tf.MistralConfig, dict(LAYERS, num_key_value_heads=2, sliding_window=None)),
    "qwen2": (tf.Qwen2Config, dict(LAYERS, num_key_value_heads=2, rope_parameters=ANGLES)),
    "qwen3": (tf.Qwen3Config, dict(LAYERS, num_key_value_heads=2, head_dim=8, attention_bias=True)),
    "llama3": (tf.LlamaConfig, dict(LAYERS, rope_parameters=dict(
        rope_type="llama3", rope_theta=500000.0, factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
        original_max_position_embeddings=16), head_dim=8)),
    "llama-yarn": (tf.LlamaConfig, dict(LAYERS, rope_parameters=dict(
        rope_type="yarn", rope_theta=10000.0, factor=4.0, original_max_position_embeddings=8), head_dim=16)),
    "llama-linear": (tf.LlamaConfig, dict(LAYERS, rope_parameters=dict(rope_type="linear", rope_theta=10000.0,
                                                                       factor=4.0))),
    "gemma": (tf.GemmaConfig, dict(LAYERS, num_key_value_heads=1, head_dim=8)),
    "gpt_neox": (tf.GPTNeoXConfig, dict(LAYERS, rope_parameters=dict(ANGLES, partial_rotary_factor=0.5))),
    "gpt_neox-serial": (tf.GPTNeoXConfig, dict(LAYERS, use_parallel_residual=False, attention_bias=False,
                                               rope_parameters=dict(ANGLES, partial_rotary_factor=1.0))),
    "phi": (tf.PhiConfig, dict(LAYERS, num_key_value_heads=2)),
    "opt": (tf.OPTConfig, dict(vocab_size=TOKENS, hidden_size=16, num_hidden_layers=2, num_attention_heads=4, ffn_dim=20,
                               max_position_embeddings=32, word_embed_proj_dim=16, dropout=0.0)),
}


ENCODERS = {
    "distilbert": (tf.DistilBertConfig, dict(vocab_size=TOKENS, dim=16, n_layers=2, n_heads=4, hidden_dim=20,
                                             max_position_embeddings=32)),
}


def build(config_class, fields, seed):
    config = config_class(**fields)
    config._attn_implementation = "eager"
    masked = tf.AutoModelForMaskedLM._model_mapping
    model_class = (masked if config_class in (c for c, _ in ENCODERS.values()) else
                   tf.AutoModelForCausalLM._model_mapping)[config_class]
    model = model_class(config).double().eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            values = torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.3
            if ("norm" in name.lower() or "ln_" in name) and name.endswith("weight"):
                values = 1 + 0.5 * values
            parameter.copy_((values * 1024).round() / 1024)
    model.tie_weights()
    model.config.architectures = [model_class.__name__]
    return model


def writeEncoder(name):
    model = build(*ENCODERS[name], seed=sum(map(ord, name)))
    ids = np.random.default_rng(1).integers(3, TOKENS - 1, (SEQUENCES, LENGTH))
    mask = np.ones((SEQUENCES, LENGTH), int)
    mask[1, 5:] = 0
    out = model(input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask), output_hidden_states=True)
    folder = pathlib.Path(__file__).parent / "families" / name
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {k: v.detach().numpy().astype(np.float32) for k, v in model.state_dict().items()
               if k not in set(model._tied_weights_keys)}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(model.config.to_json_string() + "\n")
    golden.write(folder / "golden", {"ids": golden.tensor(ids), "pad": golden.tensor(1 - mask),
                                     "hidden_states": [golden.tensor(h) for h in out.hidden_states]})


def write(name):
    if name in ENCODERS:
        return writeEncoder(name)
    model = build(*FAMILIES[name], seed=sum(map(ord, name)))
    ids = np.random.default_rng(1).integers(3, TOKENS - 1, (SEQUENCES, LENGTH))
    out = model(input_ids=torch.tensor(ids), output_hidden_states=True)
    labels = torch.tensor(ids)[:, 1:]
    loss = torch.nn.functional.cross_entropy(out.logits[:, :-1].reshape(-1, TOKENS), labels.reshape(-1))
    loss.backward()
    gradients = {}
    for parameter_name, parameter in model.named_parameters():
        g = parameter.grad.numpy().ravel()
        gradients[parameter_name] = [g.sum(), (g * g).sum(), (g * np.cos(np.arange(1, g.size + 1))).sum()]

    folder = pathlib.Path(__file__).parent / "families" / name
    folder.mkdir(parents=True, exist_ok=True)
    tied = set(getattr(model, "_tied_weights_keys", None) or {}) if model.config.tie_word_embeddings else set()
    tensors = {k: v.detach().numpy().astype(np.float32) for k, v in model.state_dict().items() if k not in tied}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(model.config.to_json_string() + "\n")
    golden.write(folder / "golden", {
        "ids": golden.tensor(ids), "logits": golden.tensor(out.logits),
        "hidden_states": [golden.tensor(h) for h in out.hidden_states],
        "loss": loss.item(), "gradients": {k: [float(x) for x in v] for k, v in gradients.items()}})
    print(name, loss.item())


if __name__ == "__main__":
    for family in sys.argv[1:] or [*FAMILIES, *ENCODERS]:
        write(family)
