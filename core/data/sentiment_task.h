// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Is a review for or against what it speaks of? With files or their text as makeLabelled(), where
/// the labels 0 and 1, or neg and pos, are called negative and positive. Without, reviews of
/// sentiment_grammar.h, read word by word, whatever tokenizer and max_length say.
std::unique_ptr<Task> makeSentiment(const TaskConfig& config);

}  // namespace tfm::data
