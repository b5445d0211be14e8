// SPDX-License-Identifier: GPL-3.0-or-later
#include <nlohmann/json.hpp>

#include "core/base/check.h"
#include "core/io/json_guard.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  constexpr int kDeep = tfm::io::kMaxJsonDepth;
  return {R"({"hidden": 64, "layers": [1, 2.5e-3, -7], "name": "bert", "tied": true, "x": null})",
          R"([{"a": {"b": [[], {}, "\u00e9\ud834\udd1e", "é𝄞"]}}, {"a": 18446744073709551615}])",
          std::string(kDeep, '[') + std::string(kDeep, ']'), "0"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const auto value = tfm::io::parseJson(tfm::fuzz::asText(data, size), "input");
    tfm::check(tfm::io::parseJson(value.dump(), "input") == value, "JSON survives a round trip");
  });
}
