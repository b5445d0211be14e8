// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/bert_config.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  return {R"({"model_type": "bert", "vocab_size": 30522, "hidden_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 2, "intermediate_size": 512, "max_position_embeddings": 512,
    "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"})",
          R"({"vocab_size": 7, "hidden_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
    "intermediate_size": 8, "max_position_embeddings": 9, "type_vocab_size": 1})"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const tfm::ModelConfig config = tfm::bertConfig(tfm::fuzz::asText(data, size), "input");
    tfm::check(config.hasEncoder() && !config.hasDecoder(), "a BERT is an encoder");
    tfm::check(tfm::parameterLayout(config).total > 0, "every model has parameters");
  });
}
