// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/normalizer.h"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/pipeline/pattern.h"
#include "core/data/tokenizer/pipeline/precompiled_map.h"
#include "core/data/tokenizer/pipeline/step_reader.h"
#include "core/data/unicode.h"
#include "core/io/base64.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using io::ObjectReader;

template <UnicodeForm kForm>
Normalizer normalizeUnicodeForm(ObjectReader&) {
  return [](const std::string& text) { return normalized(text, kForm); };
}

/// One character at a time: a final Σ is σ, and İ the only one with two.
std::string lowered(const std::string& text) {
  std::string result;
  for (const char32_t character : io::decodeUtf8(text, "text")) {
    const char32_t lower = lowerCase(character);
    result += character == 0x130 ? "i\u0307" : io::encodeUtf8({&lower, 1});
  }
  return result;
}

std::string withoutMarks(const std::string& text) {
  std::u32string characters = io::decodeUtf8(text, "text");
  std::erase_if(characters, isNonspacingMark);
  return io::encodeUtf8(characters);
}

Normalizer normalizeStrip(ObjectReader& settings) {
  const bool left = settings.get("strip_left", true), right = settings.get("strip_right", true);
  return [left, right](const std::string& text) {
    const std::u32string all = io::decodeUtf8(text, "text");
    auto begin = all.begin(), end = all.end();
    while (left && begin != end && isWhiteSpace(*begin)) ++begin;
    while (right && begin != end && isWhiteSpace(*(end - 1))) --end;
    return io::encodeUtf8({begin, end});
  };
}

Normalizer normalizeReplace(ObjectReader& settings) {
  const nlohmann::json* pattern = settings.child("pattern");
  return [search =
              Pattern::fromJson(pattern == nullptr ? nlohmann::json() : *pattern, settings.where()),
          by = settings.get<std::string>("content", "")](const std::string& text) {
    return search.replaced(text, by);
  };
}

Normalizer normalizePrepend(ObjectReader& settings) {
  return [first = settings.get<std::string>("prepend", "")](const std::string& text) {
    return text.empty() ? text : first + text;
  };
}

Normalizer normalizeBert(ObjectReader& settings) {
  const bool clean = settings.get("clean_text", true);
  if (!clean) settings.throwInvalid("clean_text", "true");
  TextRules rules;
  rules.split_ideographs = settings.get("handle_chinese_chars", true);
  rules.lower_case = settings.get("lowercase", true);
  const nlohmann::json* accents = settings.child("strip_accents");
  rules.strip_accents = accents == nullptr || accents->is_null()
                            ? rules.lower_case
                            : settings.get("strip_accents", true);
  return [rules](const std::string& text) {
    std::u32string spaced;
    for (const char32_t character : io::decodeUtf8(foldedText(text, rules))) {
      const bool apart = rules.split_ideographs && isIdeograph(character);
      spaced += apart ? std::u32string{U' ', character, U' '} : std::u32string{character};
    }
    return io::encodeUtf8(spaced);
  };
}

Normalizer normalizePrecompiled(ObjectReader& settings) {
  const auto map = std::make_shared<const PrecompiledMap>(
      io::fromBase64(settings.get<std::string>("precompiled_charsmap", ""), settings.where()),
      settings.where());
  return [map](const std::string& text) { return map->rewritten(text); };
}

Normalizer normalizeSequence(ObjectReader& settings) {
  return [steps = readSteps(settings, "normalizers", normalizerFrom)](std::string text) {
    for (const Normalizer& step : steps) text = step(std::move(text));
    return text;
  };
}

constexpr std::array kNormalizers{
    StepKind<Normalizer>{"Sequence", normalizeSequence},
    StepKind<Normalizer>{"NFC", normalizeUnicodeForm<UnicodeForm::C>},
    StepKind<Normalizer>{"NFD", normalizeUnicodeForm<UnicodeForm::D>},
    StepKind<Normalizer>{"NFKC", normalizeUnicodeForm<UnicodeForm::KC>},
    StepKind<Normalizer>{"NFKD", normalizeUnicodeForm<UnicodeForm::KD>},
    StepKind<Normalizer>{"Lowercase", [](ObjectReader&) -> Normalizer { return lowered; }},
    StepKind<Normalizer>{"StripAccents", [](ObjectReader&) -> Normalizer { return withoutMarks; }},
    StepKind<Normalizer>{"Strip", normalizeStrip},
    StepKind<Normalizer>{"Replace", normalizeReplace},
    StepKind<Normalizer>{"Prepend", normalizePrepend},
    StepKind<Normalizer>{"BertNormalizer", normalizeBert},
    StepKind<Normalizer>{"Precompiled", normalizePrecompiled},
};

}  // namespace

Normalizer normalizerFrom(const nlohmann::json& object, const std::string& where) {
  if (object.is_null()) return [](std::string text) { return text; };
  return readStep<Normalizer>(kNormalizers, object, where);
}

}  // namespace tfm::data
