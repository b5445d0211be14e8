// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/data/task_config.h"

namespace tfm::data {

/// Guesses the task for a file or folder: classes for a table with labels (sentiment if the labels
/// are those of kSentimentLabels), pairs for two columns without labels, else the next character of
/// a text; regression for an .npz and a CSV of numbers (isNumberTable()); sentiment for a folder,
/// of reviews in pos/ and neg/ or of an encoder. Reads the first MiB; does not throw.
TaskConfig taskForFile(const std::filesystem::path& path);

}  // namespace tfm::data
