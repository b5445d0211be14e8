// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tfm::observe {

/// Stands for all indices of a dimension.
inline constexpr std::int64_t kAllIndices = -1;

/// A tensor or another part of a model with indices in brackets, as somebody writes it.
struct IndexedName {
  std::string name;
  bool indexed = false;              ///< whether there are brackets
  std::vector<std::int64_t> at;      ///< counted from 0, or kAllIndices
  std::optional<std::string> token;  ///< stands for the last index, after those in `at`
  bool operator==(const IndexedName&) const = default;
};

/// Reads "NAME" or "NAME[INDEX, ...]". An index is a whole number from 0, a point or colon for all
/// or, as the last one, a token in single quotes: "output[1, 'u']"; it ends at the last quote, so
/// that ''' is the token '. Blanks may surround an index and are part of the name elsewhere. Throws
/// Error at `where`; does not know any model.
IndexedName indexedNameIn(const std::string& text, const std::string& where);

/// The reverse: "NAME[1, ., 'u']".
std::string textOf(const IndexedName& name);

}  // namespace tfm::observe
