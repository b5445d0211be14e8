// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "core/data/labelled_corpus.h"
#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Classification of the texts of a corpus. The vocabulary is the config's, or that of its file, or
/// learned from the training texts alone. Texts of more than max_length tokens are truncated and
/// counted (Task::cutExamples()); texts without a token are skipped and counted (Task::leftOut()).
/// Without test texts, a share held_out of the different texts, at least one, is held out; equal
/// texts are on the same side. All texts are encoded at once. Throws Error for fewer than 2 or more
/// than kMaxLabels labels, for labels only in the test texts, and if a side is empty.
std::unique_ptr<Task> makeLabelled(const TaskConfig& config, LabelledCorpus corpus);

/// Whether tasks of this kind can learn from labelled texts.
bool takesLabelledTexts(std::string_view kind);

/// Whether the task of a config is made by makeLabelled().
bool isLabelled(const TaskConfig& config);

/// The label column of a config: found for sentiment, given for classes.
LabelColumn labelColumn(const TaskConfig& config);

}  // namespace tfm::data
