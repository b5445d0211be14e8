// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/tokenizer/pipeline/normalizer.h"

namespace tfm::data {

/// The "added_tokens" of a tokenizer.json: names that are one token wherever they are in a text.
class AddedTokens {
 public:
  /// Those with "normalized" are looked for in normalized texts. Throws Error naming `where` for an
  /// entry that is none.
  AddedTokens(const nlohmann::json& list, const Normalizer& normalizer, const std::string& where);

  /// Their names by id, as texts of tokens have them: normalized ones after the normalizer.
  const std::map<std::int32_t, std::string>& names() const { return names_; }

  /// A part of a text: one of these tokens, or normalized text without any.
  struct Part {
    std::int32_t id = -1;  ///< -1: text
    std::string text;
    bool first = false;  ///< it begins the whole text
  };
  std::vector<Part> cut(std::string_view text) const;

 private:
  struct Token {
    std::int32_t id = 0;
    std::string content;
    bool single_word = false, strips_left = false, strips_right = false;
  };
  /// Tokens by their first byte, the longest first.
  using Index = std::array<std::vector<Token>, 256>;

  static void find(const Index& index, std::string_view text, bool first,
                   const std::function<void(Part)>& visit);

  std::map<std::int32_t, std::string> names_;
  Index raw_, normalized_;
  Normalizer normalizer_;
};

}  // namespace tfm::data
