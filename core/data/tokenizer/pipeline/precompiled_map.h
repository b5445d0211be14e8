// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

/// The rules by which SentencePiece rewrites characters ("precompiled_charsmap", as of T5, ALBERT
/// and XLM-R): a double-array trie (Aoe 1989, in the layout of the library Darts-clone) of what is
/// replaced, and the replacements.
class PrecompiledMap {
 public:
  /// Throws Error naming `where` unless the bytes are the size of the trie, the trie and the texts.
  PrecompiledMap(std::string_view bytes, const std::string& where);

  /// Each grapheme of less than six bytes, and each character of the others, is replaced by what
  /// the map has for its shortest known beginning, as the tokenizers library does.
  std::string rewritten(std::string_view text) const;

 private:
  std::optional<std::string_view> replacementOf(std::string_view part) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;  // each ends with a zero byte
};

}  // namespace tfm::data
