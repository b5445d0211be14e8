// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  return {
      R"({"model_type": "bert", "vocab_size": 30522, "hidden_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 2, "intermediate_size": 512, "max_position_embeddings": 512,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"})",
      R"({"vocab_size": 7, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
    "intermediate_size": 8, "max_position_embeddings": 9, "type_vocab_size": 1})",
      R"({"model_type": "funnel", "architectures": ["FunnelModel"], "vocab_size": 7, "d_model": 4,
    "n_head": 1, "d_head": 4, "d_inner": 8, "block_sizes": [2, 1], "block_repeats": [1, 2],
    "num_decoder_layers": 1, "pooling_type": "mean", "separate_cls": true, "truncate_seq": true,
    "pool_q_only": true, "max_position_embeddings": 16})",
      R"({"model_type": "TransformerEncoder", "d_model": 4, "nhead": 2, "dim_feedforward": 8,
    "activation": "gelu", "layer_norm_eps": 1e-5, "batch_first": true, "norm_first": true,
    "bias": true, "num_layers": 3, "norm": true, "share_layers": true})",
      R"({"model_type": "llama", "vocab_size": 7, "hidden_size": 8, "num_hidden_layers": 2,
    "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 8, "head_dim": 4,
    "max_position_embeddings": 16, "rope_parameters": {"rope_type": "linear", "factor": 2.0}})",
      R"({"model_type": "qwen2", "vocab_size": 7, "hidden_size": 8, "num_hidden_layers": 2,
    "num_attention_heads": 2, "intermediate_size": 8, "use_sliding_window": true,
    "sliding_window": 3, "max_window_layers": 1, "layer_types": ["full_attention",
    "sliding_attention"]})",
      R"({"model_type": "albert", "vocab_size": 7, "hidden_size": 4, "embedding_size": 2,
    "num_hidden_layers": 4, "num_hidden_groups": 2, "num_attention_heads": 1,
    "intermediate_size": 8, "max_position_embeddings": 9, "inner_group_num": 1})",
      R"({"model_type": "bart", "vocab_size": 7, "d_model": 4, "encoder_layers": 1,
    "decoder_layers": 2, "encoder_attention_heads": 1, "decoder_attention_heads": 2,
    "encoder_ffn_dim": 8, "decoder_ffn_dim": 8, "max_position_embeddings": 9,
    "is_encoder_decoder": true, "scale_embedding": true})",
      R"({"model_type": "t5", "vocab_size": 7, "d_model": 4, "d_kv": 3, "d_ff": 8, "num_layers": 1,
    "num_heads": 2, "relative_attention_num_buckets": 8, "relative_attention_max_distance": 9,
    "feed_forward_proj": "gated-gelu", "is_encoder_decoder": true, "n_positions": 16})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const auto text = tfm::fuzz::asText(data, size);
    const tfm::ModelConfig config = tfm::pretrainedConfig(text, "input");
    tfm::check(tfm::parameterLayout(config).total > 0, "every model has parameters");
  });
}
