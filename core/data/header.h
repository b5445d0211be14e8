// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/reading_note.h"
#include "core/data/task_config.h"
#include "core/io/csv_rows.h"

namespace tfm::data {

/// The most usual names of a column of texts, and of their labels, in lower case.
inline constexpr std::array<std::string_view, 3> kTextNames{"text", "review", "sentence"};
inline constexpr std::array<std::string_view, 2> kLabelNames{"label", "sentiment"};

/// The only cell with one of the usual names of a column, the most usual names first; nullopt if
/// there is none, or more than one.
std::optional<std::size_t> textColumnIn(std::span<const std::string> header);
std::optional<std::size_t> labelColumnIn(std::span<const std::string> header);

/// Whether the first row of a table of texts and labels names its columns. `label`: the column of
/// the labels. Where the row looks like a header, it is one, and `notes` says so; where it may be
/// one, it is a row, and `notes` says that.
bool hasLabelledHeader(std::span<const io::CsvRow> rows, std::size_t label, TableHeader given,
                       const std::string& where, ReadingNotes& notes);

/// The same for questions and answers, e.g. "source", "target" or "English", "German".
bool hasPairsHeader(std::span<const io::CsvRow> rows, TableHeader given, const std::string& where,
                    ReadingNotes& notes);

}  // namespace tfm::data
