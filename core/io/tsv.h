// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::io {

/// One line of a two-column file, e.g. a sentence and its translation, or a label and a sentence.
struct TextPair {
  std::string first;
  std::string second;
  std::size_t line = 0;  ///< of the text, from 1; empty lines count too
  bool operator==(const TextPair&) const = default;
};

/// What to do with columns after the second, e.g. the attribution in the Tatoeba sentence lists.
enum class ExtraColumns { Refuse, Ignore };

/// The rows of a tab-separated text with two columns, without quoting or comments. Lines end with
/// LF or CRLF; empty lines are skipped. Throws Error naming the line and how many columns were
/// found, for an empty field, and where there is no row at all. `where` names the text in messages.
std::vector<TextPair> parseTsv(std::string_view text, const std::string& where,
                               ExtraColumns extra = ExtraColumns::Refuse);

/// parseTsv() of a file; readTextFile()'s errors too.
std::vector<TextPair> readTsv(const std::filesystem::path& path,
                              ExtraColumns extra = ExtraColumns::Refuse);

}  // namespace tfm::io
