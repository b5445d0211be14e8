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
    "bias": true, "num_layers": 3, "norm": true, "share_layers": true})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const auto text = tfm::fuzz::asText(data, size);
    const tfm::ModelConfig config = tfm::pretrainedConfig(text, "input");
    tfm::check(config.hasEncoder() && !config.hasDecoder(), "all families are encoders");
    tfm::check(tfm::parameterLayout(config).total > 0, "every model has parameters");
  });
}
