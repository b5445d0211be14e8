// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/precompiled_map.h"

#include "core/base/error.h"
#include "core/data/unicode.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

std::uint32_t unitAt(std::string_view bytes, std::size_t at) {
  std::uint32_t unit = 0;
  for (std::size_t i = 4; i-- > 0;) unit = unit << 8 | static_cast<unsigned char>(bytes[at + i]);
  return unit;
}

// A unit of the trie: a node, and how to reach its children.
std::size_t offsetOf(std::uint32_t unit) { return (unit >> 10) << ((unit & (1U << 9)) >> 6); }
std::uint32_t labelOf(std::uint32_t unit) { return unit & (1U << 31 | 0xFF); }
bool hasLeaf(std::uint32_t unit) { return (unit >> 8 & 1) == 1; }
std::size_t valueOf(std::uint32_t unit) { return unit & ~(1U << 31); }

}  // namespace

PrecompiledMap::PrecompiledMap(std::string_view bytes, const std::string& where) {
  const std::size_t size = bytes.size() < 4 ? 0 : unitAt(bytes, 0);
  if (size == 0 || size % 4 != 0 || size > bytes.size() - 4)
    throw Error("the map of characters is damaged", where,
                "Expected the precompiled_charsmap of a SentencePiece model");
  for (std::size_t at = 4; at < 4 + size; at += 4) units_.push_back(unitAt(bytes, at));
  replacements_ = bytes.substr(4 + size);
  io::requireUtf8(replacements_, where);
}

std::optional<std::string_view> PrecompiledMap::replacementOf(std::string_view part) const {
  std::size_t node = offsetOf(units_.front());
  for (const char character : part) {
    const auto byte = static_cast<unsigned char>(character);
    node ^= byte;
    if (byte == 0 || node >= units_.size() || labelOf(units_[node]) != byte) return std::nullopt;
    const bool found = hasLeaf(units_[node]);
    node ^= offsetOf(units_[node]);
    if (!found) continue;
    const std::size_t begin = node < units_.size() ? valueOf(units_[node]) : replacements_.size();
    if (begin >= replacements_.size()) return std::nullopt;
    return std::string_view(replacements_).substr(begin, replacements_.find('\0', begin) - begin);
  }
  return std::nullopt;
}

std::string PrecompiledMap::rewritten(std::string_view text) const {
  constexpr std::size_t kWhole = 6;  // longer graphemes are rewritten character by character
  std::string result;
  for (const std::string_view grapheme : graphemes(text)) {
    if (grapheme.size() < kWhole)
      if (const auto replacement = replacementOf(grapheme)) {
        result += *replacement;
        continue;
      }
    for (std::size_t at = 0; at < grapheme.size();) {
      const std::string_view character = grapheme.substr(at, io::characterAt(grapheme, at).length);
      result += replacementOf(character).value_or(character);
      at += character.size();
    }
  }
  return result;
}

}  // namespace tfm::data
