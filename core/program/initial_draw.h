// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/program/parameter_layout.h"
#include "core/tensor/random.h"

namespace tfm {

/// The initial values of one parameter, one by one, as set by initialize().
class InitialDraw {
 public:
  /// `place` is the parameter's index in the layout. `info` must outlive this object.
  InitialDraw(const ParameterInfo& info, std::size_t place, std::uint64_t seed);

  /// Element `index` of the parameter; 0 if not in use (see AxisSize::in_use).
  double operator()(std::int64_t index) const;

 private:
  const ParameterInfo& info_;
  Random random_;
  bool all_used_;
  std::int64_t cols_;
  double scale_;
};

}  // namespace tfm
