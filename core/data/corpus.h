// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/task_config.h"

namespace tfm::data {

/// The text of a text, masked, pairs or classes task: the config's text, else its file, else (for
/// text and masked) the built-in text. CR LF becomes LF. A document that stores it as the config's
/// text no longer needs the file. Throws Error if the file cannot be read, is empty, too large or
/// not UTF-8.
std::string corpusText(const TaskConfig& config);

/// The name of the corpus in messages: the path, "built-in text" or "text of the task".
std::string corpusName(const TaskConfig& config);

}  // namespace tfm::data
