// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/train/training.h"

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "core/train/fit_task.h"

namespace tfm::test {

std::shared_ptr<const data::Task> taskOf(std::string_view kind, const std::string& text) {
  data::TaskConfig config = data::defaultTaskConfig(kind);
  config.text = text;
  return data::makeTask(config);
}

ModelConfig modelFor(std::string_view preset, const data::Task& task) {
  ModelConfig config = presetNamed(preset).config();
  train::fitToTask(config, task);
  return config;
}

ModelConfig decoderFor(const data::Task& task) { return modelFor("character-model", task); }

ModelConfig withDropout(ModelConfig config) {
  config.attention_dropout = config.residual_dropout = config.feed_forward_dropout = 0.2;
  return config;
}

train::Document documentOf(std::string_view preset, std::string_view kind,
                           const train::TrainConfig& config, bool dropout) {
  const auto task = taskOf(kind);
  const ModelConfig model = modelFor(preset, *task);
  return train::newDocument(dropout ? withDropout(model) : model, task->config(), config);
}

train::Document quickDocument(train::TrainConfig config) {
  config.batch_size = 1;
  data::TaskConfig task_config = taskOf("copy")->config();
  task_config.alphabet_size = 2;
  task_config.max_length = 3;
  const auto task = data::makeTask(task_config);
  ModelConfig model = modelFor("rot13", *task);
  model.hidden = 2;
  setUniform(model, 1, 1, {1, 1, 1, 1, 1e-5});
  return train::newDocument(model, task_config, config);
}

train::StudyConfig studyOf(std::string_view preset, std::string_view kind) {
  const auto task = taskOf(kind);
  train::StudyConfig study;
  study.model = modelFor(preset, *task);
  study.task = task->config();
  study.train.batch_size = 8;
  return study;
}

train::Trainer trainerOf(const train::Document& document, int threads) {
  return {data::makeTask(*document.task), document.state, document.train, threads};
}

std::vector<double> losses(train::Trainer& trainer, int steps) {
  std::vector<double> result;
  for (int i = 0; i < steps; ++i) result.push_back(trainer.step().loss);
  return result;
}

std::vector<train::StepMetrics> withoutTime(std::vector<train::StepMetrics> metrics) {
  for (train::StepMetrics& m : metrics) m.seconds = 0.0;
  return metrics;
}

train::StatePtr shared(ModelState state) {
  return std::make_shared<const ModelState>(std::move(state));
}

bool sameState(const ModelState& a, const ModelState& b) {
  return a.config == b.config && a.parameters == b.parameters && a.first_moment == b.first_moment &&
         a.second_moment == b.second_moment && a.optimizer_step == b.optimizer_step &&
         a.missed_steps == b.missed_steps && a.step == b.step && a.seed == b.seed;
}

}  // namespace tfm::test
