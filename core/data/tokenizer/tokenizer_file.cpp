// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/tokenizer_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/data/features/encoder_tokens.h"
#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/data/tokenizer/wordpiece.h"

namespace tfm::data {
namespace {

using Json = nlohmann::ordered_json;

Json addedToken(std::int32_t id, const std::string& name, bool special, bool normalized = false) {
  return {{"id", id},        {"content", name},          {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", normalized}, {"special", special}};
}

/// What is around a text, for the library's post-processor.
struct Template {
  explicit Template(const Vocabulary& of) : vocabulary(of) {}
  Json token(std::int32_t id) {
    const std::string& name = vocabulary.token(id);
    tokens[name] = {{"id", name}, {"ids", {id}}, {"tokens", {name}}};
    return {{"SpecialToken", {{"id", name}, {"type_id", 0}}}};
  }
  static Json text(const char* name, int type) {
    return {{"Sequence", {{"id", name}, {"type_id", type}}}};
  }
  const Vocabulary& vocabulary;
  Json tokens = Json::object();
};

/// Byte pairs of which no pair is merged: the characters.
std::string characterFile(const Vocabulary& vocabulary, const Ids& last) {
  Json added = Json::array(), ids = Json::object(), processor = nullptr;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    ids[vocabulary.token(id)] = id;
    if (vocabulary.isSpecial(id)) added.push_back(addedToken(id, vocabulary.token(id), true));
  }
  if (!last.empty()) {
    Template around(vocabulary);
    Json single = Json::array({Template::text("A", 0)});
    Json pair = Json::array({Template::text("A", 0), Template::text("B", 0)});
    for (const std::int32_t id : last) {
      single.push_back(around.token(id));
      pair.push_back(around.token(id));
    }
    processor = {{"type", "TemplateProcessing"},
                 {"single", std::move(single)},
                 {"pair", std::move(pair)},
                 {"special_tokens", std::move(around.tokens)}};
  }
  return Json{{"version", "1.0"},
              {"truncation", nullptr},
              {"padding", nullptr},
              {"added_tokens", std::move(added)},
              {"normalizer", nullptr},
              {"pre_tokenizer", nullptr},
              {"post_processor", std::move(processor)},
              {"decoder", {{"type", "Fuse"}}},
              {"model", {{"type", "BPE"}, {"vocab", std::move(ids)}, {"merges", Json::array()}}}}
      .dump();
}

/// BERT's pieces; `around`: with [CLS] and [SEP] around each text.
std::string wordPieceFile(const std::string& rules_text, const Vocabulary& vocabulary,
                          bool around) {
  const WordPieceRules rules = wordPieceRulesFromJson(rules_text, "tokenizer");
  Json added = Json::array(), ids = Json::object();
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string& name = vocabulary.token(id);
    ids[name] = id;
    const auto named = std::ranges::find(rules.named, id, &NamedToken::id);
    const bool special = name == kBertSpecials.pad || name == kBertSpecials.unknown ||
                         name == kBertSpecials.first || name == kBertSpecials.last ||
                         name == kMaskToken;
    if (!special && named == rules.named.end()) continue;
    added.push_back(addedToken(id, name, special, named != rules.named.end() && named->folded));
  }
  Json processor = nullptr;
  if (around) {
    Template put(vocabulary);
    const Json cls = put.token(vocabulary.find(kBertSpecials.first)),
               sep = put.token(vocabulary.find(kBertSpecials.last));
    const Json text = Template::text("A", 0);
    processor = {{"type", "TemplateProcessing"},
                 {"single", Json::array({cls, text, sep})},
                 {"pair", Json::array({cls, text, sep, Template::text("B", 1), sep})},
                 {"special_tokens", std::move(put.tokens)}};
  }
  return Json{{"version", "1.0"},
              {"truncation", nullptr},
              {"padding", nullptr},
              {"added_tokens", std::move(added)},
              {"normalizer",
               {{"type", "BertNormalizer"},
                {"clean_text", true},
                {"handle_chinese_chars", rules.text.split_ideographs},
                {"strip_accents", rules.text.strip_accents},
                {"lowercase", rules.text.lower_case}}},
              {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
              {"post_processor", std::move(processor)},
              {"decoder", {{"type", "WordPiece"}, {"prefix", kContinuation}, {"cleanup", true}}},
              {"model",
               {{"type", "WordPiece"},
                {"unk_token", kBertSpecials.unknown},
                {"continuing_subword_prefix", kContinuation},
                {"max_input_chars_per_word", rules.longest_word},
                {"vocab", std::move(ids)}}}}
      .dump();
}

}  // namespace

std::string tokenizerFile(std::string_view name, const std::string& rules,
                          const Vocabulary& vocabulary, const Ids& last) {
  if (name.empty()) return characterFile(vocabulary, last);
  if (name == PipelineTokenizer::kName) return pipelineFile(vocabulary, rules);
  const bool around = name == EncoderTokens::kName;
  if (around || name == tokenizerName(TokenizerKind::WordPiece))
    return wordPieceFile(rules, vocabulary, around);
  return {};
}

}  // namespace tfm::data
