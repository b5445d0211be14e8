// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/train/document.h"

namespace tfm::train {

/// A pretrained encoder (see readPretrainedEncoder()) as a document without a task: it reads texts
/// with its own tokenizer and ends with its hidden states. Throws Error.
Document importedEncoder(const std::filesystem::path& folder);

}  // namespace tfm::train
