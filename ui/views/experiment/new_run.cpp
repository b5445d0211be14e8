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
#include "core/data/task_fields.h"
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
constexpr std::array<std::string_view, 10> kOfLayers{
    "architecture", "encoder_layers", "decoder_layers", "heads",    "group",
    "key_size",     "value_size",     "feed_forward",   "norm_eps", "window"};

constexpr std::string_view kRunEpochs = "epochs";
constexpr std::array<std::string_view, 3> kAtStart{"optimizer", "learning_rate", "batch_size"};

bool contains(auto list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

bool canLearn(const Preset& preset, const data::Task& task) {
  if (preset.task.empty()) return false;
  return !problemOf([&] { train::framingFor(preset.config(), task); });
}

}  // namespace

std::vector<io::Field> NewRun::taskFields() {
  std::vector<io::Field> fields = data::taskFields(task);
  std::erase_if(fields,
                [this](const io::Field& f) { return task.kind == "facts" || !f.hasEffect(); });
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
      {"group", "Heads of queries that share the keys and values of a head",
       IntegerSlot{&layers.group, 1, 1024}},
      {"window", "A position of the decoder attends to the last so many; 0: to all before",
       IntegerSlot{&layers.window, 0, kMaxPositions}},
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
  const bool fills = task.kind == "masked" && !model.hasDecoder();
  if (field == "tie_output" || field == "output_transform") return model.hasDecoder() || fills;
  if (field == "window") return model.hasDecoder();
  if (field == "sinusoid_halves") return model.positions == Positions::Sinusoidal;
  if (field == "distance_buckets" || field == "distance_furthest")
    return model.positions == Positions::Buckets;
  if (field == "embedding_map") return model.embedding_size > 0;
  if (field == "share_embeddings") return model.hasEncoder() && model.hasDecoder();
  if (field == "rotary_base" || field == "rotary_size")
    return model.positions == Positions::Rotary && model.rotary_frequencies.empty();
  if (field == "query_key_norm_eps") return model.query_key_norm;
  if (field == "parallel_blocks") return model.norm_placement == NormPlacement::Pre;
  if (field == "position_deviation") return model.positions == Positions::Learned;
  if (field == "initial_deviation") return model.initializer == InitialValues::Normal;
  return true;
}

ModelConfig NewRun::modelFor(const data::Task& task) const {
  ModelConfig fitted = model;
  fitted.output = train::outputFor(fitted, task);
  if (!fitted.hasDecoder() && task.form() != data::TaskForm::Masked)
    fitted.tie_output = fitted.output_transform = false;
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
