// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/tokenizer_json.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/data/tokenizer/wordpiece.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/text_file.h"

namespace tfm::data {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxIds = 10'000'000;

/// Of a tokenizer_config.json or tokenizer.json: where it comes from, and how texts are cut and
/// padded unless the caller says so, who then does.
constexpr std::array kHarmless{"backend",
                               "cache_dir",
                               "chat_template",
                               "clean_up_tokenization_spaces",
                               "decoder",
                               "errors",
                               "from_slow",
                               "init_inputs",
                               "is_local",
                               "local_files_only",
                               "max_length",
                               "model_input_names",
                               "name_or_path",
                               "pad_to_multiple_of",
                               "pad_token_type_id",
                               "padding",
                               "processor_class",
                               "revision",
                               "spaces_between_special_tokens",
                               "special_tokens_map_file",
                               "stride",
                               "tokenizer_file",
                               "transformers_version",
                               "truncation",
                               "truncation_strategy",
                               "trust_remote_code",
                               "use_fast",
                               "version",
                               "vocab_file"};

const json& needed(io::ObjectReader& reader, const char* name, const char* expected) {
  const json* member = reader.child(name);
  if (member == nullptr || !member->is_object())
    throw Error("'" + std::string(name) + "' is " +
                    (member == nullptr ? "missing" : member->dump().substr(0, 60)),
                reader.where(), "Expected: " + std::string(expected));
  return *member;
}

void requireType(io::ObjectReader& reader, const char* expected) {
  if (reader.get<std::string>("type", "") == expected) return;
  if (reader.child("type") != nullptr) reader.throwInvalid("type", expected);
  throw Error("'type' is missing", reader.where(), "Expected: " + std::string(expected));
}

void readNormalizer(const json& object, const std::string& where, TokenizerJson& read) {
  io::ObjectReader reader(object, where);
  requireType(reader, "BertNormalizer");
  if (!reader.get("clean_text", true)) reader.throwInvalid("clean_text", "true");
  read.split_ideographs = reader.get("handle_chinese_chars", true);
  read.lower_case = reader.get("lowercase", true);
  const json* strip = reader.child("strip_accents");
  const bool as_case = strip == nullptr || strip->is_null();
  read.strip_accents = as_case ? read.lower_case : reader.get("strip_accents", true);
  refuseOtherSettings(reader);
}

void readPreTokenizer(const json& object, const std::string& where) {
  io::ObjectReader reader(object, where);
  requireType(reader, "BertPreTokenizer");
  refuseOtherSettings(reader);
}

void readVocabulary(io::ObjectReader& reader, TokenizerJson& read) {
  const json& vocabulary = needed(reader, "vocab", "an object of tokens with their ids");
  for (const auto& [token, id] : vocabulary.items()) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= std::uint64_t(kMaxIds))
      throw Error("the token " + io::inQuotes(token) + " has the id " + id.dump().substr(0, 60),
                  reader.where() + ", vocab", "Expected: a whole number from 0");
    const auto place = id.get<std::size_t>();
    if (place >= read.tokens.size()) read.tokens.resize(place + 1);
    if (!read.tokens[place].empty())
      throw Error(io::inQuotes(read.tokens[place]) + " and " + io::inQuotes(token) +
                      " have the same id, " + std::to_string(place),
                  reader.where() + ", vocab", "Give each token another id");
    read.tokens[place] = token;
  }
}

void readModel(const json& object, const std::string& where, TokenizerJson& read) {
  io::ObjectReader reader(object, where);
  const bool old = object.contains("continuing_subword_prefix");  // such files have no type
  if (!old || object.contains("type")) requireType(reader, "WordPiece");
  if (reader.get<std::string>("continuing_subword_prefix", std::string(kContinuation)) !=
      kContinuation)
    reader.throwInvalid("continuing_subword_prefix", std::string(kContinuation));
  const std::vector<io::Field> fields{{"max_input_chars_per_word", "Characters of the longest word",
                                       io::IntegerSlot{&read.longest_word, 1, 1'000'000}}};
  reader.readFields(fields);
  io::checkFields(fields, where);
  read.unknown = reader.get<std::string>("unk_token", "[UNK]");
  readVocabulary(reader, read);
  refuseOtherSettings(reader);
}

/// {"SpecialToken": {"id": "[CLS]", "type_id": 0}} and the like, or nullopt.
std::optional<std::string> pieceOf(const json& item, const char* kind) {
  if (!item.is_object() || item.size() != 1 || !item.contains(kind)) return std::nullopt;
  const json& piece = item[kind];
  if (!piece.is_object() || !piece.contains("id") || !piece["id"].is_string()) return std::nullopt;
  return piece["id"].get<std::string>();
}

/// ["[SEP]", 3]
std::optional<AddedToken> namedId(const json* pair) {
  if (pair == nullptr || !pair->is_array() || pair->size() != 2) return std::nullopt;
  const json &name = (*pair)[0], &id = (*pair)[1];
  if (!name.is_string() || !id.is_number_unsigned()) return std::nullopt;
  return AddedToken{.content = name.get<std::string>(), .id = id.get<std::int64_t>()};
}

/// The ids that a template has for one of its special tokens: a single one.
std::optional<AddedToken> templateToken(const json& tokens, const std::string& name) {
  if (!tokens.is_object() || !tokens.contains(name) || !tokens[name].is_object())
    return std::nullopt;
  const json ids = tokens[name].value("ids", json());
  if (!ids.is_array() || ids.size() != 1 || !ids[0].is_number_unsigned()) return std::nullopt;
  return AddedToken{.content = name, .id = ids[0].get<std::int64_t>()};
}

void readPostProcessor(const json& object, const std::string& where, TokenizerJson& read) {
  io::ObjectReader reader(object, where);
  std::optional<AddedToken> first, last;
  if (reader.get<std::string>("type", "") == "BertProcessing") {
    first = namedId(reader.child("cls"));
    last = namedId(reader.child("sep"));
  } else {
    requireType(reader, "TemplateProcessing");
    const json *single = reader.child("single"), *tokens = reader.child("special_tokens");
    reader.child("pair");
    if (single != nullptr && single->is_array() && single->size() == 3 && tokens != nullptr &&
        pieceOf((*single)[1], "Sequence")) {
      if (const auto name = pieceOf((*single)[0], "SpecialToken"))
        first = templateToken(*tokens, *name);
      if (const auto name = pieceOf((*single)[2], "SpecialToken"))
        last = templateToken(*tokens, *name);
    }
  }
  if (!first || !last)
    throw Error("it does not put one token before a text and one after it", where,
                "Only BERT's [CLS] text [SEP] is read");
  refuseOtherSettings(reader);
  read.first = *first;
  read.last = *last;
}

}  // namespace

AddedToken addedTokenFrom(const json& entry, const std::string& where) {
  io::ObjectReader reader(entry, where);
  AddedToken token;
  token.content = reader.get<std::string>("content", "");
  if (token.content.empty())
    throw Error("an added token has no content", where, "Remove it or name it");
  token.id = reader.get<std::int64_t>("id", -1);
  token.special = reader.get("special", false);
  token.normalized = reader.get("normalized", !token.special);
  if (reader.get("single_word", false)) reader.throwInvalid("single_word", "false");
  for (const char* name : {"lstrip", "rstrip", "__type"}) reader.child(name);  // white space
  refuseOtherSettings(reader);
  return token;
}

void refuseOtherSettings(io::ObjectReader& reader) {
  for (const char* name : kHarmless) reader.child(name);
  reader.refuseUnknown("this setting is not read",
                       "If no token depends on it, remove it from the file");
}

TokenizerJson readTokenizerJson(const std::filesystem::path& path) {
  const std::string where = path.string();
  const json object = io::parseJson(io::readTextFile(path, kMaxTokenizerBytes), where);
  io::ObjectReader reader(object, where);
  TokenizerJson read;
  readNormalizer(needed(reader, "normalizer", "BertNormalizer"), where + ", normalizer", read);
  readPreTokenizer(needed(reader, "pre_tokenizer", "BertPreTokenizer"), where + ", pre_tokenizer");
  readPostProcessor(needed(reader, "post_processor", "TemplateProcessing or BertProcessing"),
                    where + ", post_processor", read);
  readModel(needed(reader, "model", "WordPiece"), where + ", model", read);
  if (const json* added = reader.child("added_tokens"); added != nullptr && !added->is_null()) {
    if (!added->is_array()) reader.throwInvalid("added_tokens", "a list of tokens");
    for (const json& entry : *added)
      read.added.push_back(addedTokenFrom(entry, where + ", added_tokens"));
  }
  refuseOtherSettings(reader);
  return read;
}

}  // namespace tfm::data
