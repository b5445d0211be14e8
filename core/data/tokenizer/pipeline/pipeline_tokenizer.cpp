// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/tokenizer/pipeline/byte_letters.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using nlohmann::json;

constexpr std::int64_t kMaxIds = 10'000'000;
constexpr const char* kSpaceMark = "▁";

/// A member, or null.
const json& memberOf(const json& object, const char* name) {
  static const json none;
  const auto found = object.find(name);
  return found == object.end() ? none : *found;
}

// --- Names --------------------------------------------------------------------------------------

/// How the files of a tokenizer write the text of a token.
enum class Spelling { Plain, ByteLetters, SpaceMarks };

Spelling spellingOf(const json& rules) {
  const auto has = [&](const char* member, const char* text) {
    return memberOf(rules, member).dump().find(text) != std::string::npos;
  };
  if (has("pre_tokenizer", "\"ByteLevel\"") || has("decoder", "\"ByteLevel\""))
    return Spelling::ByteLetters;
  if (has("normalizer", kSpaceMark) || has("pre_tokenizer", kSpaceMark) ||
      has("decoder", kSpaceMark))
    return Spelling::SpaceMarks;
  return Spelling::Plain;
}

std::string replaceAll(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string shownName(const std::string& name, Spelling spelling) {
  if (spelling == Spelling::SpaceMarks) return replaceAll(name, kSpaceMark, " ");
  if (spelling == Spelling::ByteLetters)
    if (const auto bytes = lettersToBytes(name)) return shownBytes(*bytes);
  return name;
}

std::string fileName(const std::string& shown, Spelling spelling) {
  if (spelling == Spelling::SpaceMarks) return replaceAll(shown, " ", kSpaceMark);
  return spelling == Spelling::ByteLetters ? byteLetters(bytesOfShown(shown)) : shown;
}

/// The names in the file of the tokens of a vocabulary.
std::vector<std::string> namesInFile(const std::vector<std::string>& shown, const json& rules,
                                     const std::string& where) {
  const Spelling spelling = spellingOf(rules);
  std::vector<std::string> names;
  for (const std::string& token : shown) names.push_back(fileName(token, spelling));
  const json& others = memberOf(rules, "names");
  if (others.is_null()) return names;
  for (const auto& [key, name] : others.items()) {
    std::size_t id = 0, read = 0;
    try {
      id = std::stoul(key, &read);
    } catch (const std::exception&) {
      read = 0;
    }
    if (read != key.size() || id >= names.size() || !name.is_string())
      throw Error("'names' has " + io::inQuotes(io::shortened(key, 60)), where,
                  "Expected ids of tokens with their names");
    names[id] = name.get<std::string>();
  }
  return names;
}

/// The tokens as people read them; what does not follow from that goes into the rules.
std::vector<std::string> shownTokens(const std::vector<std::string>& names, json& rules) {
  const Spelling spelling = spellingOf(rules);
  std::vector<std::string> shown;
  std::unordered_set<std::string> taken;
  json others = json::object();
  for (std::size_t id = 0; id < names.size(); ++id) {
    std::string token = shownName(names[id], spelling);
    if (token.empty() || taken.contains(token)) token = names[id];
    if (token.empty() || taken.contains(token)) token = rowWithoutToken(std::int64_t(id));
    if (fileName(token, spelling) != names[id]) others[std::to_string(id)] = names[id];
    taken.insert(token);
    shown.push_back(std::move(token));
  }
  if (!others.empty()) rules["names"] = std::move(others);
  return shown;
}

// --- Tokens around a text -----------------------------------------------------------------------

/// The tokens before and after each text.
struct Around {
  Ids first, last;
};

[[noreturn]] void throwTemplate(const std::string& where) {
  throw Error(
      "the tokens around a text are not clear", where,
      "Expected TemplateProcessing with special tokens around one sequence, BertProcessing, "
      "RobertaProcessing or ByteLevel");
}

std::int32_t idIn(const json& value, const std::string& where) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= std::uint64_t(kMaxIds))
    throwTemplate(where);
  return value.get<std::int32_t>();
}

Around templateAround(const json& object, const std::string& where) {
  Around around;
  const json &single = memberOf(object, "single"), &tokens = memberOf(object, "special_tokens");
  if (!single.is_array()) throwTemplate(where);
  bool text = false;
  for (const json& item : single) {
    if (!item.is_object() || item.size() != 1) throwTemplate(where);
    if (item.contains("Sequence")) {
      if (std::exchange(text, true)) throwTemplate(where);
      continue;
    }
    const json& name = memberOf(memberOf(item, "SpecialToken"), "id");
    if (!name.is_string()) throwTemplate(where);
    const json& ids = memberOf(memberOf(tokens, name.get<std::string>().c_str()), "ids");
    if (!ids.is_array()) throwTemplate(where);
    for (const json& id : ids) (text ? around.last : around.first).push_back(idIn(id, where));
  }
  if (!text) throwTemplate(where);
  return around;
}

/// ["[SEP]", 3]
std::int32_t pairId(const json& pair, const std::string& where) {
  if (!pair.is_array() || pair.size() != 2) throwTemplate(where);
  return idIn(pair[1], where);
}

/// By the "post_processor" of a tokenizer.json.
Around aroundFrom(const json& object, const std::string& where) {
  if (object.is_null()) return {};
  const json& type = memberOf(object, "type");
  if (type == "ByteLevel") return {};  // places only, which are not read
  if (type == "TemplateProcessing") return templateAround(object, where);
  if (type == "BertProcessing" || type == "RobertaProcessing")
    return {{pairId(memberOf(object, "cls"), where)}, {pairId(memberOf(object, "sep"), where)}};
  const json& steps = memberOf(object, "processors");
  if (type != "Sequence" || !steps.is_array()) throwTemplate(where);
  Around around;
  for (const json& step : steps) {
    const Around next = aroundFrom(step, where);
    around.first.insert(around.first.begin(), next.first.begin(), next.first.end());
    around.last.insert(around.last.end(), next.last.begin(), next.last.end());
  }
  return around;
}

// --- The file -----------------------------------------------------------------------------------

/// Puts a token in its place. Throws Error if another one has it.
void place(std::vector<std::string>& names, std::int64_t id, const std::string& name,
           const std::string& where) {
  if (id < 0 || id >= kMaxIds)
    throw Error("the token " + io::inQuotes(name) + " has the id " + std::to_string(id), where,
                "Expected ids from 0 to " + std::to_string(kMaxIds - 1));
  if (std::size_t(id) >= names.size()) names.resize(std::size_t(id) + 1);
  std::string& here = names[std::size_t(id)];
  if (!here.empty() && here != name)
    throw Error(io::inQuotes(here) + " and " + io::inQuotes(name) + " have the same id, " +
                    std::to_string(id),
                where, "Give each token another id");
  here = name;
}

/// Takes the vocabulary out of a model; Unigram's scores stay. `hidden`: gets the tokens without a
/// score, which no text has.
std::vector<std::string> takeVocabulary(json& model, const std::string& where, Ids& hidden) {
  std::vector<std::string> names;
  const json vocabulary = std::move(model["vocab"]);
  model.erase("vocab");
  if (vocabulary.is_object()) {
    for (const auto& [token, id] : vocabulary.items()) {
      if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= std::uint64_t(kMaxIds))
        throw Error(
            "the token " + io::inQuotes(token) + " has the id " + io::shortened(id.dump(), 60),
            where, "Expected a whole number from 0");
      place(names, id.get<std::int64_t>(), token, where);
    }
    return names;
  }
  if (!vocabulary.is_array())
    throw Error("'vocab' is missing", where, "Expected the tokens with their ids or scores");
  json scores = json::array();
  for (const json& entry : vocabulary) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() ||
        !(entry[1].is_number() || entry[1].is_null()))
      throw Error("a token is " + io::shortened(entry.dump(), 60), where,
                  R"(Expected a token and its score, ["a", -3.5])");
    names.push_back(entry[0].get<std::string>());
    if (entry[1].is_null()) hidden.push_back(std::int32_t(names.size()) - 1);
    scores.push_back(entry[1].is_null() ? json(0.0) : entry[1]);
  }
  model["scores"] = std::move(scores);
  return names;
}

}  // namespace

PipelineTokenizer::PipelineTokenizer(std::vector<std::string> tokens, std::string rules,
                                     const std::string& where)
    : rules_(std::move(rules)) {
  const json object = io::parseJson(rules_, where);
  if (!object.is_object()) throw Error("the rules are no object", where, "Expected {...}");
  names_ = std::make_unique<const TokenNames>(namesInFile(tokens, object, where));
  const Normalizer normalizer =
      normalizerFrom(memberOf(object, "normalizer"), where + ", normalizer");
  added_ = std::make_unique<const AddedTokens>(memberOf(object, "added_tokens"), normalizer, where);
  for (const auto& [id, name] : added_->names())
    if (id >= std::ssize(tokens))
      throw Error("the added token " + io::inQuotes(name) + " has the id " + std::to_string(id),
                  where, "There are " + std::to_string(tokens.size()) + " tokens");
  cut_ = preTokenizerFrom(memberOf(object, "pre_tokenizer"), where + ", pre_tokenizer");
  ReadModel model = pieceModelFrom(memberOf(object, "model"), *names_, where + ", model");
  model_ = std::move(model.append);
  decode_ = tokenDecoderFrom(memberOf(object, "decoder"), where + ", decoder");
  Around around = aroundFrom(memberOf(object, "post_processor"), where + ", post_processor");
  for (const Ids* ids : {&around.first, &around.last})
    for (const std::int32_t id : *ids)
      if (id >= std::ssize(tokens)) throwTemplate(where + ", post_processor");
  const json& ends = memberOf(object, "ends");
  for (const json& id : ends) {
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= tokens.size())
      throw Error("'ends' has " + io::shortened(id.dump(), 60), where,
                  "Expected ids of tokens, less than " + std::to_string(tokens.size()));
    ends_.push_back(id.get<std::int32_t>());
  }
  first_ = std::move(around.first);
  last_ = std::move(around.last);
  const auto role = [&](const char* name) {
    const json& id = memberOf(object, name);
    if (id.is_null()) return -1;
    if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= tokens.size())
      throw Error(io::inQuotes(name) + " is " + io::shortened(id.dump(), 60), where,
                  "Expected the id of a token, less than " + std::to_string(tokens.size()));
    return id.get<std::int32_t>();
  };
  const Vocabulary::Specials specials{role("start"), role("pad"), model.unknown};
  mask_ = role("mask");
  vocabulary_ = Vocabulary(std::move(tokens), specials);
}

Ids PipelineTokenizer::encodePlain(std::string_view text) const {
  io::requireUtf8(text, "text");
  Ids ids;
  for (AddedTokens::Part& part : added_->cut(text)) {
    if (part.id >= 0) {
      ids.push_back(part.id);
      continue;
    }
    std::vector<TextPiece> pieces{{std::move(part.text), part.first}};
    cut_(pieces);
    for (const TextPiece& piece : pieces)
      if (!piece.text.empty()) model_(piece.text, ids);
  }
  return ids;
}

Ids PipelineTokenizer::encode(std::string_view text) const {
  Ids ids = encodePlain(text);
  ids.insert(ids.begin(), first_.begin(), first_.end());
  ids.insert(ids.end(), last_.begin(), last_.end());
  return ids;
}

std::string PipelineTokenizer::decode(std::span<const std::int32_t> ids) const {
  std::vector<std::string> tokens;
  for (const std::int32_t id : ids) {
    const auto added = added_->names().find(id);
    const std::string& name =
        added == added_->names().end() ? names_->tokens().at(std::size_t(id)) : added->second;
    tokens.push_back(name.empty() ? vocabulary_.token(id) : name);
  }
  decode_(tokens);
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

void PipelineTokenizer::stripAround(Ids& ids) const {
  const auto size = std::ssize(ids), first = std::ssize(first_), last = std::ssize(last_);
  if (size >= last && std::equal(last_.begin(), last_.end(), ids.end() - last))
    ids.resize(std::size_t(size - last));
  if (std::ssize(ids) >= first && std::equal(first_.begin(), first_.end(), ids.begin()))
    ids.erase(ids.begin(), ids.begin() + first);
}

void PipelineTokenizer::shorten(Ids& ids, std::int64_t longest) const {
  if (std::ssize(ids) <= longest) return;
  ids.resize(std::size_t(std::max<std::int64_t>(0, longest - std::ssize(last_))));
  ids.insert(ids.end(), last_.begin(), last_.end());
}

namespace {

/// Adds the settings that the library wants in every step of a kind, with the values that they have
/// for us where they are missing.
void complete(json& step) {
  if (step.is_array())
    for (json& one : step) complete(one);
  if (!step.is_object()) return;
  for (const char* list : {"processors", "normalizers", "pretokenizers", "decoders"})
    if (step.contains(list)) complete(step[list]);
  const json& type = memberOf(step, "type");
  const auto usual = [&](const char* name, const json& value) {
    if (!step.contains(name)) step[name] = value;
  };
  if (type == "ByteLevel" || type == "RobertaProcessing") {
    usual("add_prefix_space", true);
    usual("trim_offsets", true);
  }
  if (type != "TemplateProcessing") return;
  for (json& item : step["single"])
    for (json& place : item)
      if (!place.contains("type_id")) place["type_id"] = 0;
  usual("pair", step["single"]);
  if (step["pair"] == step["single"])
    step["pair"].push_back({{"Sequence", {{"id", "B"}, {"type_id", 1}}}});
  for (auto& [name, token] : step["special_tokens"].items())
    if (!token.contains("tokens")) token["tokens"] = {name};
}

}  // namespace

std::string pipelineFile(const Vocabulary& vocabulary, const std::string& rules_text) {
  const std::string where = "tokenizer";
  nlohmann::ordered_json file{{"version", "1.0"}, {"truncation", nullptr}, {"padding", nullptr}};
  json rules = io::parseJson(rules_text, where);
  const std::vector<std::string> names = namesInFile(vocabulary.tokens(), rules, where);
  json& model = rules["model"];
  json& added = rules["added_tokens"];
  if (added.is_null()) added = json::array();
  for (json& token : added) {
    const bool special = token.value("special", false);
    for (const char* flag : {"single_word", "lstrip", "rstrip"})
      if (!token.contains(flag)) token[flag] = false;
    if (!token.contains("normalized")) token["normalized"] = !special;
    token["special"] = special;
  }
  const json& scores = memberOf(model, "scores");
  if (scores.is_array()) {
    json list = json::array();
    for (std::size_t id = 0; id < scores.size(); ++id)
      list.push_back(
          {names[id].empty() ? vocabulary.token(std::int32_t(id)) : names[id], scores[id]});
    model.erase("scores");
    model["vocab"] = std::move(list);
  } else {
    json ids = json::object();
    for (std::size_t id = 0; id < names.size(); ++id)
      if (!names[id].empty()) ids[names[id]] = id;
    model["vocab"] = std::move(ids);
  }
  for (const char* part :
       {"added_tokens", "normalizer", "pre_tokenizer", "post_processor", "decoder", "model"}) {
    json step = memberOf(rules, part);
    complete(step);
    file[part] = std::move(step);
  }
  return file.dump();
}

std::unique_ptr<PipelineTokenizer> parsePipelineTokenizer(std::string_view text,
                                                          const std::string& where,
                                                          std::int64_t rows,
                                                          const TokenRoles& roles) {
  json file = io::parseJson(text, where);
  json rules = json::object();
  for (const char* part :
       {"added_tokens", "normalizer", "pre_tokenizer", "model", "post_processor", "decoder"})
    if (!memberOf(file, part).is_null()) rules[part] = std::move(file[part]);
  if (!rules.contains("model") || !rules["model"].is_object())
    throw Error("'model' is missing", where, "Expected a tokenizer.json of the tokenizers library");
  // Older files do not say which model it is.
  json& model = rules["model"];
  if (!model.contains("type"))
    model["type"] = model.contains("merges")   ? "BPE"
                    : model.contains("unk_id") ? "Unigram"
                                               : "WordPiece";
  Ids hidden;
  std::vector<std::string> names = takeVocabulary(model, where + ", model", hidden);
  for (const json& added : memberOf(rules, "added_tokens"))
    if (added.is_object() && added.value("id", json()).is_number_unsigned() &&
        added.value("content", json()).is_string())
      place(names, added["id"].get<std::int64_t>(), added["content"].get<std::string>(),
            where + ", added_tokens");
  if (rows > 0 && std::ssize(names) > rows)
    throw Error("it has " + std::to_string(names.size()) + " tokens", where,
                "The model has rows for " + std::to_string(rows));
  names.resize(std::max<std::size_t>(names.size(), std::size_t(rows)));
  std::vector<std::string> shown = shownTokens(names, rules);
  for (const std::int32_t id : hidden) rules["names"][std::to_string(id)] = "";
  if (!roles.ends.empty()) rules["ends"] = roles.ends;
  if (roles.pad >= 0) rules["pad"] = roles.pad;
  if (roles.start >= 0) rules["start"] = roles.start;
  for (const std::string& name : roles.mask_names)
    if (const auto found = std::ranges::find(names, name);
        !name.empty() && found != names.end() && !rules.contains("mask"))
      rules["mask"] = found - names.begin();
  return std::make_unique<PipelineTokenizer>(std::move(shown), rules.dump(), where);
}

}  // namespace tfm::data
