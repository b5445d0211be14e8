// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arm_text.h"
#include "core/base/check.h"
#include "core/io/utf8.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;

std::vector<std::string> fuzz::seeds() {
  return {"wide=rot13,hidden=16", "small=config.json,learning_rate=3e-3",
          "nested=model.safetensors,granularity=S", "a=rot13,matformer=false,decoder.layers=2",
          "b=rot13,widths=8+16,600:feed_forward=16,900:hidden=16,method=mask"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::outcomeOf([&] {
    // As every option requires.
    io::requireUtf8(fuzz::asText(data, size), "input");
    const cli::ArmText arm = cli::armFromText(std::string(fuzz::asText(data, size)));
    check(cli::armFromText(cli::textOf(arm)) == arm, "an arm is read as it is written");
  });
}
