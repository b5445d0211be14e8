// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/task_options.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/common_options.h"
#include "app/cli/experiment.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/data/task_fields.h"
#include "core/data/task_table.h"
#include "core/io/utf8.h"

namespace tfm::cli {
namespace {

using nlohmann::json;

std::string optionOf(std::string_view field) {
  if (field == "kind") return "--task";
  if (field == "path") return "--data";
  if (field.ends_with("_path")) field.remove_suffix(std::string_view("_path").size());
  std::string name = "--" + std::string(field);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// Returns make(). An Error about a field of the task in `given` names its option.
template <class Make>
auto namingOption(const json& given, const Make& make) {
  constexpr std::string_view kTask = "task.";
  try {
    return make();
  } catch (const Error& problem) {
    const std::string_view where = problem.where();
    if (!where.starts_with(kTask)) throw;
    const std::string field(where.substr(kTask.size()));
    if (!given.contains(field) && field != "path") throw;  // a required file is missing
    throw Error(problem.problem(), optionOf(field), problem.hint());
  }
}

/// Throws Error for an option that tasks of this kind do not have.
void requireOwned(const json& given, const std::string& kind) {
  for (const auto& [field, value] : given.items()) {
    if (data::takesField(kind, field)) continue;
    std::string kinds;
    for (const std::string_view one : data::kindsOf(field))
      kinds += (kinds.empty() ? "" : ", ") + std::string(one);
    throw Error("the task " + kind + " does not use it", optionOf(field),
                "Leave it out; it is for " + kinds);
  }
}

/// Throws Error for a file whose name cannot be kept in a model.
void requireNames(const json& given) {
  for (const auto& [field, value] : given.items())
    if (value.is_string() && io::firstInvalidUtf8(value.get_ref<const std::string&>()))
      throw Error("the name is not UTF-8, in which a saved model keeps it", optionOf(field),
                  "Rename the file");
}

/// Files given as options replace the texts in a config.
void forgetKept(const json& given, json& fields) {
  const json usual = json::parse(data::toJson(data::TaskConfig{}));
  const auto forget = [&](const char* field) {
    if (usual.contains(field))
      fields[field] = usual.at(field);
    else
      fields.erase(field);
  };
  if (given.contains("path")) fields.erase("header");
  if (given.contains("path") && fields["text"] != "")
    for (const char* field :
         {"text", "test_text", "test_path", "vocabulary", "tokenizer_rules", "label_first"})
      forget(field);
  if (given.contains("test_path")) forget("test_text");
  if (given.contains("vocabulary_path") || given.contains("encoder_path")) {
    forget("vocabulary");
    forget("tokenizer_rules");
  }
  if (given.contains("encoder_path")) forget("encoder_content");
}

}  // namespace

TaskOptions::TaskOptions(CLI::App& options) : given_(std::make_shared<json>(json::object())) {
  const auto keep = [given = given_](const char* field) {
    return [given, field](const auto& value) { (*given)[field] = value; };
  };
  const auto word = [&](const char* name, const char* field, const char* meaning) {
    return options.add_option_function<std::string>(name, keep(field), meaning)->group("Task");
  };
  // What is allowed depends on the kind of task.
  const auto whole = [&](const char* name, const char* field, const char* meaning) {
    addNumberFunction<std::int64_t>(options, name, {}, meaning, keep(field))->group("Task");
  };
  const auto real = [&](const char* name, const char* field, const char* meaning) {
    addNumberFunction<double>(options, name, {}, meaning, keep(field))->group("Task");
  };
  const auto flag = [&](const char* name, const char* field, const char* meaning) {
    options
        .add_flag_callback(
            name, [given = given_, field] { (*given)[field] = true; }, meaning)
        ->group("Task");
  };
  word("--task", "kind", "What to learn; see transformarium-cli tasks")->type_name("KIND");
  word("--data,--train", "path",
       "The text or table to learn from: tab-separated or CSV, perhaps compressed by gzip; "
       "sentiment: also a folder of reviews in pos and neg; regression: an .npz with inputs and "
       "targets, or a table with the columns x1, x2, ... and y1, y2, ...")
      ->type_name("FILE");
  word("--test", "test_path", "classes, sentiment: test texts")->type_name("FILE");
  word("--tokenizer", "tokenizer",
       "classes, sentiment, masked: the tokenizer: character (in lower case, with single spaces), "
       "word, wordpiece or bpe; pairs: character or bpe, byte pairs learned from both columns")
      ->type_name("WORD");
  word("--vocabulary", "vocabulary_path", "A vocab.txt with one token per line; learned by default")
      ->type_name("FILE");
  whole("--vocabulary-size", "vocabulary_size", "Maximum size of a learned vocabulary");
  word("--encoder", "encoder_path",
       "classes, sentiment: the folder of a pretrained BERT or Funnel that encodes the texts, "
       "frozen")
      ->type_name("FOLDER");
  flag("--clean", "clean",
       "classes, sentiment, masked: keep only a-z, 0-9 and spaces of the texts");
  word("--loss-positions", "loss_positions", "Answer positions in the loss: all or first_pad")
      ->type_name("WORD");
  real("--held-out", "held_out", "Share of held-out examples");
  whole("--max-length", "max_length", "Positions of a sequence");
  whole("--alphabet-size", "alphabet_size",
        "Number of letters in generated words; facts: number of people");
  whole("--digits", "digits", "addition: maximum digits of a summand");
  flag("--fixed-digits", "fixed_digits", "addition: zero-pad numbers");
  whole("--context-length", "context_length", "text: characters the model sees at once");
  real("--mask-rate", "mask_rate", "masked: share of the tokens of a text that are hidden");
  flag("--by-line", "by_line",
       "text, masked: each line is a text, instead of all windows of the whole");
  whole("--feature-width", "feature_width", "regression: generated numbers at a position");
  whole("--target-width", "target_width", "regression: generated numbers to answer with");
  whole("--feature-seed", "feature_seed", "regression: the seed of both");
  flag("--answers-input", "answers_input",
       "regression: the generated numbers themselves are the answer");
  flag("--label-first", "label_first", "classes, sentiment: the label is the first column");
  word(
      "--header", "header",
      "pairs, classes, sentiment: whether the first row of the table names its columns: yes or no; "
      "by default, found by its words")
      ->type_name("WORD");
}

bool TaskOptions::given() const { return !given_->empty(); }

std::vector<GivenFile> TaskOptions::files() const {
  return {{"--data", given_->value("path", "")},
          {"--test", given_->value("test_path", "")},
          {"--vocabulary", given_->value("vocabulary_path", "")}};
}

std::string TaskOptions::kind() const { return given_->value("kind", ""); }

data::TaskConfig TaskOptions::apply(const std::optional<data::TaskConfig>& usual,
                                    const ModelConfig& model) const {
  requireNames(*given_);
  const auto kind = given_->find("kind");
  if (kind == given_->end() && !usual)
    throw Error("no task is given", "--task", "Choose a task; transformarium-cli tasks lists them");
  const bool other = kind != given_->end() && (!usual || *kind != usual->kind);
  const data::TaskConfig base = namingOption(
      *given_, [&] { return other ? defaultTask(kind->get<std::string>(), model) : *usual; });
  json fields = json::parse(data::toJson(base));
  forgetKept(*given_, fields);
  fields.update(*given_);
  data::TaskConfig task =
      namingOption(*given_, [&] { return data::taskConfigFromJson(fields.dump()); });
  requireOwned(*given_, task.kind);
  // Absolute, so that a saved model finds it from any folder.
  if (!task.encoder_path.empty())
    task.encoder_path = std::filesystem::absolute(task.encoder_path).lexically_normal().string();
  return task;
}

std::unique_ptr<data::Task> TaskOptions::make(const data::TaskConfig& config) const {
  auto task = namingOption(*given_, [&] { return data::makeTask(config); });
  sayNotes(task->notes());
  return task;
}

std::string noteText(const data::ReadingNote& note) {
  if (note.field.empty()) return note.sentence;
  const std::string value = note.value == "true" ? "" : " " + note.value;
  return note.sentence + "; " + optionOf(note.field) + value + " " + note.otherwise;
}

void sayNotes(const data::ReadingNotes& notes) {
  for (const data::ReadingNote& note : notes) say("note: " + noteText(note));
}

}  // namespace tfm::cli
