// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tfm::data {

using Ids = std::vector<std::int32_t>;

/// The ids of a text without its unknown characters.
struct PartialEncoding {
  Ids ids;
  std::vector<std::int64_t> unknown;  ///< positions of the unknown characters, from 0
  bool operator==(const PartialEncoding&) const = default;
};

/// The tokens a model reads or writes: characters (Unicode code points), words, pieces of words,
/// class labels, and up to three special tokens. A value type, cheap to copy.
class Vocabulary {
 public:
  /// Ids of the special tokens, -1 for none.
  struct Specials {
    std::int32_t start = -1;    ///< begins an answer (in a decoder-only model, after the question)
    std::int32_t pad = -1;      ///< padding; the first one ends an answer
    std::int32_t unknown = -1;  ///< replaces tokens outside the vocabulary
    bool operator==(const Specials&) const = default;
  };

  Vocabulary() = default;
  /// Token i has id i. Throws Error if there are no tokens, a token is empty or repeated, or
  /// special ids are out of range or equal, but for start and pad.
  Vocabulary(std::vector<std::string> tokens, Specials specials);

  /// The characters in the given order, then "<start>", then "<pad>".
  static Vocabulary withStartAndPad(std::vector<std::string> characters);
  /// a to z = 0 to 25, <start> = 26, <pad> = 27, as in the annotated encoder-decoder.
  static Vocabulary annotated();
  /// Parses the output of toJson(). Throws Error.
  static Vocabulary fromJson(std::string_view json);
  /// {"tokens": [...], "start": id, "pad": id}, and "unknown": id if there is one.
  std::string toJson() const;

  std::int64_t size() const { return std::ssize(tokens()); }
  const std::vector<std::string>& tokens() const;
  const std::string& token(std::int32_t id) const;
  std::int32_t start() const { return specials().start; }
  std::int32_t pad() const { return specials().pad; }
  std::int32_t unknown() const { return specials().unknown; }
  bool isSpecial(std::int32_t id) const { return id == start() || id == pad() || id == unknown(); }
  /// The id of a token, or -1.
  std::int32_t find(std::string_view token) const;

  /// Encodes each character. Throws Error naming the first unknown character, its position and the
  /// known ones, or if the text is not UTF-8.
  Ids encode(std::string_view text) const;
  /// Like encode(), but reports unknown characters instead of throwing.
  PartialEncoding encodeKnown(std::string_view text) const;
  /// The concatenated tokens up to the first pad, without the start token.
  std::string decode(std::span<const std::int32_t> ids) const;

  /// A printable name for axes and tables: ␣ for a space, also before a word, ⏎ for a newline, ⇥
  /// for a tab, · for a pad, <start>, and the code point (U+0007) for other control characters.
  std::string label(std::int32_t id) const;
  /// The characters that can be encoded, for messages: "␣ . 0-9 a-z".
  std::string describe() const;

  bool operator==(const Vocabulary& other) const;

 private:
  struct Table;
  Specials specials() const;

  std::shared_ptr<const Table> table_;  // shared by copies; null: no tokens
};

/// The distinct characters of all texts, sorted by code point. Throws Error if a text is not UTF-8.
std::vector<std::string> charactersOf(std::span<const std::string> texts);

}  // namespace tfm::data
