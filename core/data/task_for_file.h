// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/data/task_config.h"

namespace tfm::data {

/// What a model is most likely to learn from a file or folder that somebody gives without saying:
/// classes (of sentiment, where the labels are usual ones) from a table in which labels are found,
/// pairs from one of two columns without, else the next character of a text; a folder's texts are
/// reviews in pos/ and neg/, or an encoder for them. Reads the first MiB; throws nothing.
TaskConfig taskForFile(const std::filesystem::path& path);

}  // namespace tfm::data
