// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// A config with what its files hold as its texts, so that it makes the same task without them.
/// Throws the errors of reading them.
TaskConfig withTexts(TaskConfig config);

/// Writes the vocabulary of the task that was made from a config into it, where it was learnt: what
/// a later version of this program would learn does not matter then. Of a frozen encoder the name
/// of its content is written: it stays where it is, but must not become another.
void keepVocabulary(TaskConfig& config, const Task& task);

/// Gives a self-contained config other texts that only measure, those of a file or folder,
/// whichever column the label is in. The task must be one of labelled texts (isLabelled()). Throws
/// the errors of reading them.
void measureOn(TaskConfig& config, const std::string& path);

/// Whether a config says all by itself, as a document's must: no file, and no text that comes with
/// this program and may change.
bool isSelfContained(const TaskConfig& config);

}  // namespace tfm::data
