// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

/// A part of a text in bytes.
struct TextPart {
  std::size_t begin = 0, end = 0;
  bool matches = false;  ///< the pattern
};

/// What a tokenizer looks for in texts: a regular expression of Oniguruma, which is also that of
/// the tokenizers library, or a text as it is. Immutable; the copies share what was compiled.
class Pattern {
 public:
  /// Throws Error naming `where` for an expression that is none.
  static Pattern expression(const std::string& text, const std::string& where);
  static Pattern literal(std::string text);
  /// {"Regex": "..."} or {"String": "..."}.
  static Pattern fromJson(const nlohmann::json& object, const std::string& where);

  /// The parts of a text, from the front: those that match and those between. Together they are the
  /// text; none is empty. Throws Error for a text whose search takes too many steps.
  std::vector<TextPart> parts(std::string_view text) const;
  /// The text with each match replaced.
  std::string replaced(std::string_view text, std::string_view by) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;  // null: literal_
  std::string literal_;
};

}  // namespace tfm::data
