// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/batch.h"
#include "core/program/executor.h"

namespace tfm {

/// Uploads the inputs of an executor's program from a batch: as many sequences as the program was
/// built for, starting at `first`. Inputs that the batch leaves empty (pad flags, weights) are
/// zero; narrower features are padded with zeros.
template <class Real>
void setInputs(Executor<Real>& executor, const Batch& batch, std::int64_t first);

}  // namespace tfm
