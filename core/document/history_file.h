// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/document/tensor_reader.h"
#include "core/io/safetensors.h"
#include "core/train/metrics.h"

namespace tfm::train {

/// Adds a history to a document's file: measurements as columns history.*, events, if any, as JSON
/// in the metadata.
void writeHistory(const History& history, io::TensorFile& file);

/// Reads what writeHistory() wrote, if anything. `step`: of the model, the latest allowed. Throws
/// Error naming the invalid tensor or event and what was expected.
History readHistory(TensorReader& reader, const io::TensorFile& file, std::int64_t step);

}  // namespace tfm::train
