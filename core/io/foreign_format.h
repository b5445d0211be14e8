// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tfm::io {

/// A format that is not read where a text or a table is expected.
struct ForeignFormat {
  std::string what;  ///< "an Excel workbook (.xlsx)"
  std::string hint;  ///< what to do
};

/// What bytes that are no text in UTF-8 are; nullopt for text and what is not known. All bytes of a
/// file, or its first 4 KiB.
std::optional<ForeignFormat> foreignFormat(std::string_view bytes);

/// The same for texts that are no tables: JSON, JSON lines, XML, web pages.
std::optional<ForeignFormat> foreignTable(std::string_view text);

}  // namespace tfm::io
