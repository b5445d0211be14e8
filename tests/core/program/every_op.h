// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/program/executor.h"
#include "core/program/program.h"

namespace tfm::test {

/// Sizes of a program that has every op: a small classifier with a second loss on its hidden
/// states.
struct EveryOpSizes {
  std::int64_t sequences = 4;
  std::int64_t length = 3;
  std::int64_t vocabulary = 7;
  std::int64_t hidden = 6;
  std::int64_t classes = 5;
  double dropout = 0.0;
  bool scores = false;  ///< kept by the attention
  bool watched = true;  ///< see Program
};

/// embedding -> add positions -> linear, pad columns, add -> grouped linear (shuffled), layer norm
/// of groups, join groups, grouped linear -> layer norm -> pooled query, key, value -> relative and
/// segment scores -> attention -> output -> dropout -> up-sample -> add -> masked layer norm (half
/// of the columns, weight 0 up to step 3, 1 from step 7 on) -> gate -> RMS norm -> GELU -> sequence
/// pool -> mean pool -> logits -> cross-entropy; "error" is the squared error of the states.
Program everyOp(const EveryOpSizes& sizes);

/// Fills ids, pads, segments, labels, weights and targets with drawn numbers that depend on the
/// place in the whole batch only; `first` is this program's first sequence.
template <class Real>
void setDrawnInputs(Executor<Real>& executor, const EveryOpSizes& sizes, std::int64_t first);

}  // namespace tfm::test
