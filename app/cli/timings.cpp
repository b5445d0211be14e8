// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/timings.h"

#include <algorithm>

#include "core/base/check.h"

namespace tfm::cli {

double Timings::median() const {
  check(!seconds_.empty(), "a median of at least one time");
  std::vector<double> sorted = seconds_;
  const auto middle = sorted.begin() + std::ptrdiff_t(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

}  // namespace tfm::cli
