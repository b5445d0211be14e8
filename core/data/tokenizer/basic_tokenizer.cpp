// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/basic_tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/data/unicode.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

struct Range {
  char32_t first;
  char32_t last;
  bool has(char32_t character) const { return character >= first && character <= last; }
};

/// "CJK characters" of the released code: unified and compatibility ideographs, not the Japanese
/// and Korean alphabets.
constexpr std::array<Range, 8> kIdeographs{{{0x3400, 0x4DBF},
                                            {0x4E00, 0x9FFF},
                                            {0xF900, 0xFAFF},
                                            {0x20000, 0x2A6DF},
                                            {0x2A700, 0x2B73F},
                                            {0x2B740, 0x2B81F},
                                            {0x2B820, 0x2CEAF},
                                            {0x2F800, 0x2FA1F}}};

bool isIdeograph(char32_t character) {
  return std::any_of(kIdeographs.begin(), kIdeographs.end(),
                     [character](const Range& range) { return range.has(character); });
}

bool isWhiteSpace(char32_t character) {
  return character == U'\t' || character == U'\n' || character == U'\r' || isSeparator(character);
}

bool isDropped(char32_t character) {
  return character == 0xFFFD || isControl(character);  // U+0000 is a control character
}

/// Whether a character is a word of its own.
bool standsAlone(char32_t character) {
  if (character >= 0x80) return isPunctuation(character) || isIdeograph(character);
  const char32_t lower = character | 0x20;
  const bool letter = lower >= U'a' && lower <= U'z';
  const bool digit = character >= U'0' && character <= U'9';
  return character > U' ' && !letter && !digit;
}

/// Rule 1; white space characters become spaces.
std::u32string kept(std::string_view text) {
  std::u32string characters;
  for (const char32_t character : io::decodeUtf8(text, "text")) {
    const bool white = isWhiteSpace(character);
    if (white || !isDropped(character)) characters += white ? U' ' : character;
  }
  return characters;
}

/// Rules 1 and 2.
std::u32string folded(std::string_view text) {
  std::u32string characters = kept(text);
  bool ascii = true;
  for (char32_t& character : characters) {
    ascii = ascii && character < 0x80;
    character = lowerCase(character);
  }
  if (ascii) return characters;
  characters = decomposed(characters);
  std::erase_if(characters, isNonspacingMark);
  return characters;
}

std::string utf8(char32_t character) { return io::encodeUtf8({&character, 1}); }

}  // namespace

std::vector<std::string> basicWords(std::string_view text) {
  std::vector<std::string> words;
  std::u32string word;
  const auto endWord = [&] {
    if (!word.empty()) words.push_back(io::encodeUtf8(word));
    word.clear();
  };
  for (const char32_t character : folded(text)) {
    if (character == U' ') {
      endWord();
    } else if (standsAlone(character)) {
      endWord();
      words.push_back(utf8(character));
    } else {
      word += character;
    }
  }
  endWord();
  return words;
}

std::vector<std::string> spacedWords(std::string_view text) {
  std::vector<std::string> words;
  std::u32string word;  // perhaps only the space before it
  const auto endWord = [&] {
    if (!word.empty() && word != U" ") words.push_back(io::encodeUtf8(std::exchange(word, {})));
  };
  for (const char32_t character : kept(text)) {
    const bool space = character == U' ', alone = standsAlone(character);
    if (space || alone) endWord();
    if (!space || (word.empty() && !words.empty())) word += character;
    if (alone) endWord();
  }
  endWord();
  return words;
}

std::vector<std::string> basicCharacters(std::string_view text) {
  std::vector<std::string> characters;
  bool gap = false;
  for (const char32_t character : folded(text)) {
    if (character == U' ') {
      gap = true;
      continue;
    }
    if (gap && !characters.empty()) characters.emplace_back(" ");
    gap = false;
    characters.push_back(utf8(character));
  }
  return characters;
}

}  // namespace tfm::data
