// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tfm::data {

using Ids = std::vector<std::int32_t>;

/// Text as ids with the characters that have none left out.
struct PartialEncoding {
  Ids ids;
  std::vector<std::int64_t> unknown;  ///< positions in the text, counted in characters from 0
  bool operator==(const PartialEncoding&) const = default;
};

/// The tokens a model reads or writes: characters (one Unicode code point each), words, pieces of
/// words, labels of classes, and up to three special tokens. A value type.
class Vocabulary {
 public:
  /// Ids of the special tokens, -1 where there is none.
  struct Specials {
    std::int32_t start =
        -1;  ///< opens an answer; between question and answer in a decoder-only model
    std::int32_t pad = -1;      ///< fills up; the first one after an answer ends it
    std::int32_t unknown = -1;  ///< stands for what the vocabulary does not hold
    bool operator==(const Specials&) const = default;
  };

  Vocabulary() = default;
  /// Token i has id i. Throws Error for no tokens, an empty or repeated one, or special ids out of
  /// range or shared.
  Vocabulary(std::vector<std::string> tokens, Specials specials);

  /// The characters in the given order, then "<start>", then "<pad>".
  static Vocabulary withStartAndPad(std::vector<std::string> characters);
  /// a ... z = 0 ... 25, <start> 26, <pad> 27: as in the annotated encoder-decoder.
  static Vocabulary annotated();
  /// Reads what toJson wrote. Throws Error for anything else.
  static Vocabulary fromJson(std::string_view json);
  /// {"tokens": [...], "start": id, "pad": id}, and "unknown": id where there is one.
  std::string toJson() const;

  std::int64_t size() const { return static_cast<std::int64_t>(tokens_.size()); }
  const std::vector<std::string>& tokens() const { return tokens_; }
  const std::string& token(std::int32_t id) const;
  std::int32_t start() const { return specials_.start; }
  std::int32_t pad() const { return specials_.pad; }
  std::int32_t unknown() const { return specials_.unknown; }
  bool isSpecial(std::int32_t id) const { return id == start() || id == pad() || id == unknown(); }
  /// The id of a token, -1 if there is none.
  std::int32_t find(std::string_view token) const;

  /// Character by character. Throws Error naming the first unknown character, its position and what
  /// the vocabulary holds; also for text that is not UTF-8.
  Ids encode(std::string_view text) const;
  /// As encode(), but reports unknown characters instead of refusing them.
  PartialEncoding encodeKnown(std::string_view text) const;
  /// The tokens up to the first pad, written one after the other; the start token is left out.
  std::string decode(std::span<const std::int32_t> ids) const;

  /// A printable name for an axis or a table: a space is ␣, a newline ⏎, a tab ⇥, a pad ·, the
  /// start <start>, another control character its code point (U+0007).
  std::string label(std::int32_t id) const;
  /// What can be encoded, for a message: "␣ . 0-9 a-z".
  std::string describe() const;

  bool operator==(const Vocabulary& other) const {
    return tokens_ == other.tokens_ && specials_ == other.specials_;
  }

 private:
  struct TextHash {
    using is_transparent = void;  // a lookup needs no std::string
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> tokens_;
  Specials specials_;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> ids_;
  std::unordered_map<char32_t, std::int32_t> characters_;  // tokens of one character
};

/// The different characters of all texts, sorted by code point. Throws Error for text that is not
/// UTF-8.
std::vector<std::string> charactersOf(std::span<const std::string> texts);

}  // namespace tfm::data
