// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/reading_note.h"
#include "core/data/task_config.h"

namespace tfm::data {

/// A text and its class.
struct LabelledText {
  std::string label;
  std::string text;
  bool operator==(const LabelledText&) const = default;
};

/// The usual names of the two sentiment classes in lower case, the negative one first.
inline constexpr std::array<std::array<std::string_view, 2>, 3> kSentimentLabels{
    {{"0", "1"}, {"neg", "pos"}, {"negative", "positive"}}};

/// Which column of a table is the label. Found: the only column with known or usual labels alone;
/// else the only one with few and short values; of two, the one with fewer different values, and
/// then the one with shorter values.
enum class LabelColumn { Found, First, Second };

/// The largest number of different labels.
inline constexpr std::size_t kMaxLabels = 256;

/// How a table of labelled texts is to be read.
struct LabelledReading {
  LabelColumn column = LabelColumn::Found;
  TableHeader header = TableHeader::Found;
  std::set<std::string> known = {};  ///< labels known from other texts
  ReadingRules rules = ReadingRules::Present;
};

/// Texts, and what was assumed to read them.
struct LabelledTable {
  std::vector<LabelledText> rows;
  ReadingNotes notes;
};

/// Parses a table (see io::readTable()). A header names the columns: text, review or sentence and
/// label or sentiment, or else similar names; other columns are ignored. Without one, a table has
/// two columns. A CSV needs a header, unless it is TableHeader::No. Labels lose the blanks
/// at their ends; tabs and line breaks inside a text become spaces. Throws Error naming the line
/// for malformed rows, empty cells and labels that are too long or have control characters. `where`
/// names the table in messages.
///
/// ReadingRules::Kept: with a tab in its first line two tab-separated columns, of which a header
/// with the first names is one for LabelColumn::Found alone; else CSV with commas and such a
/// header.
LabelledTable parseLabelledTexts(std::string_view table, const std::string& where,
                                 const LabelledReading& reading = {});

/// The text with A to Z in lower case, for comparing names and labels.
std::string asciiLower(std::string_view text);

/// The different labels of the rows.
std::set<std::string> labelsOf(std::span<const LabelledText> rows);

/// The rows as a tab-separated table, label first, as ReadingRules::Kept read it with
/// LabelColumn::First.
std::string labelledTable(std::span<const LabelledText> rows);

}  // namespace tfm::data
