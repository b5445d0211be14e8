// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/growth_text.h"
#include "core/base/check.h"
#include "core/io/utf8.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;

std::vector<std::string> fuzz::seeds() {
  return {"hidden=16,method=mask,mask_steps=5,decoder.layers=3",
          "feed_forward=9,layer=1+3,stack=decoder",
          "heads=4,attention=self",
          "key_size=8,head=1+2,value_size=9",
          "layers=3,position=1,method=gate,unshare,allow_inexact",
          "500:feed_forward=16,heads=9",
          "0:layers=2"};
}

/// What --set reads, or with a step before it what --grow reads.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::outcomeOf([&] {
    // As every option requires.
    io::requireUtf8(fuzz::asText(data, size), "input");
    const std::string text(fuzz::asText(data, size));
    if (text.find(':') == std::string::npos) {
      const auto read = [](const std::string& written) {
        return cli::planOf(cli::growthsFromText(written, "--set"), "--set");
      };
      const expand::Plan plan = read(text);
      check(read(cli::textOf(plan)) == plan, "a plan is read as it is written");
    } else {
      const auto schedule = cli::scheduleFromTexts({text});
      check(cli::scheduleFromTexts(cli::textsOf(schedule)) == schedule,
            "a schedule is read as it is written");
    }
  });
}
