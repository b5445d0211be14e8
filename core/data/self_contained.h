// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/reading_note.h"
#include "core/data/task_config.h"

namespace tfm::data {

class Task;
class TextCodec;

/// Returns the config with the contents of its files, read by `rules`, as texts, so that it makes
/// the same task without them. Throws the errors of reading them.
TaskConfig withTexts(TaskConfig config, ReadingRules rules = ReadingRules::Present);

/// Stores the vocabulary of a task with a tokenizer (usesTokenizer()) in the config it was made
/// from, so that it is not learned again, perhaps differently by a later version. Of a frozen
/// encoder, only the hash of its content is stored: its files must stay, unchanged.
void keepVocabulary(TaskConfig& config, const Task& task);

/// The config with the tokenizer, vocabulary, cleaning and frozen encoder of a codec, where tasks
/// of its kind have them. The pieces of a BERT are read without its [CLS] and [SEP].
TaskConfig readingLike(const TextCodec& codec, TaskConfig config);

/// Replaces the test texts of a self-contained config by those of a file or folder, with labels in
/// either column, and returns what was assumed to read them. The task must be labelled
/// (isLabelled()). Throws the errors of reading them.
ReadingNotes measureOn(TaskConfig& config, const std::string& path);

/// Whether a task can be rebuilt from its config alone. Documents require this: files and built-in
/// texts may change.
bool isSelfContained(const TaskConfig& config);

/// Whether two self-contained configs make the same task, wherever their files are.
bool isSameTask(TaskConfig a, TaskConfig b);

}  // namespace tfm::data
