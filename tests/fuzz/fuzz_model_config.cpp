// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  std::vector<std::string> texts;
  for (const char* name : {"rot13", "characters", "expansions", "encoder-layer"})
    texts.push_back(toJson(presetNamed(name).config()));
  ModelConfig uneven = presetNamed("sequence").config();
  uneven.encoder_layers.back().first<tfm::FeedForward>()->width = 7;
  uneven.decoder_layers.front().first<tfm::CrossAttention>()->sizes.heads = 1;
  texts.push_back(toJson(uneven));
  return texts;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const tfm::ModelConfig config =
        tfm::modelConfigFromJson(tfm::fuzz::asText(data, size), "input");
    tfm::check(tfm::modelConfigFromJson(tfm::toJson(config), "again") == config,
               "a model config survives a round trip");
    tfm::check(tfm::parameterLayout(config).total > 0, "every model has parameters");
  });
}
