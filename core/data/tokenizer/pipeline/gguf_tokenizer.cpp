// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/gguf_tokenizer.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/data/tokenizer/pipeline/byte_letters.h"
#include "core/data/tokenizer/pipeline/sentence_piece.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

using nlohmann::json;

/// What a "pre" stands for, in the words of a tokenizer.json.
struct PreName {
  const char* name;
  const char* normalizer;
  const char* pre_tokenizer;
  bool ignore_merges = false;
};
constexpr const char* kPlain = R"({"type": "ByteLevel", "add_prefix_space": false})";
constexpr const char* kDigits = R"({"type": "Sequence", "pretokenizers": [
  {"type": "Digits", "individual_digits": true},
  {"type": "ByteLevel", "add_prefix_space": false}]})";
constexpr const char* kLlama3 = R"({"type": "Sequence", "pretokenizers": [
  {"type": "Split", "behavior": "Isolated", "pattern": {"Regex":
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},
  {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})";
constexpr const char* kQwen2 = R"({"type": "Sequence", "pretokenizers": [
  {"type": "Split", "behavior": "Isolated", "pattern": {"Regex":
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"}},
  {"type": "ByteLevel", "add_prefix_space": false, "use_regex": false}]})";
constexpr std::array kPatterns{PreName{"gpt-2", "null", kPlain}, PreName{"smollm", "null", kDigits},
                               PreName{"llama-bpe", "null", kLlama3, true},
                               PreName{"qwen2", R"({"type": "NFC"})", kQwen2}};

template <class Value>
const Value* valueOf(const io::GgufFile& file, const char* key) {
  const auto found = file.values.find(key);
  return found == file.values.end() ? nullptr : std::get_if<Value>(&found->second);
}

/// "llama": byte pairs of SentencePiece, by the scores of its pieces.
std::string piecesJson(const io::GgufFile& file, const std::vector<std::string>& tokens,
                       const std::string& where) {
  const auto* scores = valueOf<std::vector<double>>(file, "tokenizer.ggml.scores");
  const auto* types = valueOf<std::vector<std::int64_t>>(file, "tokenizer.ggml.token_type");
  if (scores == nullptr || types == nullptr || scores->size() != tokens.size() ||
      types->size() != tokens.size())
    throw Error("the tokens have no scores or types", where,
                "Expected tokenizer.ggml.scores and tokenizer.ggml.token_type");
  SentencePieces model{.pieces = {}, .unigram = false, .rewriting = {}};
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const std::int64_t type = (*types)[id];
    if (type < 1 || type > 6)
      throw Error("the token " + io::inQuotes(tokens[id]) + " has the type " + std::to_string(type),
                  where, "Expected 1 to 6");
    model.pieces.push_back({tokens[id], (*scores)[id], SentencePieces::Type(type)});
  }
  const auto flag = [&](const char* key, bool usual) {
    const auto* value = valueOf<bool>(file, key);
    return value == nullptr ? usual : *value;
  };
  model.begins_with_space = flag("tokenizer.ggml.add_space_prefix", true);
  model.collapses_spaces = flag("tokenizer.ggml.remove_extra_whitespaces", false);
  const auto around = [&](const char* wanted, bool usual, const char* key) {
    const auto* id = valueOf<std::int64_t>(file, key);
    const bool there = id != nullptr && *id >= 0 && *id < std::ssize(tokens);
    return flag(wanted, usual) && there ? Ids{std::int32_t(*id)} : Ids();
  };
  return sentencePieceJson(
      model, around("tokenizer.ggml.add_bos_token", true, "tokenizer.ggml.bos_token_id"),
      around("tokenizer.ggml.add_eos_token", false, "tokenizer.ggml.eos_token_id"));
}

}  // namespace

std::string ggufTokenizerJson(const io::GgufFile& file, const std::string& where) {
  const auto* model = valueOf<std::string>(file, "tokenizer.ggml.model");
  const auto* pre = valueOf<std::string>(file, "tokenizer.ggml.pre");
  const auto* tokens = valueOf<std::vector<std::string>>(file, "tokenizer.ggml.tokens");
  const auto* merges = valueOf<std::vector<std::string>>(file, "tokenizer.ggml.merges");
  const auto* types = valueOf<std::vector<std::int64_t>>(file, "tokenizer.ggml.token_type");
  if (model != nullptr && *model == "llama" && tokens != nullptr)
    return piecesJson(file, *tokens, where);
  if (model == nullptr || *model != "gpt2" || tokens == nullptr || merges == nullptr)
    throw Error(
        "tokenizer.ggml.model is " + (model == nullptr ? "missing" : io::inQuotes(*model)), where,
        "Expected \"gpt2\", byte pairs, with tokens and merges, or \"llama\", SentencePiece");
  const std::string name = pre == nullptr ? "" : *pre;
  const auto pattern = std::ranges::find(kPatterns, name, &PreName::name);
  if (pattern == kPatterns.end())
    throw Error("tokenizer.ggml.pre is " + io::inQuotes(name), where,
                "Expected gpt-2, smollm, llama-bpe or qwen2");
  constexpr std::int64_t kNormal = 1;
  json vocabulary = json::object(), added = json::array();
  for (std::size_t id = 0; id < tokens->size(); ++id) {
    const std::string& token = (*tokens)[id];
    if (!vocabulary.emplace(token, id).second)
      throw Error("the token " + io::inQuotes(token) + " is there twice", where,
                  "Copy the file again");
    if (types != nullptr && id < types->size() && (*types)[id] != kNormal)
      added.push_back({{"id", id}, {"content", token}, {"special", true}});
  }
  json result{{"added_tokens", std::move(added)},
              {"normalizer", json::parse(pattern->normalizer)},
              {"pre_tokenizer", json::parse(pattern->pre_tokenizer)},
              {"decoder", json::parse(kPlain)},
              {"model",
               {{"type", "BPE"},
                {"ignore_merges", pattern->ignore_merges},
                {"vocab", std::move(vocabulary)},
                {"merges", *merges}}}};
  const auto* begins = valueOf<bool>(file, "tokenizer.ggml.add_bos_token");
  const auto* first = valueOf<std::int64_t>(file, "tokenizer.ggml.bos_token_id");
  if (begins != nullptr && *begins && first != nullptr && *first >= 0)
    result["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", json::parse(R"([{"SpecialToken": {"id": "first", "type_id": 0}},
                                   {"Sequence": {"id": "A", "type_id": 0}}])")},
        {"special_tokens", {{"first", {{"id", "first"}, {"ids", {*first}}}}}}};
  return result.dump();
}

namespace {

constexpr std::int64_t kNormalToken = 1, kControlToken = 3, kUserToken = 4, kUnusedToken = 5;

/// A step without the settings that have their usual values.
json plainStep(json step) {
  if (step.is_array())
    for (json& one : step) one = plainStep(one);
  if (!step.is_object()) return step;
  step.erase("trim_offsets");
  for (const auto& [name, usual] : {std::pair("use_regex", true), {"invert", false}})
    if (step.contains(name) && step[name] == usual) step.erase(name);
  for (auto& [name, value] : step.items()) value = plainStep(value);
  for (const char* list : {"pretokenizers", "normalizers"})
    if (step.contains(list) && step[list].size() == 1) return step[list][0];
  return step;
}

[[noreturn]] void throwNoName() {
  throw Error("GGUF files have no name for this tokenizer", "tokenizer",
              "Expected byte pairs with the patterns of GPT-2, SmolLM, Llama 3 or Qwen2, or single "
              "characters of ASCII: export the model in another format");
}

/// The "pre" of a tokenizer.json of byte letters.
const char* preOf(const json& file) {
  const auto part = [&](const char* name) { return plainStep(file.value(name, json())); };
  const bool whole_first = file.at("model").value("ignore_merges", false);
  for (const PreName& pattern : kPatterns)
    if (part("normalizer") == plainStep(json::parse(pattern.normalizer)) &&
        part("pre_tokenizer") == plainStep(json::parse(pattern.pre_tokenizer)) &&
        whole_first == pattern.ignore_merges)
      return pattern.name;
  throwNoName();
}

bool isAscii(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char byte) { return byte < 0x80; });
}

/// Whether each token is a character.
bool isOfCharacters(const json& file) {
  const json& model = file.at("model");
  return model.at("merges").empty() && file.value("pre_tokenizer", json()).is_null() &&
         file.value("normalizer", json()).is_null();
}

}  // namespace

std::map<std::string, io::GgufValue> ggufTokenizerValues(const std::string& tokenizer_json,
                                                         std::int64_t rows,
                                                         const GgufRoles& roles) {
  const json file = json::parse(tokenizer_json);
  const json& model = file.at("model");
  if (model.value("type", "") != "BPE") throwNoName();
  const bool characters = isOfCharacters(file);
  const std::string pre = characters ? "gpt-2" : preOf(file);
  std::vector<std::string> tokens;
  for (std::int64_t id = 0; id < rows; ++id) tokens.push_back(rowWithoutToken(id));
  std::vector<std::int64_t> types(tokens.size(), kUnusedToken);
  for (const auto& [name, id] : model.at("vocab").items()) {
    tokens.at(id.get<std::size_t>()) = characters ? byteLetters(name) : name;
    types.at(id.get<std::size_t>()) = kNormalToken;
  }
  for (const json& token : file.at("added_tokens")) {
    const auto id = token.at("id").get<std::size_t>();
    tokens.at(id) = token.at("content").get<std::string>();
    types.at(id) = token.value("special", false) ? kControlToken : kUserToken;
  }
  if (characters)
    for (const auto& [name, id] : model.at("vocab").items())
      if (!isAscii(name) && types.at(id.get<std::size_t>()) == kNormalToken) throwNoName();
  std::vector<std::string> merges;
  for (const json& merge : model.at("merges"))
    merges.push_back(merge.is_string()
                         ? merge.get<std::string>()
                         : merge.at(0).get<std::string>() + " " + merge.at(1).get<std::string>());
  std::map<std::string, io::GgufValue> values{{"tokenizer.ggml.model", std::string("gpt2")},
                                              {"tokenizer.ggml.pre", pre},
                                              {"tokenizer.ggml.tokens", std::move(tokens)},
                                              {"tokenizer.ggml.token_type", std::move(types)},
                                              {"tokenizer.ggml.merges", std::move(merges)},
                                              {"tokenizer.ggml.add_bos_token", roles.first >= 0},
                                              {"tokenizer.ggml.add_eos_token", false}};
  const auto add = [&](const char* key, std::int32_t id) {
    if (id >= 0) values[key] = std::int64_t(id);
  };
  add("tokenizer.ggml.bos_token_id", roles.first);
  add("tokenizer.ggml.padding_token_id", roles.pad);
  if (!roles.ends.empty()) add("tokenizer.ggml.eos_token_id", roles.ends.front());
  if (roles.ends.size() > 1) add("tokenizer.ggml.eot_token_id", roles.ends[1]);
  return values;
}

Ids ggufEnds(const io::GgufFile& file, std::int64_t rows) {
  Ids ends;
  for (const char* key : {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"})
    if (const auto* id = valueOf<std::int64_t>(file, key); id != nullptr && *id >= 0 && *id < rows)
      ends.push_back(std::int32_t(*id));
  return ends;
}

}  // namespace tfm::data
