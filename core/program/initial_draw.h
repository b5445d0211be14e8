// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/program/parameter_layout.h"
#include "core/tensor/random.h"

namespace tfm {

/// The first values of one parameter, one by one: those that initialize() gives it.
class InitialDraw {
 public:
  /// `place`: that of the parameter in the layout. `info` outlives the draw.
  InitialDraw(const ParameterInfo& info, std::size_t place, std::uint64_t seed);

  /// Element `index` of the parameter; 0 where no attention uses it.
  double operator()(std::int64_t index) const;

 private:
  const ParameterInfo& info_;
  Random random_;
  bool all_used_;
  std::int64_t cols_;
  double scale_;
};

}  // namespace tfm
