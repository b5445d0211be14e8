// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/batch.h"
#include "core/program/executor.h"

namespace tfm {

/// Copies sequences `first` ... of a batch into the inputs of an executor, as many as its program
/// was built for. What the program asks for and the batch leaves empty is filled with zeros (pad
/// flags, weights). Features that are narrower than what the model reads are filled up with zeros.
template <class Real>
void setInputs(Executor<Real>& executor, const Batch& batch, std::int64_t first);

}  // namespace tfm
