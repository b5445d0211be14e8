# SPDX-License-Identifier: GPL-3.0-or-later
"""Small models of families of Hugging Face's transformers library: files as it saves them, and what they compute.

    python3 tests/goldens/families.py [family ...]

Decoders, encoders with their head for hidden tokens (ENCODERS), and both (PAIRS).
families/NAME has config.json and model.safetensors with random weights (multiples of 1/1024, exact in float32), and
golden.json: ids, pads, what the decoder reads (target), logits, the hidden states after the embeddings and after each
layer (the last one after the final norm; memory: of the encoder of a pair), labels with their weights and the mean
cross entropy, and of its gradient by each tensor: the sum, the sum of squares, and the sum of g_i cos(i), i from 1 in
the order of the file.

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
    "mistral-window": (tf.MistralConfig, dict(LAYERS, num_key_value_heads=2, sliding_window=3)),
    "qwen2-window": (tf.Qwen2Config, dict(LAYERS, num_key_value_heads=2, use_sliding_window=True, sliding_window=2,
                                          max_window_layers=1)),
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


PAIR = dict(vocab_size=TOKENS, d_model=16, encoder_layers=2, decoder_layers=2, encoder_attention_heads=2,
            decoder_attention_heads=4, encoder_ffn_dim=20, decoder_ffn_dim=24, max_position_embeddings=32)
BERT = dict(vocab_size=TOKENS, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=20,
            max_position_embeddings=32, attention_probs_dropout_prob=0.0, hidden_dropout_prob=0.0)
T5 = dict(vocab_size=TOKENS, d_model=16, d_kv=6, d_ff=20, num_layers=2, num_decoder_layers=3, num_heads=2,
          relative_attention_num_buckets=8, relative_attention_max_distance=6, dropout_rate=0.0)

# With their heads for hidden tokens. 0 is not in their texts: it is the pad.
ENCODERS = {
    "bert": (tf.BertConfig, BERT),
    "distilbert": (tf.DistilBertConfig, dict(vocab_size=TOKENS, dim=16, n_layers=2, n_heads=4, hidden_dim=20,
                                             max_position_embeddings=32)),
    "roberta": (tf.RobertaConfig, dict(BERT, pad_token_id=0, type_vocab_size=1, layer_norm_eps=1e-5)),
    "albert": (tf.AlbertConfig, dict(BERT, embedding_size=8, num_hidden_layers=4, num_hidden_groups=2,
                                     classifier_dropout_prob=0.0)),
}
PAIRS = {
    "bart": (tf.BartConfig, dict(PAIR, scale_embedding=True, decoder_start_token_id=2, dropout=0.0)),
    "marian": (tf.MarianConfig, dict(PAIR, scale_embedding=True, activation_function="swish", dropout=0.0,
                                     pad_token_id=0, decoder_start_token_id=0)),
    "t5": (tf.T5Config, T5),
    "t5-gated": (tf.T5Config, dict(T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False)),
}
ALL = {**FAMILIES, **ENCODERS, **PAIRS}


def build(config_class, fields, seed):
    config = config_class(**fields)
    config._attn_implementation = "eager"
    known = [tf.AutoModelForMaskedLM, tf.AutoModelForCausalLM, tf.AutoModelForSeq2SeqLM]
    kind = known[0] if fields in [f for _, f in ENCODERS.values()] else (
        known[2] if fields in [f for _, f in PAIRS.values()] else known[1])
    model_class = kind._model_mapping[config_class]
    model_class = model_class[0] if isinstance(model_class, tuple) else model_class
    model = model_class(config).double().eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        # A table of sinusoids is no parameter, but is given as one.
        for name, parameter in model.named_parameters():
            if not parameter.requires_grad:
                continue
            values = torch.randn(parameter.shape, generator=generator, dtype=torch.float64) * 0.3
            if ("norm" in name.lower() or "ln_" in name) and name.endswith("weight"):
                values = 1 + 0.5 * values
            parameter.copy_((values * 1024).round() / 1024)
        if hasattr(model, "final_logits_bias"):
            bias = torch.randn(model.final_logits_bias.shape, generator=generator, dtype=torch.float64)
            model.final_logits_bias.copy_((bias * 1024).round() / 1024)
        for sinusoid in [m for m in model.modules() if "Sinusoidal" in type(m).__name__]:
            rows, width = sinusoid.weight.shape  # in double, not as it was rounded
            angles = np.arange(rows)[:, None] * 10000.0 ** (-np.arange(0, width, 2) / width)
            sinusoid.weight.copy_(torch.tensor(np.concatenate([np.sin(angles), np.cos(angles)], 1)))
    model.tie_weights()
    model.config.architectures = [model_class.__name__]
    return model


def write(name):
    model = build(*ALL[name], seed=sum(map(ord, name)))
    random = np.random.default_rng(1)
    ids = random.integers(3, TOKENS - 1, (SEQUENCES, LENGTH))
    given, written = dict(input_ids=torch.tensor(ids)), {"ids": golden.tensor(ids)}
    if name in FAMILIES:  # each next token
        labels, weights = np.roll(ids, -1, 1), np.ones((SEQUENCES, LENGTH))
        weights[:, -1] = 0
    else:
        mask = np.ones((SEQUENCES, LENGTH), int)
        mask[1, 5:] = 0
        ids[mask == 0] = 0
        given.update(input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask))
        written = {"ids": golden.tensor(ids), "pad": golden.tensor(1 - mask)}
        labels, weights = random.integers(3, TOKENS - 1, (SEQUENCES, LENGTH)), mask
    if name in PAIRS:
        target = random.integers(3, TOKENS - 1, (SEQUENCES, LENGTH - 1))
        given["decoder_input_ids"] = torch.tensor(target)
        written["target"] = golden.tensor(target)
        labels, weights = np.roll(target, -1, 1), np.ones(target.shape)
    out = model(**given, output_hidden_states=True)
    weights = torch.tensor(weights / weights.sum())
    each = torch.nn.functional.cross_entropy(out.logits.reshape(-1, TOKENS), torch.tensor(labels).reshape(-1),
                                             reduction="none")
    loss = (each * weights.reshape(-1)).sum()
    loss.backward()
    gradients = {}
    for parameter_name, parameter in model.named_parameters():
        if not parameter.requires_grad:
            continue
        # One that nothing depends on: the segment of texts that have one.
        g = np.zeros(parameter.numel()) if parameter.grad is None else parameter.grad.numpy().ravel()
        gradients[parameter_name] = [g.sum(), (g * g).sum(), (g * np.cos(np.arange(1, g.size + 1))).sum()]
    hidden = out.decoder_hidden_states if name in PAIRS else out.hidden_states
    if name in PAIRS:
        written["memory"] = [golden.tensor(h) for h in out.encoder_hidden_states]

    folder = pathlib.Path(__file__).parent / "families" / name
    folder.mkdir(parents=True, exist_ok=True)
    tied = set(getattr(model, "_tied_weights_keys", None) or {})
    if not model.config.tie_word_embeddings:
        tied -= {"lm_head.weight"}
    tensors = {k: v.detach().numpy().astype(np.float32) for k, v in model.state_dict().items() if k not in tied}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "config.json").write_text(model.config.to_json_string() + "\n")
    golden.write(folder / "golden", {
        **written, "labels": golden.tensor(labels), "weights": golden.tensor(weights),
        "logits": golden.tensor(out.logits), "hidden_states": [golden.tensor(h) for h in hidden],
        "loss": loss.item(), "gradients": {k: [float(x) for x in v] for k, v in gradients.items()}})
    print(name, loss.item())


if __name__ == "__main__":
    for family in sys.argv[1:] or ALL:
        write(family)
