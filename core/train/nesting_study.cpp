// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/nesting_study.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/train/clock.h"
#include "core/train/document.h"
#include "core/train/study_runs.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

void requirePossible(const NestingStudyConfig& config) {
  if (config.train.nesting.widths.empty())
    throw Error("nothing is nested", "nesting study", "Name at least one smaller width");
  if (config.seeds.empty())
    throw Error("there is no seed", "nesting study", "Name at least one; three show a spread");
  if (!config.train.growths.empty())
    throw Error("a growth is scheduled", "nesting study", "Compare models that keep their size");
}

class NestingStudy {
 public:
  NestingStudy(const NestingStudyConfig& config, const NestingStudyProgress& progress)
      : config_(config),
        progress_(progress),
        granularities_(matformer::granularities(config.model, config.train.nesting)) {}

  NestingStudyResult run() {
    for (const std::uint64_t seed : config_.seeds)
      if (!result_.cancelled) runSeed(seed);
    return std::move(result_);
  }

 private:
  struct Trained {
    std::shared_ptr<const data::Task> task;
    std::shared_ptr<const ModelState> state;
    double seconds = 0.0;
  };

  void runSeed(std::uint64_t seed) {
    TrainConfig train = config_.train;
    train.stop = {};
    train.seed = seed;
    const std::shared_ptr<const ModelState> nested = nestedOf(seed, train);
    train.nesting = {};
    for (const matformer::Granularity& one : granularities_) {
      const std::string run = runName(seed, one.name);
      if (result_.cancelled) return;
      if (takeKept(run, 1)) continue;
      const Trained alone = trained(configOf(config_.model, one.submodel), train);
      if (result_.cancelled) return;
      SubmodelScorer whole(alone.task, alone.state, config_.examples, config_.threads, nested);
      measure(whole, one, {seed, one.name, true, {}, alone.seconds});
      keep(run, 1);
    }
  }

  /// Trains and measures the nested model of a seed, or takes the one that is kept.
  std::shared_ptr<const ModelState> nestedOf(std::uint64_t seed, const TrainConfig& train) {
    const std::string run = runName(seed, "nested");
    if (takeKept(run, granularities_.size()))
      return std::make_shared<const ModelState>(config_.kept->model(run).state);
    const Trained nested = trained(config_.model, train);
    if (result_.cancelled) return nullptr;
    SubmodelScorer parts(nested.task, nested.state, config_.examples, config_.threads);
    for (const matformer::Granularity& one : granularities_)
      measure(parts, one, {seed, one.name, false, {}, nested.seconds});
    if (config_.kept != nullptr) {  // the reference of the others
      Document document = newDocument(config_.model, config_.task, train);
      document.state = *nested.state;
      keep(run, granularities_.size(), &document);
    }
    return nested.state;
  }

  bool takeKept(const std::string& run, std::size_t points) {
    const auto text = config_.kept ? config_.kept->find(run) : std::nullopt;
    if (!text) return false;
    std::vector<NestingPoint> kept = nestingPoints(*text, (config_.kept->folder() / run).string());
    if (kept.size() != points) return false;
    std::move(kept.begin(), kept.end(), std::back_inserter(result_.points));
    steps_done_ += config_.steps;
    tell();
    return true;
  }

  /// The last points, if the study was not stopped before they were all measured.
  void keep(const std::string& run, std::size_t points, const Document* model = nullptr) {
    if (config_.kept == nullptr || result_.cancelled) return;
    const std::vector<NestingPoint> last(result_.points.end() - std::ptrdiff_t(points),
                                         result_.points.end());
    config_.kept->keep(run, runText(last), model);
  }

  Trained trained(const ModelConfig& model, const TrainConfig& train) {
    Document document = newDocument(model, config_.task, train);
    Trained result;
    result.task = data::makeTask(document.task);
    Trainer trainer(result.task, std::move(document.state), train, config_.threads);
    while (trainer.stepsDone() < config_.steps && !result_.cancelled) {
      const double begin = now();
      trainer.step();
      result.seconds += now() - begin;
      ++steps_done_;
      if (pace_.isDue()) tell();
    }
    result.state = std::make_shared<const ModelState>(trainer.state());
    return result;
  }

  /// Of a twin, the granularity is all there is.
  void measure(SubmodelScorer& scorer, const matformer::Granularity& one, NestingPoint point) {
    const auto goOn = [&](const SubmodelScore&) {
      tell();
      return !result_.cancelled;
    };
    const std::optional<SubmodelScore> score = scorer.score(one.submodel, goOn);
    if (!score) return;
    point.score = *score;
    result_.points.push_back(std::move(point));
    tell();
  }

  void tell() {
    if (!progress_ || result_.cancelled) return;
    const double runs = double(config_.seeds.size()) * double(granularities_.size() + 1);
    const double share = double(steps_done_) / (runs * double(config_.steps));
    result_.cancelled = !progress_(share, result_);
  }

  const NestingStudyConfig& config_;
  const NestingStudyProgress& progress_;
  const std::vector<matformer::Granularity> granularities_;
  RateLimiter pace_;
  std::int64_t steps_done_ = 0;  // of all runs
  NestingStudyResult result_;
};

std::string joined(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (!text.empty()) text += ',';
    text += std::to_string(number);
  }
  return text;
}

}  // namespace

NestingStudyResult runNestingStudy(const NestingStudyConfig& config,
                                   const NestingStudyProgress& progress) {
  requirePossible(config);
  return NestingStudy(config, progress).run();
}

std::vector<NestingSpread> spreadOf(const NestingStudyResult& result) {
  std::vector<NestingSpread> spreads;
  for (const NestingPoint& first : result.points) {
    const bool known = std::any_of(spreads.begin(), spreads.end(), [&](const NestingSpread& s) {
      return s.name == first.name && s.separate == first.separate;
    });
    if (known) continue;
    std::vector<double> loss, accuracy, agreement;
    for (const NestingPoint& point : result.points) {
      if (point.name != first.name || point.separate != first.separate) continue;
      loss.push_back(point.score.loss);
      accuracy.push_back(point.score.accuracy());
      agreement.push_back(point.score.agreement);
    }
    spreads.push_back({first.name, first.separate, first.score.cost.parameters,
                       std::int64_t(loss.size()), spreadOf(loss), spreadOf(accuracy),
                       spreadOf(agreement)});
  }
  std::stable_sort(spreads.begin(), spreads.end(),
                   [](const auto& a, const auto& b) { return a.parameters < b.parameters; });
  return spreads;
}

std::string toTsv(const NestingStudyResult& result) {
  std::ostringstream text;
  text.precision(9);
  text << "seed\tname\ttrained\twidths\theads\tparameters\tflops\texamples\tanswers\tright\t"
          "accuracy\tlow\thigh\tloss\tagreement\tdivergence\tmilliseconds\tseconds\n";
  for (const NestingPoint& p : result.points) {
    const SubmodelScore& s = p.score;
    const Interval interval = wilsonInterval(s.answers);
    text << p.seed << '\t' << p.name << '\t' << (p.separate ? "separately" : "nested") << '\t'
         << joined(s.submodel.widths) << '\t' << joined(s.submodel.heads) << '\t'
         << s.cost.parameters << '\t' << s.cost.flops << '\t' << s.examples << '\t' << s.answers.all
         << '\t' << s.answers.right << '\t' << s.accuracy() << '\t' << interval.low << '\t'
         << interval.high << '\t' << s.loss << '\t' << s.agreement << '\t' << s.divergence << '\t'
         << s.milliseconds << '\t' << p.seconds << '\n';
  }
  return text.str();
}

}  // namespace tfm::train
