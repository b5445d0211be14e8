// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/io/safetensors.h"
#include "core/train/metrics.h"
#include "core/train/tensor_reader.h"

namespace tfm::train {

/// Adds a history to a document's file: measurements as columns history.*, events as JSON in the
/// metadata, where there are any.
void writeHistory(const History& history, io::TensorFile& file);

/// Reads what writeHistory() wrote; a file without measurements has none. `step`: of the model,
/// which no event is later than. Throws Error naming the tensor or event that is wrong and what was
/// expected.
History readHistory(TensorReader& reader, const io::TensorFile& file, std::int64_t step);

}  // namespace tfm::train
