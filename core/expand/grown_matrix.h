// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/entries.h"

namespace tfm::expand {

/// One parameter before and after an expansion, with its numbers: what a picture of it needs.
/// Vectors are matrices of one row.
struct GrownMatrix {
  ParameterGrowth growth;
  std::vector<float> before;  ///< rows x cols of growth.before; empty for a new parameter
  std::vector<float> after;   ///< rows x cols of growth.after
};

}  // namespace tfm::expand
