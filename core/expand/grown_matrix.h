// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/expand/entries.h"
#include "core/tensor/shared_numbers.h"

namespace tfm::expand {

/// One parameter before and after an expansion, with its values, for display. Vectors are matrices
/// of one row.
struct GrownMatrix {
  ParameterGrowth growth;
  SharedNumbers before;  ///< rows x cols of growth.before; empty for a new parameter
  SharedNumbers after;   ///< rows x cols of growth.after
};

}  // namespace tfm::expand
