// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/task_config.h"

namespace tfm::data {

/// What a text, pairs or classes task is made from: the config's text, else its file, else (for
/// text) the built-in one. CR LF becomes LF. A document that keeps this as the config's text needs
/// the file no more. Throws Error for a file that cannot be read, is empty, too large or not UTF-8.
std::string corpusText(const TaskConfig& config);

/// Names the corpus in messages: the path, or what it is instead.
std::string corpusName(const TaskConfig& config);

}  // namespace tfm::data
