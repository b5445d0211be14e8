// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/expand/grow.h"
#include "core/model/batch.h"

namespace tfm::expand {

/// Compares a grown model with the original on the same examples, without dropout. The difference
/// in float is what users see; the one in double shows that it is rounding.
struct Verdict {
  double max_difference = 0.0;         ///< max |f^ - f| over outputs, in float
  double mean_difference = 0.0;        ///< mean |f^ - f| over outputs, in float
  double max_difference_double = 0.0;  ///< both in double
  double mean_difference_double = 0.0;
  double largest_output = 0.0;                 ///< max |f|, in double
  double tolerance = 0.0;                      ///< 1e-12 * max(1, largest_output)
  bool exact = false;                          ///< max_difference_double <= tolerance
  double loss_before = 0.0, loss_after = 0.0;  ///< in float
  std::int64_t parameters_before = 0, parameters_after = 0;

  std::int64_t rows = 0, cols = 0;  ///< of the outputs: positions and logits
  std::vector<float> outputs_before, outputs_after;
};

/// Runs both models on a probe batch. `grown` was made from `before`. `progress` is called before
/// each run of the grown model; throws Cancelled if it returns false.
Verdict verify(const ModelState& before, const Grown& grown, const Batch& probe,
               const Progress& progress = {});

}  // namespace tfm::expand
