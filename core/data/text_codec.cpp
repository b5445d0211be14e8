// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_codec.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/data/cleaning.h"
#include "core/data/document_paths.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/text_features.h"
#include "core/data/number_table.h"
#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/pipeline/pipeline_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {
namespace {

constexpr std::int64_t kMaxLength = 65'536;
constexpr const char* kRules = "tokenizer_rules";

/// What toJson() writes beside names and paths.
struct Settings {
  TaskForm form{};
  TaskLengths lengths;
  bool clean = false;
  DrawnFeatures drawn = {};
};

std::vector<io::Field> fieldsOf(Settings& s) {
  return {
      {"form", "The form of the answers",
       io::choice(s.form,
                  {"sequence", "same_length", "text", "masked", "classes", "numbers", "none"})},
      {"source_length", "Positions of a question",
       io::IntegerSlot{&s.lengths.source, 1, kMaxLength}},
      {"target_length", "Positions of an answer",
       io::IntegerSlot{&s.lengths.target, 0, kMaxLength}},
      {"input_length", "Tokens of the longest question",
       io::IntegerSlot{&s.lengths.input, 1, kMaxLength}},
      {"clean", "Only a-z, 0-9 and spaces are read", io::SwitchSlot{&s.clean}},
  };
}

/// Written only where there are such features.
std::vector<io::Field> drawnFieldsOf(Settings& s) {
  return {
      {"feature_width", "Random numbers that stand for a token; 0: the model reads the tokens",
       io::IntegerSlot{&s.drawn.width, 0, kMaxLength}},
      {"feature_seed", "Their seed",
       io::IntegerSlot{&s.drawn.seed, 0, std::numeric_limits<std::int32_t>::max()}},
  };
}

/// The numbers of each token, where they are given.
DrawnFeatures readGiven(io::ObjectReader& reader, DrawnFeatures drawn,
                        const Vocabulary& vocabulary) {
  const nlohmann::json* list = reader.child("feature_numbers");
  if (list == nullptr) return drawn;
  const auto count = std::size_t(drawn.width * vocabulary.size());
  const auto isNumber = [](const nlohmann::json& value) { return value.is_number(); };
  if (!list->is_array() || list->size() != count || count == 0 ||
      !std::ranges::all_of(*list, isNumber))
    throw Error("'feature_numbers' is not a list of numbers for each token", reader.where(),
                "Expected " + std::to_string(count) + " numbers");
  drawn.given = std::make_shared<const std::vector<double>>(list->get<std::vector<double>>());
  return drawn;
}

std::shared_ptr<const Tokenizer> tokenizerFrom(const std::string& name,
                                               const Vocabulary& vocabulary,
                                               const std::string& rules, const std::string& where) {
  if (name == PipelineTokenizer::kName)
    return std::make_shared<PipelineTokenizer>(vocabulary.tokens(), rules, where);
  if (name == EncoderTokens::kName)
    return std::make_shared<EncoderTokens>(vocabulary.tokens(),
                                           wordPieceRulesFromJson(rules, where));
  TokenizerConfig config;
  config.kind = findTokenizer(name);
  config.vocabulary = vocabularyText(vocabulary);
  config.rules = rules;
  return makeTokenizer(config, {});
}

/// Throws Error where the parts do not make a codec.
void checkParts(const Settings& settings, const std::string& tokenizer, const Vocabulary& source,
                const Vocabulary& target, const std::string& where) {
  const TaskForm form = settings.form;
  const auto require = [&](bool there, const std::string& problem) {
    if (!there) throw Error(problem, where, "The form of the answers needs it");
  };
  const bool writes = form == TaskForm::Sequence || form == TaskForm::SameLength;
  const std::int64_t shortest = tokenizer == EncoderTokens::kName ? 2 : 1;
  const TaskLengths& l = settings.lengths;
  if (l.input < shortest || l.input > l.source)
    throw Error("input_length is " + std::to_string(l.input), where,
                "Expected " + std::to_string(shortest) + " to the source_length, " +
                    std::to_string(l.source));
  require(form == TaskForm::None || target.size() > 0, "there is no target vocabulary");
  require(form == TaskForm::Text || source.pad() >= 0, "the source vocabulary has no pad token");
  require(!writes || target.pad() >= 0, "the target vocabulary has no pad token");
  require(!writes || target.start() >= 0, "the target vocabulary has no start token");
  const bool reads_answers = form == TaskForm::Text || form == TaskForm::Masked;
  require((!reads_answers && (!writes || tokenizer.empty())) || source == target,
          "the target vocabulary is not the source vocabulary");
  require(form != TaskForm::Masked || !tokenizer.empty(), "there is no tokenizer");
  if (settings.drawn.width > 0 && !settings.drawn.given && !tokenizer.empty())
    throw Error("feature_width is " + std::to_string(settings.drawn.width), where,
                "Expected 0 with a tokenizer: random features stand for characters");
}

}  // namespace

TextCodec::TextCodec(std::string name, TaskForm form, Vocabulary source, Vocabulary target,
                     TaskLengths lengths, DrawnFeatures drawn)
    : name_(std::move(name)),
      form_(form),
      source_(std::move(source)),
      target_(std::move(target)),
      lengths_(lengths),
      drawn_(std::move(drawn)) {
  if (form_ == TaskForm::Masked)
    mask_ = source_.find(kMaskToken);
  else if (form_ != TaskForm::Classes && form_ != TaskForm::Numbers && form_ != TaskForm::None)
    joint_ = JointVocabulary(source_, target_);
}

TextCodec::TextCodec(std::string name, TaskForm form, std::shared_ptr<const Tokenizer> tokenizer,
                     Vocabulary target, TaskLengths lengths, bool clean,
                     std::shared_ptr<TextFeatures> features, DrawnFeatures given)
    : TextCodec(std::move(name), form, tokenizer->vocabulary(), std::move(target), lengths,
                std::move(given)) {
  tokenizer_ = std::move(tokenizer);
  if (form_ == TaskForm::Masked) mask_ = tokenizer_->mask();
  clean_ = clean;
  features_ = std::move(features);
}

std::shared_ptr<const TextCodec> TextCodec::fromJson(std::string_view json, Vocabulary source,
                                                     Vocabulary target, const std::string& where,
                                                     const std::filesystem::path& folder) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  Settings settings;
  const auto name = reader.get<std::string>("name", "model");
  const auto tokenizer = reader.get<std::string>("tokenizer", "");
  const auto encoder = reader.get<std::string>("encoder_path", "");
  const auto content = reader.get<std::string>("encoder_content", "");
  const std::vector<io::Field> fields = fieldsOf(settings);
  for (const io::Field& field : fields)
    if (!object.contains(std::string(field.name)) && field.name != "clean")
      throw Error("'" + std::string(field.name) + "' is missing", where,
                  std::string(field.meaning) + ": " + io::allowedText(field));
  reader.readFields(fields);
  const std::vector<io::Field> drawn = drawnFieldsOf(settings);
  reader.readFields(drawn);
  io::checkFields(drawn, where);
  settings.drawn = readGiven(reader, settings.drawn, source);
  const nlohmann::json* rules = reader.child(kRules);
  reader.refuseUnknown();
  io::checkFields(fields, where);
  checkParts(settings, tokenizer, source, target, where);
  if (tokenizer.empty())
    return std::make_shared<const TextCodec>(name, settings.form, std::move(source),
                                             std::move(target), settings.lengths, settings.drawn);
  auto made = tokenizerFrom(tokenizer, source, rules == nullptr ? "" : rules->dump(),
                            where + ", " + kRules);
  if (!(made->vocabulary() == source))
    throw Error("the source vocabulary has other special tokens than the tokenizer " + tokenizer,
                where, "Expected " + io::shortened(made->vocabulary().toJson(), 60));
  if (settings.form == TaskForm::Masked && made->mask() < 0)
    throw Error("the vocabulary has no token " + std::string(kMaskToken), where,
                "The form of the answers needs it");
  auto features = encoder.empty() ? nullptr
                                  : std::make_shared<TextFeatures>(
                                        foundFolder(placeOf(encoder, folder), content), content);
  return std::make_shared<const TextCodec>(name, settings.form, std::move(made), std::move(target),
                                           settings.lengths, settings.clean, std::move(features),
                                           settings.drawn);
}

std::string TextCodec::toJson(const std::filesystem::path& folder) const {
  Settings settings{form_, lengths_, clean_, drawn_};
  nlohmann::ordered_json json{{"name", name_}, {"tokenizer", tokenizerName()}};
  io::writeFields(fieldsOf(settings), json);
  if (const std::string rules = tokenizerRules(); !rules.empty())
    json[kRules] = nlohmann::ordered_json::parse(rules);
  if (drawn_.width > 0) io::writeFields(drawnFieldsOf(settings), json);
  if (drawn_.given) json["feature_numbers"] = *drawn_.given;
  if (features_) {
    json["encoder_path"] = storedPath(features_->folder(), folder);
    json["encoder_content"] = features_->content();
  }
  return json.dump();
}

std::vector<double> DrawnFeatures::row(std::int32_t id) const {
  if (given) {
    const auto first = given->begin() + std::ptrdiff_t(id) * std::ptrdiff_t(width);
    return {first, first + std::ptrdiff_t(width)};
  }
  const Random random(std::uint64_t(seed), streams::kDrawnFeatures.first, std::uint64_t(id));
  std::vector<double> numbers(static_cast<std::size_t>(width));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = random.normal(i);
  return numbers;
}

std::int64_t TextCodec::featureWidth() const {
  return features_ ? features_->width() : drawn_.width;
}

std::string_view TextCodec::tokenizerName() const {
  return tokenizer_ ? tokenizer_->name() : std::string_view();
}

std::string TextCodec::tokenizerRules() const {
  return tokenizer_ ? tokenizer_->rules() : std::string();
}

/// The token between two lines, or -1.
std::int32_t TextCodec::lineEnd() const {
  return form_ == TaskForm::Text && !tokenizer_ ? target_.start() : -1;
}

Ids TextCodec::ends() const { return tokenizer_ ? tokenizer_->ends() : Ids{lineEnd()}; }

std::optional<Ids> TextCodec::rightAnswer(std::span<const std::int32_t>) const {
  return std::nullopt;
}

std::vector<double> TextCodec::rightNumbers(std::span<const std::int32_t>) const { return {}; }

std::optional<Example> TextCodec::learned(std::span<const std::int32_t> question) const {
  const Ids source(question.begin(), question.end());
  if (form_ == TaskForm::Text && source.size() > 1)
    return Example{source, Ids(source.begin() + 1, source.end())};
  if (form_ == TaskForm::Numbers && !rightNumbers(question).empty()) return Example{source, {}};
  if (std::optional<Ids> answer = rightAnswer(question)) return Example{source, std::move(*answer)};
  return std::nullopt;
}

double TextCodec::tolerance() const { return 0.1; }

Ids TextCodec::tokensOf(std::string_view text) const {
  if (!tokenizer_) return source_.encode(text);
  return clean_ ? tokenizer_->encode(cleanText(text)) : tokenizer_->encode(text);
}

/// The tokens of a text with the names of special tokens in it.
Ids TextCodec::withSpecials(std::string_view text) const {
  // Characters count white space at the ends of a part, and byte pairs have the space before a
  // word, which other tokenizers skip. A full stop is one token, known or not.
  const bool characters =
      tokenizerName() == data::tokenizerName(TokenizerKind::Character) && !clean_;
  const bool pairs = tokenizerName() == data::tokenizerName(TokenizerKind::BytePair) && !clean_;
  Ids ids;
  const auto append = [&](std::string_view part, bool first, bool last) {
    const std::string before = (characters || pairs) && !first ? "." : "";
    const std::string after = characters && !last ? "." : "";
    const Ids more = tokensOf(before + std::string(part) + after);
    ids.insert(ids.end(), more.begin() + std::ssize(before), more.end() - std::ssize(after));
  };
  for (bool first = true;; first = false) {
    std::size_t at = text.npos;
    std::int32_t found = -1;
    for (const std::int32_t id : {mask_, source_.unknown()}) {
      const std::size_t place = text.find(source_.token(id));
      if (place < at) found = id;
      at = std::min(at, place);
    }
    append(text.substr(0, at), first, at == text.npos);
    if (at == text.npos) return ids;
    ids.push_back(found);
    text.remove_prefix(at + source_.token(found).size());
  }
}

/// Throws Error for a word that names no row: there are no numbers for it.
void TextCodec::requireRows(std::string_view text) const {
  for (const std::string& word : basicWords(text)) {
    const std::int32_t id = source_.find(word);
    if (id < kFirstRow)
      throw Error("there is no row " + io::inQuotes(word), "input",
                  "The rows are r1 to r" + std::to_string(source_.size() - kFirstRow));
  }
}

Reading TextCodec::readInput(std::string_view text) const {
  const bool names = form_ == TaskForm::Masked && !tokenizer_->readsMask();
  Reading reading{names ? withSpecials(text) : tokensOf(text)};
  if (lineEnd() >= 0) reading.ids.insert(reading.ids.begin(), lineEnd());
  reading.tokens = static_cast<std::int64_t>(reading.ids.size());
  if (reading.tokens == 0)
    throw Error("there is nothing to answer", "input", "Type at least one character.");
  if (reading.tokens > lengths_.input) {
    if (form_ == TaskForm::Text)  // the end matters most for what follows
      reading.ids.erase(reading.ids.begin(), reading.ids.end() - lengths_.input);
    else if (!tokenizer_ || readsRows())
      throw Error("the text has " + std::to_string(reading.tokens) +
                      (readsRows() ? " rows, at most " : " characters, at most ") +
                      std::to_string(lengths_.input) + " are allowed",
                  "input",
                  readsRows() ? "A sequence has " + std::to_string(lengths_.input) + " rows"
                              : "Shorten it, or start a task with longer sequences.");
    else
      shorten(reading.ids);
  }
  if (readsRows()) requireRows(text);
  if (tokenizer_)
    reading.unknown = std::count(reading.ids.begin(), reading.ids.end(), source_.unknown());
  return reading;
}

bool TextCodec::canRead(std::string_view text) const {
  try {
    readInput(text);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string TextCodec::inputText(std::span<const std::int32_t> ids) const {
  return tokenizer_ ? tokenizer_->decode(ids) : source_.decode(ids);
}

std::string TextCodec::inputNotice(std::string_view text) const {
  const Reading reading = readInput(text);
  std::string notice = noticeOf(reading, lengths_.input, form_ == TaskForm::Text ? "last" : "first",
                                tokenizer_ ? "tokens" : "characters");
  if (form_ == TaskForm::Masked &&
      std::ranges::none_of(reading.ids, [&](std::int32_t id) { return hides(id); }))
    notice += (notice.empty() ? "" : "; ") + std::string("no token is hidden: write ") +
              source_.token(mask_) + " for each that the model is to fill in";
  return notice;
}

std::string noticeOf(const Reading& reading, std::int64_t longest, std::string_view kept,
                     std::string_view unit) {
  std::string notice;
  if (reading.tokens > longest)
    notice = "only the " + std::string(kept) + " " + std::to_string(longest) + " of " +
             std::to_string(reading.tokens) + " " + std::string(unit) + " are read";
  if (reading.unknown > 0)
    notice += (notice.empty() ? "" : "; ") + std::to_string(reading.unknown) +
              (reading.unknown == 1 ? " token is" : " tokens are") + " not in the vocabulary";
  return notice;
}

Ids TextCodec::encodeAnswer(std::string_view text) const {
  return tokenizer_ ? tokensOf(text) : target_.encode(text);
}

std::string TextCodec::answerText(std::span<const std::int32_t> ids) const {
  if (form_ == TaskForm::Text) return inputText(ids);
  const bool fills = form_ == TaskForm::Masked;
  if (!fills && tokenizerName() != PipelineTokenizer::kName) return target_.decode(ids);
  Ids answer(ids.begin(), ids.end());
  if (fills) {
    std::erase(answer, target_.pad());
  } else {
    const Ids& ends = tokenizer_->ends();
    answer.erase(std::ranges::find_if(answer,
                                      [&](std::int32_t id) {
                                        return id == target_.pad() ||
                                               std::ranges::find(ends, id) != ends.end();
                                      }),
                 answer.end());
  }
  tokenizer_->stripAround(answer);
  return inputText(answer);
}

}  // namespace tfm::data
