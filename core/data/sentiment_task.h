// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/data/task_config.h"

namespace tfm::data {

class Task;

/// Is a review positive or negative? With a file or text, as makeLabelled(); the labels 0 and 1, or
/// neg and pos, become negative and positive. Without, reviews from sentiment_grammar.h, split into
/// words; tokenizer and max_length are ignored.
std::unique_ptr<Task> makeSentiment(const TaskConfig& config);

}  // namespace tfm::data
