// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

/// A text and the class that it belongs to.
struct LabelledText {
  std::string label;
  std::string text;
  bool operator==(const LabelledText&) const = default;
};

/// The usual ways to write the two classes of sentiment, the negative one first; in small letters.
inline constexpr std::array<std::array<std::string_view, 2>, 3> kSentimentLabels{
    {{"0", "1"}, {"neg", "pos"}, {"negative", "positive"}}};

/// Which column of a table is the label. Found: the only one whose values are all labels that are
/// known already or usual; else the only one that may be, as its values are short and few; of two,
/// the one with fewer different values, and of two with equally many the one with shorter values.
enum class LabelColumn { Found, First, Second };

/// The most different labels that texts may have.
inline constexpr std::size_t kMostLabels = 256;

/// The rows of a table. With a tab in its first line: two columns with a tab between; where the
/// label is to be found, there may be a header, which tells it. Else comma-separated with a header,
/// of which the one column named text, review or sentence and the one named label or sentiment are
/// read, whatever `column` says. Tabs and line breaks inside a text become spaces. Throws Error
/// naming the line for rows that are not so, for an empty cell and for a label that is long
/// or has control characters; `where` names the table in messages, `known` are labels of texts that
/// this table belongs to.
std::vector<LabelledText> parseLabelledTexts(std::string_view table, const std::string& where,
                                             LabelColumn column,
                                             const std::set<std::string>& known = {});

/// The text with small letters for A to Z: names and labels are compared so.
std::string asciiLower(std::string_view text);

/// The different labels of the rows.
std::set<std::string> labelsOf(std::span<const LabelledText> rows);

/// The rows as a table of label, tab and text, which parseLabelledTexts(LabelColumn::First) reads
/// back.
std::string labelledTable(std::span<const LabelledText> rows);

}  // namespace tfm::data
