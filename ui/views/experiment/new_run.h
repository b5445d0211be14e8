// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/task.h"
#include "core/model/presets.h"
#include "core/train/train_config.h"

namespace tfm::ui {

/// What a new run will cost.
struct RunCost {
  std::int64_t parameters = 0;
  std::int64_t memory = 0;  ///< bytes needed for training
};

/// A run to be started: task, model and training, with field tables for forms.
struct NewRun {
  data::TaskConfig task;
  ModelConfig model;
  train::TrainConfig train;
  std::int64_t encoder_layers = 0, decoder_layers = 0;
  LayerSizes layers;        ///< of every layer
  bool own_layers = false;  ///< the model's layers differ and are kept as they are
  double epochs = 0.0;      ///< of a new model, after which it stops; 0: when the user stops it

  /// The fields of this kind of task, except the number of people of facts.
  std::vector<io::Field> taskFields();
  /// Whether a task field applies, given the others.
  bool usesTaskField(std::string_view task_field) const;
  /// The sizes first, then everything else not determined by the task.
  std::vector<io::Field> modelFields();
  std::vector<io::Field> trainFields();
  /// Whether a training field applies to a new model for this task: epochs need stored examples.
  bool usesTrainField(std::string_view field, const data::Task* made) const;

  /// Uses a preset's model, and training that suits it.
  void choose(const Preset& preset);
  /// Whether a model field applies to the architecture.
  bool uses(std::string_view model_field) const;
  /// The model with the layers, vocabularies, lengths and output that the task needs. Throws Error
  /// naming what is wrong.
  ModelConfig modelFor(const data::Task& task) const;
  /// The training of that model, with the last step that the epochs give. Throws the same.
  train::TrainConfig trainFor(const data::Task& task) const;
  /// Throws Error for what cannot be trained, including for lack of memory.
  RunCost cost(const data::Task& task, int threads) const;
};

/// The description of a preset in the user's language.
QString presetSentence(const Preset& preset);

/// The presets that can learn the task, the one made for it first.
std::vector<const Preset*> presetsFor(const data::Task& task);

}  // namespace tfm::ui
