// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "core/data/labelled_corpus.h"
#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// The class of a text, learnt from these. The vocabulary is the config's, or its file's, or learnt
/// from the training texts alone. Texts of more than max_length tokens are cut and counted
/// (Task::cutExamples), texts without a token are left out and counted. Without texts that only
/// measure, held_out of the different ones, at least one, is kept for it; the same text is on one
/// side. All texts are encoded at once. Throws Error for labels that are fewer than 2, more than
/// kMostLabels, or only in the test, and where a side has nothing left.
std::unique_ptr<Task> makeLabelled(const TaskConfig& config, LabelledCorpus corpus);

/// Whether tasks of this kind can learn from texts with labels.
bool takesLabelledTexts(std::string_view kind);

/// Whether a config's task is made by makeLabelled().
bool isLabelled(const TaskConfig& config);

/// How the label's column is known: sentiment finds it, classes are told.
LabelColumn labelColumn(const TaskConfig& config);

}  // namespace tfm::data
