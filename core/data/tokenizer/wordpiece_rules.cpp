// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/wordpiece_rules.h"

#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"

namespace tfm::data {
namespace {

constexpr const char* kNames = "named_tokens";
constexpr const char* kFoldedNames = "folded_tokens";

std::vector<io::Field> fieldsOf(WordPieceRules& rules) {
  using io::SwitchSlot;
  constexpr std::int64_t kLongest = 1'000'000;
  return {
      {"lower_case", "Texts are read in lower case", SwitchSlot{&rules.text.lower_case}},
      {"strip_accents", "Texts are read without accents", SwitchSlot{&rules.text.strip_accents}},
      {"split_ideographs", "CJK ideographs are words of one character each",
       SwitchSlot{&rules.text.split_ideographs}},
      {"longest_word", "Characters of the longest word that is not unknown",
       io::IntegerSlot{&rules.longest_word, 1, kLongest}}};
}

void readNames(io::ObjectReader& reader, const char* field, bool folded,
               std::vector<NamedToken>& named) {
  const nlohmann::json* names = reader.child(field);
  if (names == nullptr) return;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (!names->is_object()) reader.throwInvalid(field, "an object of names with their ids");
  for (const auto& [name, id] : names->items()) {
    if (name.empty() || !id.is_number_unsigned() || id.get<std::uint64_t>() > kMost)
      reader.throwInvalid(field, "an object of names with their ids");
    named.push_back({name, id.get<std::int32_t>(), folded});
  }
}

}  // namespace

std::string toJson(const WordPieceRules& rules) {
  if (rules == WordPieceRules{}) return {};
  WordPieceRules copy = rules;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  io::writeFields(fieldsOf(copy), json);
  std::map<std::string, std::map<std::string, std::int32_t>> names;  // in one order
  for (const NamedToken& token : rules.named)
    names[token.folded ? kFoldedNames : kNames][token.name] = token.id;
  json.update(nlohmann::ordered_json(names));
  return json.dump();
}

WordPieceRules wordPieceRulesFromJson(std::string_view json, const std::string& where) {
  if (json.empty()) return {};
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  WordPieceRules rules;
  const std::vector<io::Field> fields = fieldsOf(rules);
  reader.readFields(fields);
  io::checkFields(fields, where);
  readNames(reader, kNames, false, rules.named);
  readNames(reader, kFoldedNames, true, rules.named);
  reader.refuseUnknown();
  return rules;
}

}  // namespace tfm::data
