// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/reading_note.h"
#include "core/data/task_config.h"
#include "core/io/tsv.h"

namespace tfm::data {

/// Rows of two texts, and what was assumed to read them.
struct TextPairs {
  std::vector<io::TextPair> rows;
  ReadingNotes notes;
};

/// Questions and answers of the file of a pairs task: the first two columns of a table (see
/// io::readTable()), perhaps below a header. Throws Error naming the line for a missing or empty
/// cell.
TextPairs questionPairs(std::string_view table, const TaskConfig& config);

/// Texts and labels of the file of a classes task, in the columns that the config says. Throws the
/// errors of parseLabelledTexts().
TextPairs labelledPairs(std::string_view table, const TaskConfig& config);

/// The rows as lines of two tab-separated columns, as io::parseTsv() reads them.
std::string tabText(std::span<const io::TextPair> rows);

}  // namespace tfm::data
