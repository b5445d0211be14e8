// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/data/tokenizer/pipeline/tokenizer_folder.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/model_map.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  return {R"({"model": {"architecture": "decoder", "output": "vocabulary", "target_vocabulary": 5,
    "target_length": 4, "hidden": 4, "encoder_layers": 0, "decoder_layers": 1, "heads": 2,
    "key_size": 2, "feed_forward": 3}, "tensors": {"decoder.layers.*.self_attention.query.*":
    {"tensor": "h.*.attn.*", "transposed": true, "part": 1, "parts": 3, "blocks": 2, "times": 0.5},
    "output.*": "head.*", "output.bias": null, "*.embedding.weight": "wte"}, "ignored": [".mask"],
    "start": 1, "pad": 0, "ends": [2, 3], "mask": "m"})",
          R"({"model": {"architecture": "encoder", "output": "none", "source_vocabulary": 3,
    "source_length": 4, "hidden": 2, "encoder_layers": 1, "decoder_layers": 0, "heads": 1,
    "key_size": 2, "feed_forward": 3, "positions": "none"}, "tokenizer": {"model": {"type":
    "WordPiece", "unk_token": "a", "vocab": {"a": 0, "b": 1, "c": 2}}}})"};
}

/// Every parameter has a tensor of its size, or none.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const auto text = tfm::fuzz::asText(data, size);
    const tfm::ModelMap map = tfm::parseModelMap(text, "input", "no-such-folder");
    const tfm::io::StoredTensors none;
    const tfm::ForeignModel model{map.config, none};
    for (const tfm::ParameterInfo& p : tfm::parameterLayout(map.config).parameters) {
      const tfm::ForeignTensor tensor = map.family.tensor(model, p);
      const std::int64_t rows = p.shape.front().size();
      tfm::check(
          tensor.name.empty() || tensor.rowOf(rows - 1) < tensor.shape[tensor.transposed ? 1 : 0],
          "the rows are those of the tensor");
    }
    tfm::data::mappedTokenizer(map, "input");
  });
}
