# SPDX-License-Identifier: GPL-3.0-or-later
"""A GGUF file of every element type that is read, by the gguf package, and what transformers computes from it.

    python3 tests/goldens/gguf_files.py
"""

import pathlib

import numpy as np

import families  # first: it makes the library compute in double
import golden
import gguf
import torch
import transformers as tf

TYPES = gguf.GGMLQuantizationType
HEADS, KEY_HEADS, WIDTH = 4, 2, 64


def neighbours(rows, heads):
    """Rows of halves of each head as neighbours, as files of the architecture llama have them."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)


def halves(rows, heads):
    return rows.reshape(heads, rows.shape[0] // heads // 2, 2, -1).swapaxes(1, 2).reshape(rows.shape)


def main():
    model = families.build(tf.LlamaConfig, dict(
        vocab_size=64, hidden_size=WIDTH, intermediate_size=96, num_hidden_layers=1, num_attention_heads=HEADS,
        num_key_value_heads=KEY_HEADS, max_position_embeddings=64, rms_norm_eps=1e-5, tie_word_embeddings=True), 11)
    layer = "model.layers.0."
    order = [
        ("token_embd", "model.embed_tokens", TYPES.Q8_0, 0), ("output_norm", "model.norm", TYPES.F32, 0),
        ("blk.0.attn_norm", layer + "input_layernorm", TYPES.F32, 0),
        ("blk.0.attn_q", layer + "self_attn.q_proj", TYPES.Q4_0, HEADS),
        ("blk.0.attn_k", layer + "self_attn.k_proj", TYPES.Q4_1, KEY_HEADS),
        ("blk.0.attn_v", layer + "self_attn.v_proj", TYPES.F16, 0),
        ("blk.0.attn_output", layer + "self_attn.o_proj", TYPES.BF16, 0),
        ("blk.0.ffn_norm", layer + "post_attention_layernorm", TYPES.F32, 0),
        ("blk.0.ffn_gate", layer + "mlp.gate_proj", TYPES.Q4_1, 0),
        ("blk.0.ffn_up", layer + "mlp.up_proj", TYPES.Q4_0, 0),
        ("blk.0.ffn_down", layer + "mlp.down_proj", TYPES.Q8_0, 0)]
    path = pathlib.Path(__file__).with_name("tiny.gguf")
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(64)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(1)
    writer.add_feed_forward_length(96)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KEY_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    tokens = [chr(65 + i % 26) * (1 + i // 26) for i in range(64)]
    writer.add_token_list(tokens)
    writer.add_token_merges(["A A", "B B"])
    writer.add_token_types([1] * 63 + [3])
    state, first = model.state_dict(), {}
    for name, theirs, kind, heads in order:
        values = state[theirs + ".weight"].numpy().astype(np.float32)
        if heads:
            values = neighbours(values, heads)
        data = gguf.quantize(values, kind)
        writer.add_tensor(name + ".weight", data, raw_dtype=kind)
        read = gguf.dequantize(data, kind).astype(float).reshape(values.shape)
        first[name + ".weight"] = read.ravel()[:70].tolist()
        if heads:
            read = halves(read, heads)
        state[theirs + ".weight"].copy_(torch.tensor(read))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    model.tie_weights()
    model.config.rms_norm_eps = float(np.float32(1e-5))
    for module in model.modules():
        if hasattr(module, "variance_epsilon"):
            module.variance_epsilon = float(np.float32(1e-5))
    ids = np.random.default_rng(1).integers(0, 64, (1, 9))
    with torch.no_grad():
        logits = model(input_ids=torch.tensor(ids)).logits
    golden.write(__file__, {"tokens": tokens, "ids": golden.tensor(ids), "logits": golden.tensor(logits),
                            "first": first, "types": {n + ".weight": k.name for n, _, k, _ in order}})


if __name__ == "__main__":
    main()
