// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/explainer.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;

namespace {

const Program& program(std::int64_t sequences) {
  const auto made = [](std::int64_t texts) {
    const ModelConfig model = presetNamed("rot13").config();
    return buildProgram(model, fullShape(model, texts), {});
  };
  static const Program one = made(1), two = made(2);
  return sequences == 1 ? one : two;
}

/// A name without blanks, signs and leading zeros of its indices: -0 is 0.
std::string plain(const std::string& text) {
  std::string result;
  bool digits = false;
  const std::size_t open = text.rfind('[');
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > open) {
      const bool more = i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
      if (text[i] == ' ' || text[i] == '\t' || (!digits && (text[i] == '+' || text[i] == '-')) ||
          (!digits && text[i] == '0' && more))
        continue;
      digits = text[i] >= '0' && text[i] <= '9';
    }
    result += text[i];
  }
  return result;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {"output[2, 5]",       "decoder.layers.0.self_attention.probabilities[1, 2, 0]",
          "output.weight[1,2]", "source.ids[3]",
          "output[0, 2, 5]",    "output[ 01 , +2 ]"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  int result = -1;
  for (const std::int64_t sequences : {1, 2}) {
    const int one = fuzz::outcomeOf([&] {
      const std::string text(fuzz::asText(data, size));
      const observe::NumberPlace place = observe::placeNamed(program(sequences), text);
      const std::string name = observe::nameOf(program(sequences), place);
      check(observe::placeNamed(program(sequences), name) == place, "a name is read again");
      // A vector is one row, which may be left out.
      const std::string written = plain(text), row = "[0,";
      std::string with_row = written;
      with_row.replace(with_row.rfind('['), 1, row);
      check(plain(name) == written || plain(name) == with_row,
            "a place has the name that was written");
    });
    result = std::max(result, one);
  }
  return result;
}
