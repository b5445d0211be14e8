// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/median.h"

#include <algorithm>
#include <cstddef>

#include "core/base/check.h"

namespace tfm {

double median(std::vector<double> values) {
  check(!values.empty(), "the median needs at least one value");
  const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace tfm
