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

bool isBertSpace(char32_t character) {
  return character == U'\t' || character == U'\n' || character == U'\r' || isSeparator(character);
}

bool isDropped(char32_t character) {
  return character == 0xFFFD || isControl(character);  // U+0000 is a control character
}

/// Rule 1; white space characters become spaces.
std::u32string kept(std::string_view text) {
  std::u32string characters;
  for (const char32_t character : io::decodeUtf8(text, "text")) {
    const bool white = isBertSpace(character);
    if (white || !isDropped(character)) characters += white ? U' ' : character;
  }
  return characters;
}

/// Rules 1 and 2.
std::u32string folded(std::string_view text, const TextRules& rules = {}) {
  constexpr char32_t kDottedCapitalI = 0x130;  // the only one whose lower case has two characters
  std::u32string characters = kept(text);
  bool ascii = true, dotted = false;
  for (char32_t& character : characters) {
    ascii = ascii && character < 0x80;
    dotted = dotted || character == kDottedCapitalI;
    if (rules.lower_case && (rules.strip_accents || character != kDottedCapitalI))
      character = lowerCase(character);
  }
  if (rules.strip_accents && !ascii) {
    characters = decomposed(characters);
    std::erase_if(characters, isNonspacingMark);
  } else if (rules.lower_case && dotted) {
    for (std::size_t at = 0; (at = characters.find(kDottedCapitalI, at)) != characters.npos;)
      characters.replace(at, 1, U"i\u0307");
  }
  return characters;
}

std::string utf8(char32_t character) { return io::encodeUtf8({&character, 1}); }

/// Calls read() with one piece of a text after the other, so that a long text is not held as code
/// points as a whole. Pieces end before white space, across which no rule looks.
template <class Read>
void forEachPiece(std::string_view text, const Read& read) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  if (text.size() > kPiece) io::requireUtf8(text, "text");  // names the place in the whole text
  while (text.size() > kPiece) {
    const std::size_t end = text.find_first_of(" \n", kPiece);
    if (end == text.npos) break;
    read(text.substr(0, end));
    text.remove_prefix(end);
  }
  read(text);
}

std::vector<std::string> collected(void (*for_each)(std::string_view, const PartVisitor&),
                                   std::string_view text) {
  std::vector<std::string> parts;
  for_each(text, [&parts](std::string part) { parts.push_back(std::move(part)); });
  return parts;
}

}  // namespace

bool isIdeograph(char32_t character) {
  return std::any_of(kIdeographs.begin(), kIdeographs.end(),
                     [character](const Range& range) { return range.has(character); });
}

bool standsAlone(char32_t character, bool split_ideographs) {
  if (character >= 0x80)
    return isPunctuation(character) || (split_ideographs && isIdeograph(character));
  const char32_t lower = character | 0x20;
  const bool letter = lower >= U'a' && lower <= U'z';
  const bool digit = character >= U'0' && character <= U'9';
  return character > U' ' && character < 0x7F && !letter && !digit;
}

std::string foldedText(std::string_view text, const TextRules& rules) {
  return io::encodeUtf8(folded(text, rules));
}

void splitWords(std::string_view text, const PartVisitor& visit) { splitWordsBy({}, text, visit); }

void splitWordsBy(const TextRules& rules, std::string_view text, const PartVisitor& visit) {
  std::u32string word;
  const auto endWord = [&] {
    if (!word.empty()) visit(io::encodeUtf8(word));
    word.clear();
  };
  forEachPiece(text, [&](std::string_view piece) {
    for (const char32_t character : folded(piece, rules)) {
      if (character == U' ') {
        endWord();
      } else if (standsAlone(character, rules.split_ideographs)) {
        endWord();
        visit(utf8(character));
      } else {
        word += character;
      }
    }
  });
  endWord();
}

void splitSpacedWords(std::string_view text, const PartVisitor& visit) {
  std::u32string word;  // perhaps only the space before it
  bool any = false;
  const auto endWord = [&] {
    if (word.empty() || word == U" ") return;
    visit(io::encodeUtf8(std::exchange(word, {})));
    any = true;
  };
  forEachPiece(text, [&](std::string_view piece) {
    for (const char32_t character : kept(piece)) {
      const bool space = character == U' ', alone = standsAlone(character);
      if (space || alone) endWord();
      if (!space || (word.empty() && any)) word += character;
      if (alone) endWord();
    }
  });
  endWord();
}

void splitCharacters(std::string_view text, const PartVisitor& visit) {
  bool gap = false, any = false;
  forEachPiece(text, [&](std::string_view piece) {
    for (const char32_t character : folded(piece)) {
      if (character == U' ') {
        gap = true;
        continue;
      }
      if (gap && any) visit(" ");
      gap = false;
      any = true;
      visit(utf8(character));
    }
  });
}

std::vector<std::string> basicWords(std::string_view text) { return collected(splitWords, text); }

std::vector<std::string> spacedWords(std::string_view text) {
  return collected(splitSpacedWords, text);
}

std::vector<std::string> basicCharacters(std::string_view text) {
  return collected(splitCharacters, text);
}

}  // namespace tfm::data
