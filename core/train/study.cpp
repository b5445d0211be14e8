// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/expand/change.h"
#include "core/model/build_program.h"
#include "core/train/clock.h"
#include "core/train/document.h"
#include "core/train/fit_task.h"
#include "core/train/spread.h"
#include "core/train/study_runs.h"
#include "core/train/study_table.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

/// Operations of one training step: a backward pass takes about twice its forward pass.
double stepFlops(const ModelConfig& model, const data::Task& task, std::int64_t batch_size) {
  const data::FramedSizes sizes = data::sizesOf(task, framingFor(model, task));
  ProgramOptions options;
  options.training = options.loss = true;
  const Program program =
      buildProgram(model, {1, sizes.source_length, sizes.target_length}, options);
  return 3.0 * double(batch_size) * double(program.forwardFlops());
}

/// Sorts and validates the schedule; returns the model it ends with.
ModelConfig finalModel(const StudyConfig& config, std::vector<ScheduledGrowth>& growths) {
  if (growths.empty())
    throw Error("nothing is scheduled to grow", "study", "Name at least one growth and its step");
  if (config.seeds.empty())
    throw Error("there is no seed", "study", "Name at least one; three show a spread");
  std::stable_sort(growths.begin(), growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  ModelConfig model = config.model;
  for (const ScheduledGrowth& scheduled : growths) {
    if (scheduled.step >= config.steps)
      throw Error("a growth is scheduled for step " + std::to_string(scheduled.step) + " of " +
                      std::to_string(config.steps),
                  "study", "Choose an earlier step or more steps");
    model = expand::outlineGrowth(model, scheduled.growth, scheduled.step).after;
  }
  return model;
}

/// A new model with the final sizes, without artefacts of growing.
ModelConfig fromScratch(ModelConfig model, const ModelConfig& small) {
  for (const Stack stack : {Stack::Encoder, Stack::Decoder})
    for (LayerConfig& layer : model.layers(stack)) {
      layer.gated = false;
      for (std::size_t i = 0; i < layer.blocks.size(); ++i)
        layer.blocks[i].norm_eps = small.layers(stack).front().blocks[i].norm_eps;
    }
  model.embedding_norm_eps = small.embedding_norm_eps;
  model.encoder_final_norm_eps = small.encoder_final_norm_eps;
  model.decoder_final_norm_eps = small.decoder_final_norm_eps;
  model.mask_size = 0;
  const bool even = model.hidden % 2 == 0;
  if (small.positions == Positions::Sinusoidal && small.sinusoid_size == 0 && even) {
    model.positions = Positions::Sinusoidal;
    model.sinusoid_size = 0;
    model.sinusoid_repeats = false;
  }
  if (small.embedding_scale == std::sqrt(double(small.hidden)))
    model.embedding_scale = std::sqrt(double(model.hidden));
  return model;
}

class Study {
 public:
  Study(const StudyConfig& config, const StudyProgress& progress)
      : config_(config), progress_(progress), train_(config.train) {
    train_.stop = {};
    result_.final_model = finalModel(config, train_.growths);
    const auto task = data::makeTask(config.task);
    for (const ModelConfig& model : {config.model, result_.final_model})
      Trainer::requireMemory(model, *task, train_.batch_size, config.threads, train_.nesting);
  }

  StudyResult run() {
    for (const std::uint64_t seed : config_.seeds)
      for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch})
        if (!result_.cancelled && !takeKept(arm, seed)) {
          runOne(arm, seed);
          keep();
        }
    return std::move(result_);
  }

 private:
  static std::string nameOf(StudyArm arm, std::uint64_t seed) {
    return runName(seed, std::string(armName(arm)));
  }

  bool takeKept(StudyArm arm, std::uint64_t seed) {
    const std::string name = nameOf(arm, seed);
    const auto text = config_.kept ? config_.kept->find(name) : std::nullopt;
    if (!text) return false;
    StudyResult kept = studyFromTsv(*text, (config_.kept->folder() / name).string());
    if (kept.runs.size() != 1 || kept.runs.front().arm != arm || kept.runs.front().seed != seed ||
        kept.runs.front().points.back().step != config_.steps)
      return false;
    result_.runs.push_back(std::move(kept.runs.front()));
    tell(config_.steps);
    return true;
  }

  /// Keeps the last run if it is finished.
  void keep() {
    const StudyRun& run = result_.runs.back();
    if (config_.kept == nullptr || run.points.empty() || run.points.back().step != config_.steps)
      return;
    config_.kept->keep(nameOf(run.arm, run.seed), toTsv(StudyResult{{run}, false, {}}));
  }

  void runOne(StudyArm arm, std::uint64_t seed) {
    TrainConfig train = train_;
    train.seed = seed;
    if (arm == StudyArm::FromScratch) train.growths.clear();
    const ModelConfig& model =
        arm == StudyArm::Grown ? config_.model : fromScratch(result_.final_model, config_.model);
    Document document = newDocument(model, config_.task, train);
    const std::shared_ptr<const data::Task> task = data::makeTask(document.task);
    Trainer trainer(task, std::move(document.state), train, config_.threads);

    result_.runs.push_back({arm, seed, {}});
    std::int64_t parameters = 0;
    double flops_of_step = 0.0, flops = 0.0, seconds = 0.0;
    while (trainer.stepsDone() < config_.steps && !result_.cancelled) {
      const double begin = now();
      trainer.step();
      seconds += now() - begin;
      const std::int64_t step = trainer.stepsDone();
      if (trainer.layout().total != parameters) {  // the first step, or it has grown
        parameters = trainer.layout().total;
        flops_of_step = stepFlops(trainer.model(), *task, train.batch_size);
      }
      flops += flops_of_step;
      const bool last = step == config_.steps;
      const bool due = train.evaluate_every > 0 && step % train.evaluate_every == 0;
      if (!last && !due) {
        if (pace_.isDue()) tell(step);
        continue;
      }
      const Evaluation e = trainer.evaluate(train.evaluation_size);
      result_.runs.back().points.push_back({step, e.loss, e.accuracy, flops, seconds, parameters});
      tell(step);
    }
  }

  void tell(std::int64_t step) {
    if (!progress_) return;
    const double all = 2.0 * double(config_.seeds.size()) * double(config_.steps);
    const double done = double(result_.runs.size() - 1) * double(config_.steps) + double(step);
    result_.cancelled = !progress_(done / all, result_);
  }

  const StudyConfig& config_;
  const StudyProgress& progress_;
  TrainConfig train_;
  RateLimiter pace_;
  StudyResult result_;
};

}  // namespace

std::string_view armName(StudyArm arm) { return arm == StudyArm::Grown ? "grown" : "from_scratch"; }

StudyResult runStudy(const StudyConfig& config, const StudyProgress& progress) {
  return Study(config, progress).run();
}

std::vector<StudySpread> spreadOf(const StudyResult& result) {
  std::vector<StudySpread> spreads;
  for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch}) {
    std::map<std::int64_t, std::vector<StudyPoint>> at;
    for (const StudyRun& run : result.runs)
      for (const StudyPoint& point : run.points)
        if (run.arm == arm) at[point.step].push_back(point);
    for (const auto& [step, points] : at) {
      const auto of = [&](double StudyPoint::*member) {
        std::vector<double> values;
        for (const StudyPoint& point : points) values.push_back(point.*member);
        return spreadOf(values);
      };
      const Spread loss = of(&StudyPoint::loss), accuracy = of(&StudyPoint::accuracy);
      spreads.push_back({arm, step, std::int64_t(points.size()), loss.mean, loss.deviation,
                         accuracy.mean, accuracy.deviation, of(&StudyPoint::flops).mean,
                         of(&StudyPoint::seconds).mean});
    }
  }
  return spreads;
}

}  // namespace tfm::train
