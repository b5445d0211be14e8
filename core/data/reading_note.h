// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::data {

/// How the text of a table is understood.
enum class ReadingRules {
  Present,  ///< of a file: with the headers, blanks and separators that people write
  Kept,  ///< of a text that a document keeps: as the first version did, so that its meaning stays
};

/// Something that was assumed when a file was read.
struct ReadingNote {
  std::string sentence;   ///< "reviews.tsv, line 1: "tweet", "label" is read as the header"
  std::string field;      ///< of TaskConfig, that decides it; empty: none does
  std::string value;      ///< another value of it
  std::string otherwise;  ///< what that does: "reads it as an example"
  bool operator==(const ReadingNote&) const = default;
};

using ReadingNotes = std::vector<ReadingNote>;

}  // namespace tfm::data
