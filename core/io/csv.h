// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <variant>

namespace tfm::io {

/// One field of a CSV row.
using CsvCell = std::variant<std::string, double, float, std::int64_t>;

/// Builds a comma-separated table (RFC 4180 quoting, lines ending with LF). Numbers have a decimal
/// point in every locale and the fewest digits that read back to the same value; NaN and infinities
/// are "nan", "inf", "-inf".
class CsvTable {
 public:
  /// The first row; every other row must have as many cells.
  explicit CsvTable(std::initializer_list<std::string> header);
  explicit CsvTable(std::span<const std::string> header);

  void addRow(std::initializer_list<CsvCell> cells);
  void addRow(std::span<const CsvCell> cells);

  const std::string& text() const { return text_; }

  /// Writes the table whole or not at all. Throws Error.
  void save(const std::filesystem::path& path) const;

 private:
  std::size_t columns_;
  std::string text_;
};

}  // namespace tfm::io
