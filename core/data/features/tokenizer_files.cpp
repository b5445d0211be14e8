// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/features/tokenizer_files.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/tokenizer_json.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/pretrained_model.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A special token: its field in the files, its name here, and what it is called if nothing is
/// said.
struct SpecialRole {
  const char* field;
  std::string_view name;
  std::string_view of_bert, of_funnel;
};
constexpr std::array kRoles{SpecialRole{"pad_token", kBertSpecials.pad, "[PAD]", "<pad>"},
                            SpecialRole{"unk_token", kBertSpecials.unknown, "[UNK]", "<unk>"},
                            SpecialRole{"cls_token", kBertSpecials.first, "[CLS]", "<cls>"},
                            SpecialRole{"sep_token", kBertSpecials.last, "[SEP]", "<sep>"},
                            SpecialRole{"mask_token", kMaskToken, "[MASK]", "<mask>"}};
enum RoleNumber { kPad, kUnknown, kFirst, kLast, kMask };

/// A class of the transformers library that reads texts as BERT does.
struct TokenizerClass {
  std::string_view name;
  std::string_view SpecialRole::*special;  ///< what it calls the special tokens
  bool reads_json;  ///< tokenizer.json decides; others have tokenizer_config.json and defaults
};
constexpr std::array kTokenizerClasses{
    TokenizerClass{"BertTokenizer", &SpecialRole::of_bert, false},
    TokenizerClass{"BertTokenizerFast", &SpecialRole::of_bert, false},
    TokenizerClass{"FunnelTokenizer", &SpecialRole::of_funnel, false},
    TokenizerClass{"FunnelTokenizerFast", &SpecialRole::of_funnel, false},
    TokenizerClass{"DistilBertTokenizer", &SpecialRole::of_bert, false},
    TokenizerClass{"DistilBertTokenizerFast", &SpecialRole::of_bert, false},
    TokenizerClass{"ElectraTokenizer", &SpecialRole::of_bert, false},
    TokenizerClass{"ElectraTokenizerFast", &SpecialRole::of_bert, false},
    TokenizerClass{"PreTrainedTokenizerFast", &SpecialRole::of_bert, true},
    TokenizerClass{"TokenizersBackend", &SpecialRole::of_bert, true}};

const TokenizerClass& classNamed(const std::string& name, const std::string& where) {
  const auto found = std::ranges::find(kTokenizerClasses, name, &TokenizerClass::name);
  if (found != kTokenizerClasses.end()) return *found;
  throw Error("the tokenizer_class is " + io::inQuotes(name), where,
              "Only tokenizers like BertTokenizer and FunnelTokenizer are read");
}

bool fileExists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

json jsonFile(const fs::path& path) {
  return io::parseJson(io::readTextFile(path, kMaxTokenizerBytes), path.string());
}

/// The name of a token: "[MASK]" or {"content": "[MASK]", ...}; nullopt for null.
std::optional<std::string> tokenName(const json& value, const std::string& where) {
  if (value.is_null()) return std::nullopt;
  if (value.is_string()) return value.get<std::string>();
  return addedTokenFrom(value, where).content;
}

/// What tokenizer_config.json, special_tokens_map.json and added_tokens.json say.
struct FolderSettings {
  std::string place;  ///< of the first
  std::optional<std::string> tokenizer_class;
  std::optional<bool> lower_case, split_ideographs;
  std::optional<bool> strip_accents;
  bool reads_special = true;  ///< names of special tokens in a text are those tokens
  std::array<std::optional<std::string>, kRoles.size()> special;
  std::vector<std::string> other_special;
  std::vector<AddedToken> added;
  std::optional<std::int64_t> longest;
};

/// Throws Error if a setting has another value than the one that changes nothing.
template <class Value>
void requireUsual(io::ObjectReader& reader, const char* name, const Value& usual) {
  const json* value = reader.child(name);
  if (value != nullptr && !value->is_null() && *value != json(usual))
    reader.throwInvalid(name, json(usual).dump());
}

std::optional<bool> switchOf(io::ObjectReader& reader, const char* name) {
  const json* value = reader.child(name);
  if (value == nullptr || value->is_null()) return std::nullopt;
  return reader.get(name, false);
}

void readSpecial(io::ObjectReader& reader, FolderSettings& settings) {
  for (std::size_t i = 0; i < kRoles.size(); ++i) {
    const json* value = reader.child(kRoles[i].field);
    if (value == nullptr) continue;
    const auto name = tokenName(*value, reader.where() + ", " + kRoles[i].field);
    std::optional<std::string>& known = settings.special[i];
    if (known && name && *known != *name)
      throw Error(std::string(kRoles[i].field) + " is " + io::inQuotes(*name) + ", but " +
                      io::inQuotes(*known) + " in tokenizer_config.json",
                  reader.where(), "Correct one of the two files");
    if (name) known = name;
  }
  for (const char* field : {"bos_token", "eos_token"})
    if (const json* value = reader.child(field))
      if (const auto name = tokenName(*value, reader.where() + ", " + field))
        settings.other_special.push_back(*name);
  for (const char* field : {"additional_special_tokens", "extra_special_tokens"}) {
    const json* list = reader.child(field);
    if (list == nullptr || list->is_null()) continue;
    if (!list->is_structured()) reader.throwInvalid(field, "a list of tokens");
    for (const json& value : *list)
      if (const auto name = tokenName(value, reader.where() + ", " + field))
        settings.other_special.push_back(*name);
  }
}

/// {"5": {"content": "[MASK]", ...}}
void readAddedTokens(io::ObjectReader& reader, FolderSettings& settings) {
  const json* tokens = reader.child("added_tokens_decoder");
  if (tokens == nullptr || tokens->is_null()) return;
  if (!tokens->is_object()) reader.throwInvalid("added_tokens_decoder", "an object of tokens");
  for (const auto& [id, entry] : tokens->items()) {
    const std::string where = reader.where() + ", added_tokens_decoder";
    AddedToken token = addedTokenFrom(entry, where);
    const auto number = wholeNumberIn(id);
    if (!number) throw Error(io::inQuotes(id) + " is not an id", where, "Expected: a whole number");
    token.id = *number;
    settings.added.push_back(std::move(token));
  }
}

/// model_max_length, or its old name. A number that no memory has room for means: none.
std::optional<std::int64_t> longestFrom(io::ObjectReader& reader) {
  std::optional<std::int64_t> longest;
  for (const char* field : {"max_len", "model_max_length"}) {
    const json* value = reader.child(field);
    if (value == nullptr || value->is_null()) continue;
    if (!value->is_number() || *value < 2) reader.throwInvalid(field, "a number from 2");
    if (*value < (std::int64_t{1} << 40)) longest = value->get<std::int64_t>();
  }
  return longest;
}

FolderSettings folderSettings(const fs::path& folder) {
  FolderSettings settings;
  settings.place = (folder / "tokenizer_config.json").string();
  if (fileExists(settings.place)) {
    const json object = jsonFile(settings.place);
    io::ObjectReader reader(object, settings.place);
    if (const auto name = reader.get<std::string>("tokenizer_class", ""); !name.empty())
      settings.tokenizer_class = name;
    settings.lower_case = switchOf(reader, "do_lower_case");
    settings.strip_accents = switchOf(reader, "strip_accents");
    settings.split_ideographs = switchOf(reader, "tokenize_chinese_chars");
    settings.reads_special = !reader.get("split_special_tokens", false);
    settings.longest = longestFrom(reader);
    readSpecial(reader, settings);
    readAddedTokens(reader, settings);
    requireUsual(reader, "clean_text", true);
    requireUsual(reader, "do_basic_tokenize", true);
    requireUsual(reader, "never_split", json::array());
    requireUsual(reader, "wordpieces_prefix", "##");
    requireUsual(reader, "padding_side", "right");
    requireUsual(reader, "truncation_side", "right");
    refuseOtherSettings(reader);
  }
  if (const fs::path path = folder / "special_tokens_map.json"; fileExists(path)) {
    const json object = jsonFile(path);
    io::ObjectReader reader(object, path.string());
    readSpecial(reader, settings);
    refuseOtherSettings(reader);
  }
  if (const fs::path path = folder / "added_tokens.json"; fileExists(path)) {
    const json object = jsonFile(path);
    const io::ObjectReader is_object(object, path.string());
    for (const auto& [name, id] : object.items()) {
      if (name.empty() || !id.is_number_unsigned())
        is_object.throwInvalid(name, "the id of a token");
      const bool known = std::ranges::any_of(
          settings.added, [&](const AddedToken& token) { return token.content == name; });
      if (!known) settings.added.push_back({name, id.get<std::int64_t>(), true, false});
    }
  }
  return settings;
}

/// A setting that both tokenizer_config.json and tokenizer.json may have.
struct Switch {
  const char* name;       ///< in the first
  const char* json_name;  ///< in the second
  std::optional<bool> said, json_said;
  bool usual;
};

/// Throws Error where the two files disagree: what is computed would depend on the version of the
/// library that reads them.
bool agreed(const Switch& s, const TokenizerClass& kind, const std::string& place) {
  const auto word = [](bool on) { return on ? "true" : "false"; };
  if (kind.reads_json && !s.said) return s.json_said.value_or(s.usual);
  const bool value = s.said.value_or(s.usual);
  if (s.json_said.value_or(value) == value) return value;
  throw Error(std::string(s.name) + " is " + word(value) +
                  (s.said ? "" : ", as nothing else is said") + ", but tokenizer.json has " +
                  s.json_name + " " + word(!value),
              place,
              "Give " + std::string(s.name) +
                  " the value that the encoder was trained with, "
                  "in both files");
}

TextRules textRules(const FolderSettings& settings, const std::optional<TokenizerJson>& file,
                    const TokenizerClass& kind) {
  const auto of_json = [&](bool TokenizerJson::*member) {
    return file ? std::optional((*file).*member) : std::nullopt;
  };
  TextRules rules;
  rules.lower_case = agreed({"do_lower_case", "lowercase", settings.lower_case,
                             of_json(&TokenizerJson::lower_case), true},
                            kind, settings.place);
  rules.strip_accents = agreed({"strip_accents", "strip_accents", settings.strip_accents,
                                of_json(&TokenizerJson::strip_accents), rules.lower_case},
                               kind, settings.place);
  rules.split_ideographs =
      agreed({"tokenize_chinese_chars", "handle_chinese_chars", settings.split_ideographs,
              of_json(&TokenizerJson::split_ideographs), true},
             kind, settings.place);
  return rules;
}

/// The tokens of vocab.txt, of tokenizer.json, or of both, which must be the same.
std::vector<std::string> vocabularyOf(const fs::path& folder,
                                      const std::optional<TokenizerJson>& file) {
  const fs::path path = folder / "vocab.txt";
  if (!fileExists(path)) {
    if (file) return file->tokens;
    throw Error("there is no vocab.txt and no tokenizer.json", folder.string(),
                "Copy one of them from where the encoder is from");
  }
  std::vector<std::string> tokens = vocabularyLines(io::readTextFile(path, kMaxTokenizerBytes));
  if (!file) return tokens;
  const auto differ = std::ranges::mismatch(tokens, file->tokens);
  if (differ.in1 == tokens.end() && differ.in2 == file->tokens.end()) return tokens;
  const auto named = [](auto at, auto end) {
    return at == end ? std::string("no token") : io::inQuotes(*at);
  };
  throw Error("id " + std::to_string(differ.in1 - tokens.begin()) + " is " +
                  named(differ.in1, tokens.end()) + " in vocab.txt and " +
                  named(differ.in2, file->tokens.end()) + " in tokenizer.json",
              folder.string(), "Remove the file that is not the encoder's");
}

/// Joins the vocabulary and the tokens beside it.
class Joining {
 public:
  Joining(const fs::path& folder, std::vector<std::string> tokens, std::int64_t known)
      : place_(folder.string()), known_(known) {
    read_.tokens = std::move(tokens);
    if (std::ssize(read_.tokens) > known)
      throw Error("the vocabulary has " + std::to_string(read_.tokens.size()) + " tokens", place_,
                  "The config.json describes an encoder of " + std::to_string(known));
  }

  void add(const AddedToken& token) {
    if (token.id < 0)
      throw Error("an added token has no id", place_, "Correct the tokenizer's files");
    if (token.id >= known_) return leaveOut(token.content);
    const auto place = std::size_t(token.id);
    if (place >= read_.tokens.size()) read_.tokens.resize(place + 1);
    std::string& there = read_.tokens[place];
    const std::int32_t elsewhere = find(token.content);
    if ((!there.empty() && there != token.content) ||
        (elsewhere >= 0 && elsewhere != std::int32_t(token.id)))
      throw Error("the added token " + io::inQuotes(token.content) + " has the id " +
                      std::to_string(token.id) + ", the vocabulary has " +
                      (there.empty() ? "another" : io::inQuotes(there) + " there"),
                  place_, "Correct the tokenizer's files");
    there = token.content;
  }

  /// A text that has this name has that token there.
  void name(const std::string& name, std::int32_t id, bool folded) {
    std::vector<NamedToken>& named = read_.rules.named;
    const auto is = [&](const NamedToken& token) { return token.name == name; };
    if (std::ranges::none_of(named, is)) named.push_back({name, id, folded});
  }

  /// Names a special token as BERT does.
  void rename(const std::string& from, std::string_view to) {
    const std::int32_t id = find(from);
    if (id < 0 || from == to) return;
    if (find(to) >= 0)
      throw Error(
          "both " + io::inQuotes(from) + " and " + io::inQuotes(to) + " are in the vocabulary",
          place_, "The first has the second's part: rename the second");
    read_.tokens[std::size_t(id)] = to;
  }

  void leaveOut(const std::string& name) {
    if (std::ranges::find(left_out_, name) == left_out_.end()) left_out_.push_back(name);
  }

  std::int32_t find(std::string_view token) const {
    const auto found = std::ranges::find(read_.tokens, token);
    return found == read_.tokens.end() ? -1 : std::int32_t(found - read_.tokens.begin());
  }

  EncoderVocabulary result() {
    for (std::size_t id = 0; id < read_.tokens.size(); ++id)
      if (read_.tokens[id].empty()) read_.tokens[id] = rowWithoutToken(std::int64_t(id));
    std::string names;
    for (const std::string& name : left_out_)
      names += (names.empty() ? "" : ", ") + io::inQuotes(name);
    if (!names.empty())
      read_.notes.push_back("the embedding has no row for " + names +
                            " of the tokenizer: they are read as ordinary text");
    return std::move(read_);
  }

 private:
  std::string place_;
  std::int64_t known_;
  EncoderVocabulary read_;
  std::vector<std::string> left_out_;
};

/// tokenizer_class of tokenizer_config.json, or of config.json, or the one of the family.
const TokenizerClass& classOf(const fs::path& folder, const FolderSettings& settings, bool funnel) {
  if (settings.tokenizer_class) return classNamed(*settings.tokenizer_class, settings.place);
  const fs::path path = folder / "config.json";
  const json object = jsonFile(path);
  const json named = object.is_object() ? object.value("tokenizer_class", json()) : json();
  if (named.is_string()) return classNamed(named.get<std::string>(), path.string());
  return classNamed(funnel ? "FunnelTokenizer" : "BertTokenizer", path.string());
}

/// What the files call the special tokens. Throws Error where tokenizer.json has others.
std::array<std::string, kRoles.size()> specialNames(const FolderSettings& settings,
                                                    const std::optional<TokenizerJson>& file,
                                                    const TokenizerClass& kind) {
  std::array<std::string, kRoles.size()> names;
  for (std::size_t i = 0; i < kRoles.size(); ++i)
    names[i] = settings.special[i].value_or(std::string(kRoles[i].*kind.special));
  if (!file) return names;
  const auto require = [&](RoleNumber role, const std::string& name) {
    if (names[role] != name)
      throw Error(std::string(kRoles[role].field) + " is " + io::inQuotes(names[role]) +
                      ", but tokenizer.json has " + io::inQuotes(name),
                  settings.place, "Correct one of the two files");
  };
  require(kUnknown, file->unknown);
  require(kFirst, file->first.content);
  require(kLast, file->last.content);
  return names;
}

}  // namespace

EncoderVocabulary readEncoderVocabulary(const fs::path& folder) {
  const ModelConfig config = readPretrainedConfig(folder);
  if (config.input == InputKind::Features)
    throw Error("this encoder reads rows of numbers, not texts", folder.string(),
                "Choose the folder of a BERT or Funnel");
  if (!config.hasEncoder())
    throw Error("this is no encoder", folder.string(), "Choose the folder of a BERT or Funnel");
  const FolderSettings settings = folderSettings(folder);
  std::optional<TokenizerJson> file;
  if (const fs::path path = folder / "tokenizer.json"; fileExists(path))
    file = readTokenizerJson(path);
  // Of the families, only Funnel's positions are relative.
  const TokenizerClass& kind = classOf(folder, settings, config.positions == Positions::Relative);
  if (kind.reads_json && !file)
    throw Error("there is no tokenizer.json, which " + std::string(kind.name) + " reads",
                folder.string(), "Copy it from where the encoder is from");

  Joining joining(folder, vocabularyOf(folder, file), config.source_vocabulary);
  std::vector<AddedToken> added = settings.added;
  if (file) {
    added.insert(added.end(), file->added.begin(), file->added.end());
    for (const AddedToken& around : {file->first, file->last})
      if (joining.find(around.content) != around.id) joining.add(around);  // throws, or is new
  }
  for (const AddedToken& token : added) joining.add(token);

  const auto special = specialNames(settings, file, kind);
  std::vector<std::string> all_special(special.begin(), special.end());
  all_special.insert(all_special.end(), settings.other_special.begin(),
                     settings.other_special.end());
  if (settings.reads_special)
    for (const std::string& name : all_special)
      if (const std::int32_t id = joining.find(name); id >= 0) joining.name(name, id, false);
  for (const std::string& name : settings.other_special)
    if (joining.find(name) < 0) joining.leaveOut(name);
  for (const AddedToken& token : added)
    if (const std::int32_t id = joining.find(token.content);
        id >= 0 && (settings.reads_special || !token.special))
      joining.name(token.content, id, token.normalized);
  for (std::size_t i = 0; i < kRoles.size(); ++i) {
    const std::int32_t id = joining.find(special[i]);
    if (id < 0 && i != kMask)
      throw Error(std::string(kRoles[i].field) + " is " + io::inQuotes(special[i]) +
                      ", which is not in the vocabulary",
                  folder.string(), "Add it to the vocabulary, or name the token that has its part");
    joining.rename(special[i], kRoles[i].name);
    // It is also what the program itself calls the token.
    if (id >= 0 && settings.reads_special) joining.name(std::string(kRoles[i].name), id, false);
  }

  EncoderVocabulary read = joining.result();
  read.rules.text = textRules(settings, file, kind);
  if (file) read.rules.longest_word = file->longest_word;
  read.longest = std::min(settings.longest.value_or(config.source_length), config.source_length);
  try {
    const EncoderTokens usable(read.tokens, read.rules);
  } catch (const Error& error) {
    throw Error(error.problem(), folder.string(), error.hint());
  }
  return read;
}

}  // namespace tfm::data
