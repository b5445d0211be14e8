// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/parameter_layout.h"

#include <cmath>

#include "core/tensor/random.h"

namespace tfm {
namespace {

// Standard deviation of a standard normal that is cut off at +-2.
constexpr double kTruncatedDeviation = 0.87962566103423978;
constexpr std::uint32_t kFirstStream = 0x1000;

double drawInitial(const ParameterInfo& p, const Random& random, std::uint64_t index) {
  const auto at = std::int64_t(index);
  const bool row_used = p.shape.size() == 1 || p.shape.front().uses(at / p.cols());
  if (!row_used || !p.shape.back().uses(at % p.cols())) return 0.0;
  const double in = double(p.cols());
  const double out = double(p.rows());
  switch (p.initial.kind) {
    case InitialValues::XavierUniform:
      return (2.0 * random.uniform(index) - 1.0) * std::sqrt(6.0 / (in + out));
    case InitialValues::LecunNormal:
      return random.truncatedNormal(index) * std::sqrt(1.0 / in) / kTruncatedDeviation;
    case InitialValues::HeNormal:
      return random.normal(index) * std::sqrt(2.0 / in);
    case InitialValues::Normal:
      return random.normal(index) * p.initial.value;
    case InitialValues::Constant:
      return p.initial.value;
  }
  return 0.0;
}

}  // namespace

const ParameterInfo* ParameterLayout::find(std::string_view name) const {
  for (const ParameterInfo& p : parameters)
    if (p.name == name) return &p;
  return nullptr;
}

double initialValue(const ParameterLayout& layout, std::size_t parameter, std::uint64_t seed,
                    std::int64_t index) {
  const Random random(seed, kFirstStream + std::uint32_t(parameter));
  return drawInitial(layout.parameters[parameter], random, std::uint64_t(index));
}

template <class Real>
void initialize(const ParameterLayout& layout, std::uint64_t seed, AlignedVector<Real>& values) {
  values.resize(std::size_t(layout.total));
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    const ParameterInfo& p = layout.parameters[i];
    const Random random(seed, kFirstStream + std::uint32_t(i));
    for (std::int64_t j = 0; j < p.size(); ++j)
      values[std::size_t(p.offset + j)] = Real(drawInitial(p, random, std::uint64_t(j)));
  }
}

template void initialize(const ParameterLayout&, std::uint64_t, AlignedVector<float>&);
template void initialize(const ParameterLayout&, std::uint64_t, AlignedVector<double>&);

}  // namespace tfm
