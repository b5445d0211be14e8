// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sinusoid.h"

#include "core/base/check.h"
#include "core/tensor/portable_math.h"

namespace tfm {

std::vector<double> sinusoid(std::int64_t length, std::int64_t width, std::int64_t base,
                             bool repeats, bool halves) {
  check(base % 2 == 0 && base <= width, "the sinusoid's base is even and at most the width");
  std::vector<double> table(std::size_t(length * width), 0.0);
  for (std::int64_t i = 0; i < length; ++i) {
    for (std::int64_t j = 0; j < base; j += 2) {
      const double angle = double(i) / portable::pow(10000.0, double(j) / double(base));
      const std::int64_t sine = halves ? j / 2 : j, cosine = halves ? base / 2 + j / 2 : j + 1;
      table[std::size_t(i * width + sine)] = portable::sin(angle);
      table[std::size_t(i * width + cosine)] = portable::cos(angle);
    }
    if (!repeats) continue;
    for (std::int64_t j = base; j < width; ++j)
      table[std::size_t(i * width + j)] = table[std::size_t(i * width + j - base)];
  }
  return table;
}

}  // namespace tfm
