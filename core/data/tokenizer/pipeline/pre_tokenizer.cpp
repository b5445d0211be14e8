// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/pre_tokenizer.h"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/pipeline/byte_letters.h"
#include "core/data/tokenizer/pipeline/pattern.h"
#include "core/data/tokenizer/pipeline/step_reader.h"
#include "core/data/unicode.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using io::ObjectReader;
using Parts = std::vector<TextPart>;

/// What becomes of the parts of a piece that match.
enum class Behavior { Isolated, Removed, Contiguous, MergedWithPrevious, MergedWithNext };
constexpr std::array kBehaviors{std::pair{"Isolated", Behavior::Isolated},
                                std::pair{"Removed", Behavior::Removed},
                                std::pair{"Contiguous", Behavior::Contiguous},
                                std::pair{"MergedWithPrevious", Behavior::MergedWithPrevious},
                                std::pair{"MergedWithNext", Behavior::MergedWithNext}};

Behavior behaviorFrom(ObjectReader& settings, const char* usual) {
  const auto name = settings.get<std::string>("behavior", usual);
  for (const auto& [known, behavior] : kBehaviors)
    if (name == known) return behavior;
  settings.throwInvalid("behavior",
                        "Isolated, Removed, Contiguous, MergedWithPrevious or MergedWithNext");
}

/// The pieces that the parts of a text make.
Parts joined(const Parts& parts, Behavior behavior) {
  Parts result;
  bool open = false;  // the last part takes the next one in
  for (const TextPart& part : parts) {
    const bool before = !result.empty() && result.back().matches;
    bool joins = false;
    switch (behavior) {
      case Behavior::Isolated:
        break;
      case Behavior::Removed:
        if (part.matches) continue;
        break;
      case Behavior::Contiguous:
        joins = !result.empty() && part.matches == before;
        break;
      case Behavior::MergedWithPrevious:
        joins = part.matches && !result.empty() && !before;
        break;
      case Behavior::MergedWithNext:
        joins = open && !part.matches;
        open = part.matches;
        break;
    }
    if (!joins) {
      result.push_back(part);
      continue;
    }
    result.back().end = part.end;
    result.back().matches = part.matches;
  }
  return result;
}

template <class Cut>
void cutPieces(std::vector<TextPiece>& pieces, const Cut& cut) {
  std::vector<TextPiece> result;
  for (const TextPiece& piece : pieces)
    for (const TextPart& part : cut(piece.text))
      result.push_back(
          {piece.text.substr(part.begin, part.end - part.begin), piece.first && part.begin == 0});
  pieces = std::move(result);
}

/// Cuts at the characters that `matches`, each a match of its own.
template <class Matches>
PreTokenizer byCharacter(Matches matches, Behavior behavior) {
  return [matches, behavior](std::vector<TextPiece>& pieces) {
    cutPieces(pieces, [&](const std::string& text) {
      Parts parts;
      for (std::size_t at = 0; at < text.size();) {
        const io::Utf8Character c = io::characterAt(text, at);
        const bool match = matches(c.code_point);
        if (match || parts.empty() || parts.back().matches) parts.push_back({at, at, match});
        parts.back().end = at += c.length;
      }
      return joined(parts, behavior);
    });
  };
}

PreTokenizer byPattern(Pattern pattern, Behavior behavior, bool invert = false) {
  return [pattern = std::move(pattern), behavior, invert](std::vector<TextPiece>& pieces) {
    cutPieces(pieces, [&](const std::string& text) {
      Parts parts = pattern.parts(text);
      for (TextPart& part : parts) part.matches = part.matches != invert;
      return joined(parts, behavior);
    });
  };
}

PreTokenizer cutSplit(ObjectReader& settings) {
  const nlohmann::json* pattern = settings.child("pattern");
  return byPattern(
      Pattern::fromJson(pattern == nullptr ? nlohmann::json() : *pattern, settings.where()),
      behaviorFrom(settings, ""), settings.get("invert", false));
}

/// The words of GPT-2 (Radford et al. 2019, released code).
constexpr const char* kByteLevelWords =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

PreTokenizer cutByteLevel(ObjectReader& settings) {
  const bool space = settings.get("add_prefix_space", true);
  const bool words = settings.get("use_regex", true);
  settings.child("trim_offsets");  // of places, which are not read
  const PreTokenizer cut =
      words ? byPattern(Pattern::expression(kByteLevelWords, settings.where()), Behavior::Isolated)
            : PreTokenizer();
  return [space, cut](std::vector<TextPiece>& pieces) {
    for (TextPiece& piece : pieces)
      if (space && !piece.text.starts_with(' ')) piece.text.insert(0, 1, ' ');
    if (cut) cut(pieces);
    for (TextPiece& piece : pieces) piece.text = byteLetters(piece.text);
  };
}

PreTokenizer cutDigits(ObjectReader& settings) {
  return byCharacter(isNumeric, settings.get("individual_digits", false) ? Behavior::Isolated
                                                                         : Behavior::Contiguous);
}

PreTokenizer cutMetaspace(ObjectReader& settings) {
  const auto mark = settings.get<std::string>("replacement", "▁");
  // Files before version 0.15 say add_prefix_space instead.
  const bool prefix = settings.get("add_prefix_space", true);
  const auto scheme = settings.get<std::string>("prepend_scheme", prefix ? "always" : "never");
  if (scheme != "always" && scheme != "first" && scheme != "never")
    settings.throwInvalid("prepend_scheme", "always, first or never");
  settings.child("str_rep");
  const bool cuts = settings.get("split", true);
  const PreTokenizer cut = byPattern(Pattern::literal(mark), Behavior::MergedWithNext);
  return [spaces = Pattern::literal(" "), mark, scheme, cuts, cut](std::vector<TextPiece>& pieces) {
    for (TextPiece& piece : pieces) {
      piece.text = spaces.replaced(piece.text, mark);
      const bool prepends = scheme == "always" || (scheme == "first" && piece.first);
      if (prepends && !piece.text.starts_with(mark)) piece.text.insert(0, mark);
    }
    if (cuts) cut(pieces);
  };
}

/// Words and runs of other characters: \w+|[^\w\s]+ of the standard expressions, which know more
/// letters than Oniguruma.
PreTokenizer cutWhitespace(ObjectReader&) {
  return
      [spaces = byCharacter(isWhiteSpace, Behavior::Removed),
       words = byCharacter(isWordCharacter, Behavior::Contiguous)](std::vector<TextPiece>& pieces) {
        spaces(pieces);
        words(pieces);
      };
}

PreTokenizer cutWhitespaceSplit(ObjectReader&) {
  return byCharacter(isWhiteSpace, Behavior::Removed);
}

/// ASCII symbols are punctuation too.
bool isWordOfItsOwn(char32_t character) { return standsAlone(character, false); }

PreTokenizer cutPunctuation(ObjectReader& settings) {
  return byCharacter(isWordOfItsOwn, behaviorFrom(settings, "Isolated"));
}

PreTokenizer cutBertWords(ObjectReader&) {
  return [spaces = byCharacter(isWhiteSpace, Behavior::Removed),
          marks = byCharacter(isWordOfItsOwn, Behavior::Isolated)](std::vector<TextPiece>& pieces) {
    spaces(pieces);
    marks(pieces);
  };
}

PreTokenizer cutSequence(ObjectReader& settings) {
  return [steps = readSteps(settings, "pretokenizers", preTokenizerFrom)](
             std::vector<TextPiece>& pieces) {
    for (const PreTokenizer& step : steps) step(pieces);
  };
}

constexpr std::array kPreTokenizers{
    StepKind<PreTokenizer>{"Sequence", cutSequence},
    StepKind<PreTokenizer>{"ByteLevel", cutByteLevel},
    StepKind<PreTokenizer>{"Split", cutSplit},
    StepKind<PreTokenizer>{"Digits", cutDigits},
    StepKind<PreTokenizer>{"Metaspace", cutMetaspace},
    StepKind<PreTokenizer>{"Whitespace", cutWhitespace},
    StepKind<PreTokenizer>{"WhitespaceSplit", cutWhitespaceSplit},
    StepKind<PreTokenizer>{"Punctuation", cutPunctuation},
    StepKind<PreTokenizer>{"BertPreTokenizer", cutBertWords},
};

}  // namespace

PreTokenizer preTokenizerFrom(const nlohmann::json& object, const std::string& where) {
  if (object.is_null()) return [](std::vector<TextPiece>&) {};
  return readStep<PreTokenizer>(kPreTokenizers, object, where);
}

}  // namespace tfm::data
