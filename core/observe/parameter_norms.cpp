// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/parameter_norms.h"

#include <cmath>
#include <limits>

namespace tfm::observe {
namespace {

double length(std::span<const float> values) {
  double sum = 0.0;
  for (const float v : values) sum += double(v) * double(v);
  return std::sqrt(sum);
}

}  // namespace

std::vector<ParameterNorm> parameterNorms(const ParameterLayout& layout,
                                          std::span<const float> parameters,
                                          std::span<const float> gradients) {
  std::vector<ParameterNorm> norms;
  norms.reserve(layout.parameters.size());
  for (const ParameterInfo& p : layout.parameters) {
    const auto of = [&](std::span<const float> all) {
      return length(all.subspan(std::size_t(p.offset), std::size_t(p.size())));
    };
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    norms.push_back({p.name, of(parameters), gradients.empty() ? kUnknown : of(gradients), p.tag});
  }
  return norms;
}

}  // namespace tfm::observe
