// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/bench_experiments.h"

#include "core/data/task_table.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::cli {
namespace {

/// Texts of so many random letters, of one class or the other; all batches have the same length.
data::TaskConfig randomTexts(std::uint64_t length) {
  constexpr std::uint64_t kTexts = 1000;
  data::TaskConfig task = data::defaultTaskConfig("classes");
  task.max_length = std::int64_t(length);
  const Random random(0, streams::kBenchmark.first, 2);
  for (std::uint64_t i = 0; i < kTexts; ++i) {
    for (std::uint64_t j = 0; j < length; ++j)
      task.text += char('a' + random.integer(i * length + j, 26));
    task.text += i % 2 == 0 ? "\t0\n" : "\t1\n";
  }
  return task;
}

std::string randomCharacters() {
  constexpr std::uint64_t kCharacters = 20'000;
  constexpr std::int64_t kDifferent = 65;
  std::string text;
  const Random random(0, streams::kBenchmark.first, 0);
  for (std::uint64_t i = 0; i < kCharacters; ++i) text += char('0' + random.integer(i, kDifferent));
  return text;
}

}  // namespace

Experiment smallExperiment() {
  Experiment experiment = presetExperiment("annotated-rot13");
  experiment.train.batch_size = 50;
  return experiment;
}

Experiment decoderExperiment() {
  Experiment experiment = presetExperiment("benchmark-decoder");
  experiment.task->text = randomCharacters();
  experiment.train.optimizer.kind = train::OptimizerKind::AdamW;
  experiment.train.batch_size = 32;
  return experiment;
}

Experiment largeExperiment() {
  Experiment experiment = decoderExperiment();
  ModelConfig& model = experiment.model;
  model.hidden = 768;
  model.target_length = 1024;
  setUniform(model, 0, 12, {12, 64, 64, 4 * model.hidden, 1e-5});
  experiment.task = defaultTask("text", model);
  experiment.task->text = randomCharacters();
  experiment.train.batch_size = 16;
  return experiment;
}

Experiment nestedExperiment() {
  Experiment experiment = presetExperiment("small-sequence");
  experiment.train.batch_size = 50;
  return experiment;
}

Experiment jointExperiment() {
  Experiment experiment = presetExperiment("sentiment-classifier");
  experiment.task = randomTexts(64);
  experiment.train.batch_size = 32;
  experiment.train.nesting = matformer::defaultNesting(experiment.model);
  experiment.train.nesting.training = matformer::Training::Joint;
  return experiment;
}

Experiment funnelExperiment() {
  Experiment experiment = presetExperiment("funnel-b2-2-2-small");
  experiment.task = randomTexts(128);
  experiment.train.batch_size = 32;
  return experiment;
}

Experiment delightExperiment() {
  Experiment experiment = presetExperiment("delight-sequence");
  experiment.train.batch_size = 50;
  return experiment;
}

}  // namespace tfm::cli
