// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/initial_draw.h"

#include <algorithm>
#include <cmath>

#include "core/tensor/random_streams.h"

namespace tfm {
namespace {

// Standard deviation of a standard normal truncated to [-2, 2].
constexpr double kTruncatedDeviation = 0.87962566103423978;

/// The scale of the distribution.
double scaleOf(const ParameterInfo& p) {
  const double in = double(p.cols());
  const double out = double(p.rows());
  switch (p.initial.kind) {
    case InitialValues::XavierUniform:
      return std::sqrt(6.0 / (in + out));
    case InitialValues::LecunNormal:
      return std::sqrt(1.0 / in);
    case InitialValues::HeNormal:
      return std::sqrt(2.0 / in);
    case InitialValues::Normal:
    case InitialValues::Constant:
      return p.initial.value;
  }
  return 0.0;
}

}  // namespace

InitialDraw::InitialDraw(const ParameterInfo& info, std::size_t parameter, std::uint64_t seed)
    : info_(info),
      random_(seed, streams::firstValues(parameter)),
      all_used_(std::ranges::all_of(
          info.shape, [](const Dimension& d) { return d.factors.back().in_use.empty(); })),
      cols_(info.cols()),
      scale_(scaleOf(info)) {}

double InitialDraw::operator()(std::int64_t index) const {
  if (!all_used_) {
    const Shape& shape = info_.shape;
    const bool row_used = shape.size() == 1 || shape.front().uses(index / cols_);
    if (!row_used || !shape.back().uses(index % cols_)) return 0.0;
  }
  const auto at = std::uint64_t(index);
  switch (info_.initial.kind) {
    case InitialValues::XavierUniform:
      return (2.0 * random_.uniform(at) - 1.0) * scale_;
    case InitialValues::LecunNormal:
      return random_.truncatedNormal(at) * scale_ / kTruncatedDeviation;
    case InitialValues::HeNormal:
    case InitialValues::Normal:
      return random_.normal(at) * scale_;
    case InitialValues::Constant:
      return scale_;
  }
  return 0.0;
}

}  // namespace tfm
