// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/expand/change.h"
#include "core/model/presets.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm::expand;

std::vector<std::string> tfm::fuzz::seeds() {
  return {
      R"([{"kind":"feed_forward","size":9,"layers":[0],"stacks":"decoder"}])",
      R"([{"kind":"heads","size":9,"attentions":"cross","constant":42.0,"seed":7}])",
      R"([{"kind":"key_size","size":8,"heads_chosen":[0,2],"break":"no_key_rescale"}])",
      R"([{"kind":"hidden","size":16,"hidden_method":"duplicate"},{"kind":"value_size","size":9}])",
      R"([{"kind":"hidden","size":13,"hidden_method":"mask","mask_steps":5}])",
      R"([{"kind":"layers","size":3,"stacks":"encoder","position":1,"layer_method":"hand_over","allow_inexact":true}])",
      R"({"kind":"layers","size":4,"unshare":true,"allow_inexact":true,"stacks":"decoder"})",
  };
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const Plan plan = planFromJson(tfm::fuzz::asText(data, size), "input");
    tfm::check(planFromJson(toJson(plan), "again") == plan, "a plan survives a round trip");
    if (plan.size() > 3) return;  // what follows takes time
    for (const Growth& growth : plan)
      // Larger models are legal and slow.
      if (growth.size > (growth.kind == Kind::Layers ? 6 : 64)) return;
    static const tfm::ModelConfig model = tfm::presetNamed("rot13").config();
    for (const Change& change : planGrowths(model, plan))
      tfm::check(change.layout_after.total > change.layout_before.total, "growing makes larger");
  });
}
