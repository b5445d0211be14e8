// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/intervention.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;
using namespace tfm::observe;

std::vector<std::string> fuzz::seeds() {
  return {"decoder.layers.0.self_attention.head.1=0",
          "encoder.layers.0.feed_forward.neuron.3=mean",
          "encoder.layers.0.feed_forward.neuron.0-3=0.25",
          "decoder.layers.0=0",
          "encoder.embedding[2, .]=-1e-3",
          "decoder.layers.0.self_attention.probabilities[1, 2, 0]=0.5",
          "encoder.positions[2, 3]*2",
          "encoder.layers.0=from \"other text\"",
          "decoder.layers.0.feed_forward.linear1.weight[3, 4]=0.1"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::outcomeOf([&] {
    const std::string text(fuzz::asText(data, size));
    const Intervention read = interventionFromText(text);
    check(interventionFromText(textOf(read)) == read, "an intervention survives a round trip");
    check(text.find(read.target) != std::string::npos, "the target is what was written");
    static const ModelConfig model = presetNamed("rot13").config();
    for (const ChangedPart& part : changedParts(model, fullShape(model, 1), read.target))
      check(!part.tensor.empty(), "a target names tensors");
  });
}
