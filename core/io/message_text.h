// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfm::io {

/// At most `maxBytes` of `text`, cut between characters; "..." is appended if anything was cut.
std::string shortened(std::string_view text, std::size_t maxBytes);

/// `text` as a terminal may show it: what a terminal would take as a command, or what would reorder
/// the text around it, is written out. Control characters but tab and line feed become \x1b; U+007F
/// to U+009F and overrides of the direction of text \u202e, which is the same text in JSON; bytes
/// that are not UTF-8 \xff.
std::string plainText(std::string_view text);

/// A name from a file for an error message: in double quotes, shortened, as plainText(), tab and
/// line feed as \x0a.
std::string inQuotes(std::string_view name);

}  // namespace tfm::io
