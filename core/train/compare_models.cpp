// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/compare_models.h"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/model/build_program.h"
#include "core/train/document.h"
#include "core/train/fit_task.h"
#include "core/train/spread.h"
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

bool trainArm(const StudyConfig& study, const StudyArm& arm, std::uint64_t seed,
              StudyRunner<StudyPoint>& runner) {
  TrainConfig train = arm.train;
  train.stop = {};
  train.seed = seed;
  Document document = newDocument(arm.model, study.task, train);
  const std::shared_ptr<const data::Task> task = makeTask(document);
  Trainer trainer(task, std::move(document.state), train, study.threads);

  std::int64_t parameters = 0;
  double flops_of_step = 0.0, flops = 0.0, seconds = 0.0;
  return runner.train([&] {
    const double begin = now();
    trainer.step();
    seconds += now() - begin;
    const std::int64_t step = trainer.stepsDone();
    if (trainer.layout().total != parameters) {  // the first step, or it has grown
      parameters = trainer.layout().total;
      flops_of_step = stepFlops(trainer.model(), *task, train.batch_size);
    }
    flops += flops_of_step;
    const bool due = train.evaluate_every > 0 && step % train.evaluate_every == 0;
    if (!due && step != study.steps) return;
    const Evaluation e = trainer.evaluate(train.evaluation_size);
    runner.add({arm.name, seed, step, e.loss, e.accuracy, flops, seconds, parameters});
  });
}

}  // namespace

const StudyColumns<StudyPoint>& StudyPoint::columns() {
  constexpr double kMax = double(std::int64_t{1} << 53), kMaxCost = 1e300;
  static const StudyColumns<StudyPoint> columns{
      fieldColumn("arm", &StudyPoint::arm),
      fieldColumn("seed", &StudyPoint::seed),
      fieldColumn("step", &StudyPoint::step, 1, kMax),
      fieldColumn("loss", &StudyPoint::loss, 0, kMaxCost),
      fieldColumn("accuracy", &StudyPoint::accuracy, 0, 1),
      fieldColumn("flops", &StudyPoint::flops, 0, kMaxCost),
      fieldColumn("seconds", &StudyPoint::seconds, 0, kMaxCost),
      fieldColumn("parameters", &StudyPoint::parameters, 1, kMax)};
  return columns;
}

const StudyColumns<StudySpread>& StudySpread::columns() {
  static const StudyColumns<StudySpread> columns{
      fieldColumn("arm", &StudySpread::arm),
      fieldColumn("step", &StudySpread::step),
      fieldColumn("runs", &StudySpread::runs),
      fieldColumn("loss_mean", &StudySpread::loss_mean),
      fieldColumn("loss_deviation", &StudySpread::loss_deviation),
      fieldColumn("accuracy_mean", &StudySpread::accuracy_mean),
      fieldColumn("accuracy_deviation", &StudySpread::accuracy_deviation),
      fieldColumn("flops_mean", &StudySpread::flops_mean),
      fieldColumn("seconds_mean", &StudySpread::seconds_mean)};
  return columns;
}

StudyCurves compareModels(const StudyConfig& study, const std::vector<StudyArm>& arms,
                          const StudyProgress<StudyPoint>& progress) {
  const auto task = data::makeTask(study.task);
  std::set<std::string> names;
  for (const StudyArm& arm : arms) {
    if (!names.insert(arm.name).second)
      throw Error("two of the models are called " + arm.name, "study", "Give each its own name");
    Trainer::requireMemory(arm.model, *task, arm.train.batch_size, study.threads,
                           arm.train.nesting);
  }
  StudyRunner<StudyPoint> runner(study, progress, arms.size());
  for (const std::uint64_t seed : study.seeds)
    for (const StudyArm& arm : arms)
      runner.run(seed, arm.name, [&] { return trainArm(study, arm, seed, runner); });
  return runner.takeResult();
}

std::vector<std::string> armsOf(const StudyCurves& curves) {
  std::vector<std::string> arms;
  for (const StudyPoint& point : curves.points)
    if (std::ranges::find(arms, point.arm) == arms.end()) arms.push_back(point.arm);
  return arms;
}

std::vector<StudySpread> spreadOf(const StudyCurves& curves) {
  const std::vector<std::string> arms = armsOf(curves);
  const auto key = [&](const StudyPoint& point) {
    return std::pair(std::ranges::find(arms, point.arm), point.step);
  };
  std::vector<StudySpread> spreads;
  for (const auto& [place, runs] : acrossSeeds(curves.points, key)) {
    const Spread loss = runs.of(&StudyPoint::loss), accuracy = runs.of(&StudyPoint::accuracy);
    spreads.push_back({*place.first, place.second, runs.count(), loss.mean, loss.deviation,
                       accuracy.mean, accuracy.deviation, runs.of(&StudyPoint::flops).mean,
                       runs.of(&StudyPoint::seconds).mean});
  }
  return spreads;
}

StudyCurves curvesFromTsv(std::string_view text, const std::string& where) {
  std::set<std::pair<std::string, std::uint64_t>> begun;
  const auto problem = [&](const std::vector<StudyPoint>& before, const StudyPoint& point) {
    const bool goes_on =
        !before.empty() && before.back().arm == point.arm && before.back().seed == point.seed;
    if (!goes_on && !begun.emplace(point.arm, point.seed).second)
      return "the lines of a run are not consecutive";
    return goes_on && point.step <= before.back().step ? "the steps of a run do not increase" : "";
  };
  return {pointsFromTsv<StudyPoint>(text, where, problem)};
}

std::vector<std::int64_t> growthSteps(const StudyCurves& curves) {
  std::vector<std::int64_t> steps;
  for (std::size_t i = 1; i < curves.points.size(); ++i) {
    const StudyPoint &before = curves.points[i - 1], &point = curves.points[i];
    if (point.arm != before.arm || point.seed != before.seed) break;  // that was its first run
    if (point.parameters > before.parameters) steps.push_back(before.step);
  }
  return steps;
}

}  // namespace tfm::train
