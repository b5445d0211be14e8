// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/vocabulary.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

constexpr std::string_view kWhere = "vocabulary";
constexpr const char* kOneALine = "Write each token once, one per line, without empty lines";
constexpr const char* kIdsExpected = "Expected distinct token ids, or -1 for none";

std::string printable(char32_t character) {
  switch (character) {
    case U' ':
      return "␣";
    case U'\n':
      return "⏎";
    case U'\t':
      return "⇥";
    default:
      break;
  }
  const bool control = character < 0x20 || (character >= 0x7F && character < 0xA0);
  if (!control) return io::encodeUtf8(std::u32string(1, character));
  char name[8];
  std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(character));
  return name;
}

/// Whether two characters may be part of a range: consecutive letters or digits. Ranges of
/// punctuation would not be understood.
bool follows(char32_t character, char32_t next) {
  const auto isAsciiWord = [](char32_t c) {
    return (c >= U'0' && c <= U'9') || (c >= U'A' && c <= U'Z') || (c >= U'a' && c <= U'z');
  };
  if (next != character + 1) return false;
  return character >= 0xC0 || (isAsciiWord(character) && isAsciiWord(next));
}

std::int32_t specialId(const nlohmann::json& json, const char* field) {
  const auto found = json.find(field);
  if (found == json.end()) return -1;
  // As a double, since comparing JSON numbers treats 2^64-1 as -1.
  const double value = found->is_number_integer() ? found->get<double>() : -2;
  if (value < -1 || value > INT32_MAX)
    throw Error(
        std::string(field) + " is " + io::shortened(found->dump(), 60) + ", not the id of a token",
        std::string(kWhere), kIdsExpected);
  return found->get<std::int32_t>();
}

}  // namespace

struct Vocabulary::Table {
  struct TextHash {
    using is_transparent = void;  // look up without a std::string
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  std::vector<std::string> tokens;
  Specials specials;
  std::unordered_map<std::string_view, std::int32_t, TextHash, std::equal_to<>> ids;  // of `tokens`
  std::unordered_map<char32_t, std::int32_t> characters;  // tokens of a single character

  std::int32_t idOf(char32_t character) const {
    const auto found = characters.find(character);
    return found == characters.end() ? -1 : found->second;
  }
};

Vocabulary::Vocabulary(std::vector<std::string> tokens, Specials specials) {
  const auto table = std::make_shared<Table>();
  table->tokens = std::move(tokens);
  table->specials = specials;
  table_ = table;
  if (size() == 0) throw Error("there are no tokens", std::string(kWhere), kOneALine);
  std::set<std::int32_t> taken;
  for (const std::int32_t id : {specials.start, specials.pad, specials.unknown}) {
    if (id < -1 || id >= size())
      throw Error("special id " + std::to_string(id) + " is not one of the " +
                      std::to_string(size()) + " tokens",
                  std::string(kWhere), kIdsExpected);
    // T5 begins answers with its pad.
    const bool both = id == specials.pad && id == specials.start;
    if (id >= 0 && !taken.insert(id).second && !both)
      throw Error("two special tokens are the same token, " + std::to_string(id),
                  std::string(kWhere), kIdsExpected);
  }
  table->ids.reserve(table->tokens.size());
  for (std::int32_t id = 0; id < size(); ++id) {
    const std::string& text = token(id);
    if (text.empty())
      throw Error("token " + std::to_string(id) + " is empty", std::string(kWhere), kOneALine);
    if (!table->ids.emplace(text, id).second)
      throw Error("token " + io::inQuotes(text) + " appears twice", std::string(kWhere), kOneALine);
    io::requireUtf8(text, std::string(kWhere));
    const io::Utf8Character first = io::characterAt(text, 0);
    if (first.length == text.size() && !isSpecial(id))
      table->characters.emplace(first.code_point, id);
  }
}

Vocabulary::Specials Vocabulary::specials() const { return table_ ? table_->specials : Specials(); }

const std::vector<std::string>& Vocabulary::tokens() const {
  static const std::vector<std::string> none;
  return table_ ? table_->tokens : none;
}

bool Vocabulary::operator==(const Vocabulary& other) const {
  return table_ == other.table_ || (tokens() == other.tokens() && specials() == other.specials());
}

Vocabulary Vocabulary::withStartAndPad(std::vector<std::string> characters) {
  const auto count = static_cast<std::int32_t>(characters.size());
  characters.emplace_back("<start>");
  characters.emplace_back("<pad>");
  return {std::move(characters), {.start = count, .pad = count + 1}};
}

Vocabulary Vocabulary::annotated() {
  std::vector<std::string> letters;
  for (char letter = 'a'; letter <= 'z'; ++letter) letters.emplace_back(1, letter);
  return withStartAndPad(std::move(letters));
}

Vocabulary Vocabulary::fromJson(std::string_view text) {
  const nlohmann::json json = io::parseJson(text, std::string(kWhere));
  const bool has_tokens = json.is_object() && json.contains("tokens") && json["tokens"].is_array();
  if (!has_tokens)
    throw Error("there is no list of tokens", std::string(kWhere),
                R"(Expected {"tokens": [...], "start": id, "pad": id, "unknown": id}.)");
  std::vector<std::string> tokens;
  for (const nlohmann::json& token : json["tokens"]) {
    if (!token.is_string())
      throw Error("token " + std::to_string(tokens.size()) + " is not a text", std::string(kWhere),
                  "Expected a JSON list of texts");
    tokens.push_back(token.get<std::string>());
  }
  return {std::move(tokens),
          {.start = specialId(json, "start"),
           .pad = specialId(json, "pad"),
           .unknown = specialId(json, "unknown")}};
}

std::string Vocabulary::toJson() const {
  nlohmann::json json{{"tokens", tokens()}, {"start", start()}, {"pad", pad()}};
  if (unknown() >= 0) json["unknown"] = unknown();
  return json.dump();
}

const std::string& Vocabulary::token(std::int32_t id) const {
  check(id >= 0 && id < size(), "an id of the vocabulary");
  return table_->tokens[static_cast<std::size_t>(id)];
}

std::int32_t Vocabulary::find(std::string_view token) const {
  if (!table_) return -1;
  const auto found = table_->ids.find(token);
  return found == table_->ids.end() ? -1 : found->second;
}

Ids Vocabulary::encode(std::string_view text) const {
  PartialEncoding encoding = encodeKnown(text);
  if (!encoding.unknown.empty()) {
    const std::int64_t position = encoding.unknown.front();
    const char32_t character = io::decodeUtf8(text, "input")[static_cast<std::size_t>(position)];
    throw Error("'" + printable(character) + "' (character " + std::to_string(position + 1) +
                    ") is not in the vocabulary",
                "input", "The vocabulary has " + describe() + ".");
  }
  return std::move(encoding.ids);
}

PartialEncoding Vocabulary::encodeKnown(std::string_view text) const {
  const std::u32string characters = io::decodeUtf8(text, "input");
  PartialEncoding result;
  result.ids.reserve(characters.size());
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const std::int32_t id = table_ ? table_->idOf(characters[i]) : -1;
    if (id < 0)
      result.unknown.push_back(static_cast<std::int64_t>(i));
    else
      result.ids.push_back(id);
  }
  return result;
}

std::string Vocabulary::decode(std::span<const std::int32_t> ids) const {
  std::string text;
  for (const std::int32_t id : ids) {
    if (id == pad()) break;
    if (id != start()) text += token(id);
  }
  return text;
}

std::string Vocabulary::label(std::int32_t id) const {
  if (id == pad()) return "·";
  const std::u32string characters = io::decodeUtf8(token(id));
  const std::size_t first_letter = characters.find_first_not_of(U' ');
  std::string label;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const bool inside = characters[i] == U' ' && i > first_letter;
    label += inside ? " " : printable(characters[i]);
  }
  return label;
}

std::string Vocabulary::describe() const {
  constexpr std::size_t kMaxShown = 40;
  std::vector<char32_t> sorted;
  if (table_)
    for (const auto& [character, id] : table_->characters) sorted.push_back(character);
  std::sort(sorted.begin(), sorted.end());

  std::string text;
  std::size_t shown = 0;
  for (std::size_t first = 0, last = 0; first < sorted.size(); first = last + 1) {
    if (shown++ == kMaxShown)
      return text + " and " + std::to_string(sorted.size() - first) + " more characters";
    last = first;
    while (last + 1 < sorted.size() && follows(sorted[last], sorted[last + 1])) ++last;
    if (last - first < 2) last = first;  // no ranges of two
    if (!text.empty()) text += ' ';
    text += printable(sorted[first]);
    if (last > first) text.append("-").append(printable(sorted[last]));
  }
  return text;
}

std::vector<std::string> charactersOf(std::span<const std::string> texts) {
  std::vector<bool> seen(0x110000);  // every code point
  for (const std::string& text : texts)
    for (const char32_t character : io::decodeUtf8(text)) seen[character] = true;
  std::vector<std::string> characters;
  for (char32_t character = 0; character < seen.size(); ++character)
    if (seen[character]) characters.push_back(io::encodeUtf8(std::u32string_view(&character, 1)));
  return characters;
}

}  // namespace tfm::data
