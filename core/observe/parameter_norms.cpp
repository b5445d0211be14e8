// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/parameter_norms.h"

#include <Eigen/Core>
#include <limits>

namespace tfm::observe {
std::vector<ParameterNorm> parameterNorms(const ParameterLayout& layout,
                                          std::span<const float> parameters,
                                          std::span<const float> gradients) {
  std::vector<ParameterNorm> norms;
  norms.reserve(layout.parameters.size());
  for (const ParameterInfo& p : layout.parameters) {
    const auto of = [&](std::span<const float> all) {
      return Eigen::VectorXf::Map(all.data() + p.offset, p.size()).cast<double>().norm();
    };
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    norms.push_back({p.name, of(parameters), gradients.empty() ? kUnknown : of(gradients), p.tag});
  }
  return norms;
}

}  // namespace tfm::observe
