// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/new_run.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <limits>

#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/data/labelled_corpus.h"
#include "core/data/labelled_task.h"
#include "core/data/task_tokenizer.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/model/build_program.h"
#include "core/model/config_fields.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"
#include "ui/views/experiment/task_paths.h"

namespace tfm::ui {
namespace {

using io::IntegerSlot;
using io::RealSlot;
using io::SwitchSlot;

/// Decided by the task, not by the user.
constexpr std::array<std::string_view, 8> kFromTask{
    "input",       "output",        "source_vocabulary", "target_vocabulary",
    "output_size", "source_length", "target_length",     "memory_size"};

/// Set only by growth: what a model was before it grew.
constexpr std::array<std::string_view, 7> kFromGrowth{
    "sinusoid_size", "sinusoid_repeats", "feature_size",  "mask_size",
    "mask_begin",    "mask_steps",       "embedding_base"};

/// Decided by a preset whose layers differ.
constexpr std::array<std::string_view, 8> kOfLayers{
    "architecture", "encoder_layers", "decoder_layers", "heads",
    "key_size",     "value_size",     "feed_forward",   "norm_eps"};

constexpr std::string_view kRunEpochs = "epochs";
constexpr std::array<std::string_view, 3> kAtStart{"optimizer", "learning_rate", "batch_size"};

bool contains(auto list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// The choice of a task's tokenizer. Answers of pairs are written, which not all tokenizers can.
io::ChoiceSlot tokenizerChoice(data::TaskConfig& task) {
  using enum data::TokenizerKind;
  std::vector<std::string_view> names;
  for (const data::TokenizerKind kind : {Character, BytePair, Word, WordPiece})
    if (task.kind != "pairs" || data::canWrite(kind)) names.push_back(data::tokenizerName(kind));
  return {names,
          [&task, names] { return int(std::ranges::find(names, task.tokenizer) - names.begin()); },
          [&task, names](int choice) { task.tokenizer = names[std::size_t(choice)]; }};
}

bool canLearn(const Preset& preset, const data::Task& task) {
  if (preset.task.empty()) return false;
  return !problemOf([&] { train::framingFor(preset.config(), task); });
}

}  // namespace

std::vector<io::Field> NewRun::taskFields() {
  const std::string& kind = task.kind;
  const bool labelled = data::takesLabelledTexts(kind), masked = kind == "masked";
  std::vector<io::Field> fields;
  if (kind == "addition") {
    fields.push_back({"digits", "Maximum number of digits", IntegerSlot{&task.digits, 1, 9}});
    fields.push_back(
        {"fixed_digits", "Pad with zeros: 07+12 is 019", SwitchSlot{&task.fixed_digits}});
  } else if (kind == "text") {
    fields.push_back({"context_length", "Characters the model sees at once",
                      IntegerSlot{&task.context_length, 1, 65536}});
  } else if (labelled || masked) {
    fields.push_back({"tokenizer", "How texts are split into tokens", tokenizerChoice(task)});
    fields.push_back(
        {"max_length", "Tokens of a text the model sees", IntegerSlot{&task.max_length, 2, 65536}});
    fields.push_back({"vocabulary_size", "Maximum number of tokens learned from the texts",
                      IntegerSlot{&task.vocabulary_size, 16, 65536}});
    fields.push_back({"clean", "Keep only a-z, 0-9 and spaces", SwitchSlot{&task.clean}});
  } else if (kind == "regression") {
    fields.push_back(
        {"max_length", "Positions of a sequence", IntegerSlot{&task.max_length, 2, 65536}});
    fields.push_back({"feature_width", "Random numbers that the model reads at a position",
                      IntegerSlot{&task.feature_width, 1, 1024}});
    fields.push_back({"target_width", "Numbers in its answer at a position",
                      IntegerSlot{&task.target_width, 1, 1024}});
    fields.push_back(
        {"feature_seed", "Seed of these numbers",
         IntegerSlot{&task.feature_seed, 0, std::numeric_limits<std::int32_t>::max()}});
    fields.push_back({"answers_input", "The answer repeats the numbers that the model reads",
                      SwitchSlot{&task.answers_input}});
  } else if (kind == "pairs") {
    fields.push_back({"tokenizer", "How texts are split into tokens", tokenizerChoice(task)});
    fields.push_back({"max_length", "Maximum length of a question in tokens",
                      IntegerSlot{&task.max_length, 2, 65536}});
    fields.push_back({"vocabulary_size", "Maximum number of tokens learned from the texts",
                      IntegerSlot{&task.vocabulary_size, 16, 65536}});
  } else if (kind != "facts") {
    fields.push_back({"max_length", "Maximum length of a question in characters",
                      IntegerSlot{&task.max_length, 2, 65536}});
  }
  if (kind == "rot13" || kind == "copy" || kind == "reverse" || kind == "sort")
    fields.push_back({"alphabet_size", "Number of different letters in the words",
                      IntegerSlot{&task.alphabet_size, 2, 26}});
  if (kind == "facts") return fields;
  if (masked) {
    fields.push_back({"by_line", "Each line is a text of its own", SwitchSlot{&task.by_line}});
    fields.push_back({"mask_rate", "Share of the tokens of a text that are hidden",
                      RealSlot{&task.mask_rate, 0.01, 0.9}});
  }
  if (kind == "pairs" || labelled)
    fields.push_back({"header", "Whether the first row of the table names its columns",
                      io::choice(task.header, {"found", "yes", "no"})});
  if (labelled)
    fields.push_back(
        {"label_first", "The label is the first column", SwitchSlot{&task.label_first}});
  fields.push_back({"held_out", "Share of examples held out for evaluation",
                    RealSlot{&task.held_out, 0.01, 0.5}});
  if (kind != "text" && !labelled && !masked && kind != "parentheses" && kind != "regression")
    fields.push_back({"loss_positions", "Which positions of the answer the loss counts",
                      io::choice(task.loss_positions, {"all", "first_pad"})});
  return fields;
}

bool NewRun::usesTaskField(std::string_view field) const {
  if (task.kind == "masked")
    return field != "vocabulary_size" || withUsedPaths(task).vocabulary_path.empty();
  if (task.kind == "regression") return field == "held_out" || task.path.empty();
  if (field == "header") return !task.path.empty();
  if (task.kind == "pairs") return field != "vocabulary_size" || data::usesTokenizer(task);
  if (!data::takesLabelledTexts(task.kind)) return true;
  const bool file = task.kind == "classes" || !task.path.empty();
  if (field == "held_out")
    return task.path.empty() || (task.test_path.empty() && !data::holdsBothSides(task));
  if (field == "tokenizer") return file && task.encoder_path.empty();
  if (field == "vocabulary_size")
    return data::isLabelled(task) && withUsedPaths(task).vocabulary_path.empty() &&
           task.encoder_path.empty();
  return file;
}

std::vector<io::Field> NewRun::modelFields() {
  std::vector<io::Field> fields{
      {"encoder_layers", "Layers of the encoder", IntegerSlot{&encoder_layers, 1, kMaxLayers}},
      {"decoder_layers", "Layers of the decoder", IntegerSlot{&decoder_layers, 1, kMaxLayers}},
      {"heads", "Attention heads in each layer", IntegerSlot{&layers.heads, 1, 1024}},
      {"key_size", "Width of queries and keys of one head", IntegerSlot{&layers.key_size, 1, 8192}},
      {"value_size", "Width of the values of one head", IntegerSlot{&layers.value_size, 1, 8192}},
      {"feed_forward", "Width of the feed-forward block",
       IntegerSlot{&layers.feed_forward, 1, 1'048'576}},
      {"norm_eps", "Added inside the square root of every norm",
       RealSlot{&layers.norm_eps, 1e-30, 1.0}},
  };
  std::vector<io::Field> others = configFields(model);
  std::erase_if(others, [](const io::Field& f) {
    return contains(kFromTask, f.name) || contains(kFromGrowth, f.name);
  });
  const auto sizes = std::stable_partition(others.begin(), others.end(), [](const io::Field& f) {
    return f.name == "architecture" || f.name == "hidden";
  });
  fields.insert(fields.begin(), others.begin(), sizes);
  fields.insert(fields.end(), sizes, others.end());
  return fields;
}

std::vector<io::Field> NewRun::trainFields() {
  std::vector<io::Field> fields = train::trainFields(train);
  std::erase_if(fields, [](const io::Field& f) { return !contains(kAtStart, f.name); });
  constexpr double kMostEpochs = 1e6;
  fields.push_back({kRunEpochs, "Passes over the stored examples; 0: until you stop it",
                    RealSlot{&epochs, 0.0, kMostEpochs}});
  return fields;
}

bool NewRun::usesTrainField(std::string_view field, const data::Task* made) const {
  return field != kRunEpochs || (made != nullptr && made->exampleCount(data::Split::Training) > 0);
}

train::TrainConfig NewRun::trainFor(const data::Task& made) const {
  train::TrainConfig config = train;
  if (epochs == 0.0 || !usesTrainField(kRunEpochs, &made)) return config;
  config.stop.steps =
      data::stepsOfEpochs(made, train::framingFor(modelFor(made), made), epochs, train.batch_size);
  return config;
}

void NewRun::choose(const Preset& preset) {
  model = preset.config();
  encoder_layers = std::max<std::int64_t>(1, std::int64_t(model.encoder_layers.size()));
  decoder_layers = std::max<std::int64_t>(1, std::int64_t(model.decoder_layers.size()));
  layers = uniformSizes(model).value_or(LayerSizes{});
  own_layers = !uniformSizes(model);
  train::useDefaultRates(train, model);
}

bool NewRun::uses(std::string_view field) const {
  if (own_layers && contains(kOfLayers, field)) return false;
  if (field == "encoder_layers") return model.hasEncoder();
  if (field == "decoder_layers") return model.hasDecoder();
  if (field == "tie_output") return model.hasDecoder();
  if (field == "share_embeddings") return model.hasEncoder() && model.hasDecoder();
  if (field == "position_deviation") return model.positions == Positions::Learned;
  if (field == "initial_deviation") return model.initializer == InitialValues::Normal;
  return true;
}

ModelConfig NewRun::modelFor(const data::Task& task) const {
  ModelConfig fitted = model;
  fitted.output = train::outputFor(fitted, task);
  if (!fitted.hasDecoder()) fitted.tie_output = false;
  if (!own_layers)
    setUniform(fitted, fitted.hasEncoder() ? encoder_layers : 0,
               fitted.hasDecoder() ? decoder_layers : 0, layers);
  train::fitToTask(fitted, task);
  validate(fitted);
  return fitted;
}

RunCost NewRun::cost(const data::Task& task, int threads) const {
  validate(train);
  const ModelConfig fitted = modelFor(task);
  train::Trainer::requireMemory(fitted, task, train.batch_size, threads, train.nesting);
  return {parameterLayout(fitted).total,
          train::Trainer::memoryBytes(fitted, task, train.batch_size, threads, train.nesting)};
}

QString presetSentence(const Preset& preset) {
  return QCoreApplication::translate("presets", std::string(preset.description).c_str());
}

std::vector<const Preset*> presetsFor(const data::Task& task) {
  std::vector<const Preset*> able;
  for (const Preset& preset : presets())
    if (canLearn(preset, task)) able.push_back(&preset);
  std::stable_partition(able.begin(), able.end(),
                        [&](const Preset* p) { return p->task == task.name(); });
  return able;
}

}  // namespace tfm::ui
