// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/check.h"
#include "core/io/text_file.h"
#include "core/study/compare_models.h"
#include "tests/fuzz/fuzz_target.h"

std::vector<std::string> tfm::fuzz::seeds() {
  const std::string header = "arm\tseed\tstep\tloss\taccuracy\tflops\tseconds\tparameters\n";
  return {header + "grown\t1\t10\t0.5\t0.25\t1e+09\t0.125\t40\ngrown\t1\t20\t0.25\t1\t2e9\t1\t90\n",
          header + "from_scratch\t18446744073709551615\t1\t0\t0\t0\t0\t1\r\n\r\n"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tfm::train;
  return tfm::fuzz::outcomeOf([&] {
    const std::string text =
        tfm::io::checkedText(std::string(tfm::fuzz::asText(data, size)), "input");
    const StudyCurves result = curvesFromTsv(text, "input");
    const std::string table = toTsv(result);
    tfm::check(toTsv(curvesFromTsv(table, "table")) == table, "what is saved is read again");
    tfm::check(growthSteps(result).size() < table.size(), "growths are among the measurements");
    spreadOf(result);
  });
}
