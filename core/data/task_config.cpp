// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_config.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/base/error.h"
#include "core/data/task_fields.h"
#include "core/data/task_table.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

using nlohmann::json;

constexpr std::size_t kShown = 60;  // bytes of a value in a message

/// The list of fields, for reading, writing and messages.
template <typename Config, typename Visit>
void forEachField(Config& config, const Visit& visit) {
  visit("kind", config.kind);
  visit("max_length", config.max_length);
  visit("alphabet_size", config.alphabet_size);
  visit("digits", config.digits);
  visit("fixed_digits", config.fixed_digits);
  visit("context_length", config.context_length);
  visit("label_first", config.label_first);
  visit("held_out", config.held_out);
  visit("loss_positions", config.loss_positions);
  visit("path", config.path);
  visit("text", config.text);
  visit("test_path", config.test_path);
  visit("test_text", config.test_text);
  visit("tokenizer", config.tokenizer);
  visit("vocabulary_size", config.vocabulary_size);
  visit("vocabulary_path", config.vocabulary_path);
  visit("vocabulary", config.vocabulary);
  visit("tokenizer_rules", config.tokenizer_rules);
  visit("clean", config.clean);
  visit("encoder_path", config.encoder_path);
  visit("encoder_content", config.encoder_content);
  visit("mask_rate", config.mask_rate);
  visit("by_line", config.by_line);
  visit("feature_width", config.feature_width);
  visit("target_width", config.target_width);
  visit("feature_seed", config.feature_seed);
  visit("answers_input", config.answers_input);
  visit("header", config.header);
}

/// Fields that are not written where they have their default value.
constexpr std::string_view kBrief[] = {"mask_rate",    "by_line",        "feature_width",
                                       "target_width", "feature_seed",   "answers_input",
                                       "header",       "tokenizer_rules"};

std::string where(const std::string& field) { return "task." + field; }

void require(bool fits, const std::string& field, const json& value, const char* expected) {
  if (fits) return;
  throw Error(field + " is " + io::shortened(value.dump(), kShown) + "; expected " + expected,
              where(field), "Correct its value");
}

void read(const std::string& field, const json& value, std::string& result) {
  require(value.is_string(), field, value, "a text");
  result = value.get<std::string>();
}

void read(const std::string& field, const json& value, bool& result) {
  require(value.is_boolean(), field, value, "true or false");
  result = value.get<bool>();
}

void read(const std::string& field, const json& value, double& result) {
  require(value.is_number(), field, value, "a number");
  result = value.get<double>();
}

void read(const std::string& field, const json& value, std::int64_t& result) {
  const bool too_large = value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX;
  require(value.is_number_integer() && !too_large, field, value, "a whole number");
  result = value.get<std::int64_t>();
}

constexpr const char* kAll = "all";
constexpr const char* kFirstPad = "first_pad";

void read(const std::string& field, const json& value, LossPositions& result) {
  require(value == kAll || value == kFirstPad, field, value, "\"all\" or \"first_pad\"");
  result = value == kAll ? LossPositions::All : LossPositions::FirstPad;
}

constexpr std::string_view kHeaders[] = {"found", "yes", "no"};  // in the order of TableHeader

void read(const std::string& field, const json& value, TableHeader& result) {
  const auto found =
      value.is_string()
          ? std::ranges::find(kHeaders, std::string_view(value.get_ref<const std::string&>()))
          : std::end(kHeaders);
  require(found != std::end(kHeaders), field, value, "\"found\", \"yes\" or \"no\"");
  result = static_cast<TableHeader>(found - std::begin(kHeaders));
}

template <typename Value>
json written(const Value& value) {
  return value;
}

json written(TableHeader value) { return kHeaders[static_cast<std::size_t>(value)]; }

json written(LossPositions value) { return value == LossPositions::All ? kAll : kFirstPad; }

template <typename Value>
void requireRange(std::string_view field, Value value, Value lowest, Value highest) {
  if (value >= lowest && value <= highest) return;  // false for NaN
  std::ostringstream problem;
  problem << field << " is " << value << "; allowed are " << lowest << " to " << highest;
  throw Error(problem.str(), where(std::string(field)), "Choose a number in that range");
}

}  // namespace

TaskConfig defaultTaskConfig(std::string_view kind) {
  const TaskRow& row = findTask(kind);
  TaskConfig config;
  config.kind = row.name;
  config.max_length = row.max_length;
  config.tokenizer = row.tokenizer;
  return config;
}

bool lacksFile(const TaskConfig& config) {
  return findTask(config.kind).file == TaskFile::Needed && config.path.empty() &&
         config.text.empty();
}

void validate(const TaskConfig& config) {
  findTask(config.kind);
  TaskConfig copy = config;
  for (const io::Field& field : taskFields(copy)) {
    if (const auto* whole = std::get_if<io::IntegerSlot>(&field.slot))
      requireRange(field.name, *whole->value, whole->lowest, whole->highest);
    if (const auto* real = std::get_if<io::RealSlot>(&field.slot))
      requireRange(field.name, *real->value, real->lowest, real->limit);
  }
  findTokenizer(config.tokenizer);
  if (config.kind == "regression" && config.header == TableHeader::No)
    throw Error("header is no; a table of numbers has one", where("header"),
                "Begin it with x1, x2, ... for inputs and y1, y2, ... for targets");
  if (!config.tokenizer_rules.empty())
    wordPieceRulesFromJson(config.tokenizer_rules, where("tokenizer_rules"));
  if (lacksFile(config))
    throw Error("path is empty; the task " + config.kind + " needs a file", where("path"),
                "Choose a table in UTF-8: two columns separated by tabs, or CSV.");
}

std::string toJson(const TaskConfig& config) {
  json fields;
  forEachField(config,
               [&](const char* field, const auto& value) { fields[field] = written(value); });
  const TaskConfig usual;
  forEachField(usual, [&](const char* field, const auto& value) {
    const bool brief = std::ranges::find(kBrief, std::string_view(field)) != std::end(kBrief);
    if (brief && fields[field] == written(value)) fields.erase(field);
  });
  return fields.dump();
}

TaskConfig taskConfigFromJson(std::string_view text) {
  const json fields = io::parseJson(text, "task");
  if (!fields.is_object())
    throw Error("the task is not a JSON object", "task", "Expected: {\"kind\": ...}");
  TaskConfig config;
  if (fields.contains("kind")) read("kind", fields["kind"], config.kind);
  config = defaultTaskConfig(config.kind);

  json unknown = fields;
  std::string names;
  forEachField(config, [&](const char* field, auto& value) {
    names += (names.empty() ? "" : ", ") + std::string(field);
    if (fields.contains(field)) read(field, fields[field], value);
    unknown.erase(field);
  });
  if (!unknown.empty()) {
    throw Error("there is no field " + io::inQuotes(unknown.begin().key()), "task",
                "The fields are " + names + ".");
  }
  validate(config);
  return config;
}

}  // namespace tfm::data
