// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/tokenizer_folder.h"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/data/tokenizer/pipeline/gguf_tokenizer.h"
#include "core/data/tokenizer/pipeline/sentence_piece.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/read_file.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/pretrained_model.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kTokenizerJson = "tokenizer.json";
constexpr const char* kEndOfText = "<|endoftext|>";

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// The member of the first of some files that has it, and which file that is; null where none has.
json memberIn(const fs::path& folder, std::initializer_list<const char*> files, const char* name,
              std::string& where) {
  for (const char* file : files) {
    const fs::path path = folder / file;
    if (!isThere(path)) continue;
    where = path.string();
    const json object = io::parseJson(io::readTextFile(path, kMaxTokenizerBytes), where);
    const auto found = object.is_object() ? object.find(name) : object.end();
    if (found != object.end() && !found->is_null()) return *found;
  }
  return {};
}

[[noreturn]] void throwNoId(const char* name, const json& value, const std::string& where) {
  throw Error(std::string(name) + " is " + io::shortened(value.dump(), 60), where,
              "Expected the id of a token, or a list of them");
}

/// The tokens that end an answer, one or a list. Small models of large vocabularies keep ids that
/// they have no rows for; -1 is none.
Ids endsIn(const fs::path& folder, std::int64_t rows) {
  constexpr const char* kName = "eos_token_id";
  std::string where;
  const json found = memberIn(folder, {"generation_config.json", "config.json"}, kName, where);
  if (found.is_null()) return {};
  Ids ends;
  for (const json& id : found.is_array() ? found : json::array({found})) {
    if (!id.is_number_integer()) throwNoId(kName, id, where);
    if (id >= 0 && id < rows) ends.push_back(id.get<std::int32_t>());
  }
  return ends;
}

/// A token that config.json names, or -1.
std::int32_t idIn(const fs::path& folder, const char* name, std::int64_t rows) {
  std::string where;
  const json id = memberIn(folder, {"config.json", "generation_config.json"}, name, where);
  if (id.is_null()) return -1;
  if (!id.is_number_integer()) throwNoId(name, id, where);
  return id >= 0 && id < rows ? id.get<std::int32_t>() : -1;
}

/// Of the token table; both stacks read the same tokens.
std::int64_t rowsOf(const ModelConfig& config) {
  return config.hasDecoder() ? config.target_vocabulary : config.source_vocabulary;
}

/// The name of a special token in the tokenizer's settings; empty: none.
std::string specialName(const fs::path& folder, const char* role) {
  std::string where;
  json name = memberIn(folder, {"special_tokens_map.json", "tokenizer_config.json"}, role, where);
  if (name.is_object()) name = name.value("content", json());
  return name.is_string() ? name.get<std::string>() : std::string();
}

/// GPT-2's older files as a tokenizer.json. Those of RoBERTa and BART have its special tokens, and
/// two of them around each text; others begin one with a token if tokenizer_config.json says so.
json gpt2Json(const fs::path& folder) {
  const fs::path vocabulary = folder / "vocab.json";
  json tokens =
      io::parseJson(io::readTextFile(vocabulary, kMaxTokenizerBytes), vocabulary.string());
  if (!tokens.is_object())
    throw Error("this is no vocabulary", vocabulary.string(), "Expected tokens with their ids");
  json merges = json::array();
  const std::string text = io::readTextFile(folder / "merges.txt", kMaxTokenizerBytes);
  for (const std::string& line : vocabularyLines(text))
    if (!line.empty() && !line.starts_with("#version")) merges.push_back(line);
  std::string where;
  const json type = memberIn(folder, {"config.json"}, "model_type", where);
  const bool roberta = type == "roberta" || type == "bart";
  const json begins = memberIn(folder, {"tokenizer_config.json"}, "add_bos_token", where);
  const std::string first = begins == true ? specialName(folder, "bos_token") : "";
  json added = json::array();
  for (const std::string& name :
       {std::string(kEndOfText), first, std::string("<s>"), std::string("<pad>"),
        std::string("</s>"), std::string("<unk>"), std::string("<mask>")}) {
    const bool usual = name == kEndOfText || name == first;
    if (!tokens.contains(name) || !(usual || roberta)) continue;
    added.push_back({{"id", tokens[name]},
                     {"content", name},
                     {"special", true},
                     {"lstrip", roberta && name == "<mask>"}});
  }
  const json letters{{"type", "ByteLevel"}, {"add_prefix_space", false}};
  json result{{"added_tokens", std::move(added)}, {"pre_tokenizer", letters}, {"decoder", letters}};
  if (roberta && tokens.contains("<s>") && tokens.contains("</s>"))
    result["post_processor"] = {{"type", "RobertaProcessing"},
                                {"cls", {"<s>", tokens["<s>"]}},
                                {"sep", {"</s>", tokens["</s>"]}}};
  else if (tokens.contains(first))
    result["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single", {{{"SpecialToken", {{"id", first}}}}, {{"Sequence", {{"id", "A"}}}}}},
        {"special_tokens", {{first, {{"id", first}, {"ids", {tokens[first]}}}}}}};
  result["model"] = {{"type", "BPE"}, {"vocab", std::move(tokens)}, {"merges", std::move(merges)}};
  return result;
}

TokenRoles rolesIn(const fs::path& folder, const ModelConfig& config, std::int64_t rows) {
  TokenRoles roles{.ends = endsIn(folder, rows)};
  if (!config.hasEncoder()) return roles;
  roles.pad = std::max(0, idIn(folder, "pad_token_id", rows));
  if (!config.hasDecoder())
    roles.mask_names = {specialName(folder, "mask_token"), "[MASK]", "<mask>"};
  if (config.hasDecoder()) roles.start = idIn(folder, "decoder_start_token_id", rows);
  // As T5 does.
  if (config.hasDecoder() && roles.start < 0) roles.start = roles.pad;
  return roles;
}

/// The SentencePiece model of a folder; empty: none.
fs::path piecesIn(const fs::path& folder) {
  for (const char* name :
       {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model", "source.spm"})
    if (isThere(folder / name)) return folder / name;
  return {};
}

/// The tokens of a vocab.json by id.
std::vector<std::string> tokensOf(const fs::path& path, std::int64_t rows) {
  const std::string where = path.string();
  const json ids = io::parseJson(io::readTextFile(path, kMaxTokenizerBytes), where);
  if (!ids.is_object())
    throw Error("this is no vocabulary", where, "Expected tokens with their ids");
  std::vector<std::string> tokens(ids.size());
  for (const auto& [token, id] : ids.items()) {
    const bool fits = id.is_number_integer() && id >= 0 && id < std::ssize(tokens) && id < rows;
    if (!fits || !tokens[id.get<std::size_t>()].empty())
      throw Error("the token " + io::inQuotes(io::shortened(token, 60)) + " has the id " +
                      io::shortened(id.dump(), 60),
                  where,
                  "Expected the ids 0, 1, 2, ... once each, less than " + std::to_string(rows));
    tokens[id.get<std::size_t>()] = token;
  }
  return tokens;
}

/// What a SentencePiece model does not say: the tokens around a text, by the family, unless
/// tokenizer_config.json says it.
std::string piecesJson(const fs::path& folder, const fs::path& path, std::int64_t rows) {
  std::string where;
  SentencePieces model = parseSentencePieces(io::readFile(path, kMaxTokenizerBytes), path.string());
  const json type = memberIn(folder, {"config.json"}, "model_type", where);
  if (type == "marian" && isThere(folder / "vocab.json"))
    model = withIds(model, tokensOf(folder / "vocab.json", rows));
  // T5's tokens for what is left out of a text, the last of which comes first.
  constexpr std::int64_t kExtra = 100;
  if (type == "t5" && std::ssize(model.pieces) + kExtra <= rows)
    for (std::int64_t i = kExtra; i-- > 0;)
      model.pieces.push_back(
          {"<extra_id_" + std::to_string(i) + ">", 0.0, SentencePieces::Type::Control});
  const auto around = [&](const char* switch_name, bool usual, const char* id_name,
                          const char* piece) {
    const json wanted = memberIn(folder, {"tokenizer_config.json"}, switch_name, where);
    if (!(wanted.is_boolean() ? wanted.get<bool>() : usual)) return Ids();
    std::int32_t id = idIn(folder, id_name, rows);
    const auto named = std::ranges::find(model.pieces, piece, &SentencePieces::Piece::text);
    if (id < 0 && named != model.pieces.end()) id = std::int32_t(named - model.pieces.begin());
    return id < 0 || id >= std::ssize(model.pieces) ? Ids() : Ids{id};
  };
  const bool begins = type == "llama" || type == "mistral" || type == "gemma" || type == "albert";
  const bool ends = type == "t5" || type == "marian" || type == "albert";
  const bool albert = type == "albert";
  return sentencePieceJson(
      model, around("add_bos_token", begins, "bos_token_id", albert ? "[CLS]" : "<s>"),
      around("add_eos_token", ends, "eos_token_id", albert ? "[SEP]" : "</s>"));
}

}  // namespace

std::unique_ptr<PipelineTokenizer> readPipelineTokenizer(const fs::path& folder,
                                                         const ModelConfig& config) {
  const std::int64_t rows = rowsOf(config);
  if (isGguf(folder)) {
    const io::GgufFile file = io::openGguf(folder);
    return parsePipelineTokenizer(ggufTokenizerJson(file, folder.string()), folder.string(), rows,
                                  {.ends = ggufEnds(file, rows)});
  }
  const TokenRoles roles = rolesIn(folder, config, rows);
  const fs::path whole = folder / kTokenizerJson;
  if (isThere(whole))
    return parsePipelineTokenizer(io::readTextFile(whole, kMaxTokenizerBytes), whole.string(), rows,
                                  roles);
  if (const fs::path pieces = piecesIn(folder); !pieces.empty())
    return parsePipelineTokenizer(piecesJson(folder, pieces, rows), pieces.string(), rows, roles);
  if (isThere(folder / "vocab.json") && isThere(folder / "merges.txt"))
    return parsePipelineTokenizer(gpt2Json(folder).dump(), folder.string(), rows, roles);
  throw Error("there is no tokenizer", folder.string(),
              "Copy the model's tokenizer.json there, its tokenizer.model, spiece.model or "
              "source.spm with vocab.json, or its vocab.json and merges.txt");
}

std::unique_ptr<PipelineTokenizer> mappedTokenizer(const ModelMap& map, const std::string& where) {
  const std::int64_t rows = rowsOf(map.config);
  const json tokens = json::parse(map.tokens);
  const auto idOf = [&](const char* role, const json& id) {
    if (!id.is_number_integer() || id < 0 || id >= rows) throwNoId(role, id, where);
    return id.get<std::int32_t>();
  };
  TokenRoles roles;
  if (tokens.contains("pad")) roles.pad = idOf("pad", tokens["pad"]);
  if (tokens.contains("start")) roles.start = idOf("start", tokens["start"]);
  if (tokens.contains("ends")) {
    const json& ends = tokens["ends"];
    for (const json& id : ends.is_array() ? ends : json::array({ends}))
      roles.ends.push_back(idOf("ends", id));
  }
  if (map.config.hasEncoder()) roles.pad = std::max(0, roles.pad);
  if (map.config.hasEncoder() && roles.start < 0) roles.start = roles.pad;
  if (tokens.contains("mask") && tokens["mask"].is_string())
    roles.mask_names.push_back(tokens["mask"].get<std::string>());
  return parsePipelineTokenizer(map.tokenizer, where + ", tokenizer", rows, roles);
}

bool hasWordPieces(const fs::path& folder) {
  const fs::path whole = folder / kTokenizerJson;
  if (!isThere(whole)) return !isThere(folder / "vocab.json") && piecesIn(folder).empty();
  const json file = io::parseJson(io::readTextFile(whole, kMaxTokenizerBytes), whole.string());
  const json model = file.is_object() ? file.value("model", json()) : json();
  if (!model.is_object()) return true;
  return model.value("type", json("WordPiece")) == "WordPiece" && !model.contains("merges");
}

}  // namespace tfm::data
