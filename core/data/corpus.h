// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/reading_note.h"
#include "core/data/task_config.h"

namespace tfm::data {

/// A text that a task learns from, and what was assumed to read its file.
struct CorpusText {
  std::string text;
  ReadingNotes notes;
};

/// The text of a text, masked, pairs, classes or regression task: the config's text, else its file,
/// else (for text and masked) the built-in text. CR LF becomes LF. Tables of files are read by
/// `rules` and written as documents keep them, unless they are like that already: two tab-separated
/// columns without a header; numbers as in numberTableText(). Throws Error if the file cannot be
/// read, is empty, too large, not UTF-8 or not such a table.
CorpusText readCorpus(const TaskConfig& config, ReadingRules rules = ReadingRules::Present);

/// The text of a file of at most `max_bytes`. ReadingRules::Kept: as it is.
std::string readFileText(const std::string& path, std::uint64_t max_bytes, ReadingRules rules);

/// The name of the corpus in messages: the path, "built-in text" or "text of the task".
std::string corpusName(const TaskConfig& config);

/// The lines of a text, which LF ends or parts.
std::vector<std::string> linesOf(std::string_view text);

}  // namespace tfm::data
