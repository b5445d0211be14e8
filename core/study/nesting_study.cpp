// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/nesting_study.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/document/document.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

void requirePossible(const StudyConfig& config) {
  if (config.train.nesting.widths.empty())
    throw Error("nothing is nested", "nesting study", "Name at least one smaller width");
  if (!config.train.growths.empty())
    throw Error("a growth is scheduled", "nesting study", "Compare models that keep their size");
}

class NestingStudy {
 public:
  NestingStudy(const StudyConfig& config, const StudyProgress<NestingPoint>& progress)
      : config_(config),
        granularities_(matformer::granularities(config.model, config.train.nesting)),
        runner_(config, progress, granularities_.size() + 1) {}

  NestingStudyResult run() {
    for (const std::uint64_t seed : config_.seeds) runSeed(seed);
    return runner_.takeResult();
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
    std::shared_ptr<const ModelState> nested;
    runner_.run(seed, kNested, [&] { return trainNested(train, nested); });
    const auto whole = [&] {
      if (!nested)  // it was kept
        nested =
            std::make_shared<const ModelState>(config_.kept->model(runName(seed, kNested)).state);
      return nested;
    };
    train.nesting = {};
    for (const matformer::Granularity& one : granularities_)
      runner_.run(seed, one.name, [&] {
        const Trained alone = trained(configOf(config_.model, one.submodel), train);
        if (runner_.cancelled()) return false;
        SubmodelScorer twin(alone.task, alone.state, config_.examples, config_.threads, whole());
        return measure(twin, one, {seed, one.name, kSeparately, {}, alone.seconds});
      });
  }

  /// Whether it is measured and, as the others are compared with it, kept with its model.
  bool trainNested(const TrainConfig& train, std::shared_ptr<const ModelState>& state) {
    const Trained nested = trained(config_.model, train);
    if (runner_.cancelled()) return false;
    state = nested.state;
    SubmodelScorer parts(nested.task, nested.state, config_.examples, config_.threads);
    for (const matformer::Granularity& one : granularities_)
      if (!measure(parts, one, {train.seed, one.name, kNested, {}, nested.seconds})) return false;
    if (!config_.kept) return true;
    Document document = newDocument(config_.model, config_.task, train);
    document.state = *nested.state;
    return config_.kept->keepModel(runName(train.seed, kNested), document);
  }

  Trained trained(const ModelConfig& model, const TrainConfig& train) {
    Document document = newDocument(model, config_.task, train);
    Trained result;
    result.task = makeTask(document);
    Trainer trainer(result.task, std::move(document.state), train, config_.threads);
    runner_.train([&] {
      const double begin = now();
      trainer.step();
      result.seconds += now() - begin;
    });
    result.state = std::make_shared<const ModelState>(trainer.state());
    return result;
  }

  /// Of a twin, the granularity is all there is. Whether it was not cancelled.
  bool measure(SubmodelScorer& scorer, const matformer::Granularity& one, NestingPoint point) {
    if (runner_.cancelled()) return false;
    const auto go_on = [&](const SubmodelScore&) {
      runner_.report();
      return !runner_.cancelled();
    };
    const std::optional<SubmodelScore> score = scorer.score(one.submodel, go_on);
    if (!score) return false;
    point.score = *score;
    runner_.add(std::move(point));
    runner_.report();
    return true;
  }

  const StudyConfig& config_;
  const std::vector<matformer::Granularity> granularities_;
  StudyRunner<NestingPoint> runner_;
};

}  // namespace

const StudyColumns<NestingPoint>& NestingPoint::columns() {
  using P = NestingPoint;
  static const StudyColumns<P> columns{
      fieldColumn("seed", &P::seed),
      fieldColumn("name", &P::name),
      fieldColumn("trained", &P::trained),
      fieldColumn<P>(
          "widths", [](auto& p) -> auto& { return p.score.submodel.widths; }),
      fieldColumn<P>(
          "heads", [](auto& p) -> auto& { return p.score.submodel.heads; }),
      fieldColumn<P>(
          "parameters", [](auto& p) -> auto& { return p.score.cost.parameters; }),
      fieldColumn<P>(
          "flops", [](auto& p) -> auto& { return p.score.cost.flops; }),
      fieldColumn<P>(
          "examples", [](auto& p) -> auto& { return p.score.examples; }),
      fieldColumn<P>(
          "answers", [](auto& p) -> auto& { return p.score.answers.all; }),
      fieldColumn<P>(
          "right", [](auto& p) -> auto& { return p.score.answers.right; }),
      shareColumn(derivedColumn<P>("accuracy", [](const P& p) { return p.score.accuracy(); })),
      derivedColumn<P>("low", [](const P& p) { return wilsonInterval(p.score.answers).low; }),
      derivedColumn<P>("high", [](const P& p) { return wilsonInterval(p.score.answers).high; }),
      fieldColumn<P>(
          "loss", [](auto& p) -> auto& { return p.score.loss; }),
      fieldColumn<P>(
          "agreement", [](auto& p) -> auto& { return p.score.agreement; }),
      fieldColumn<P>(
          "divergence", [](auto& p) -> auto& { return p.score.divergence; }),
      fieldColumn<P>(
          "milliseconds", [](auto& p) -> auto& { return p.score.milliseconds; }),
      fieldColumn("seconds", &P::seconds)};
  return columns;
}

const StudyColumns<NestingSpread>& NestingSpread::columns() {
  using S = NestingSpread;
  static const StudyColumns<S> columns{
      fieldColumn("name", &S::name),
      fieldColumn("trained", &S::trained),
      fieldColumn("parameters", &S::parameters),
      fieldColumn("runs", &S::runs),
      fieldColumn<S>(
          "loss_mean", [](auto& s) -> auto& { return s.loss.mean; }),
      fieldColumn<S>(
          "loss_deviation", [](auto& s) -> auto& { return s.loss.deviation; }),
      shareColumn(fieldColumn<S>(
          "accuracy_mean", [](auto& s) -> auto& { return s.accuracy.mean; })),
      shareColumn(fieldColumn<S>(
          "accuracy_deviation", [](auto& s) -> auto& { return s.accuracy.deviation; })),
      fieldColumn<S>(
          "agreement_mean", [](auto& s) -> auto& { return s.agreement.mean; })};
  return columns;
}

NestingStudyResult runNestingStudy(const StudyConfig& config,
                                   const StudyProgress<NestingPoint>& progress) {
  requirePossible(config);
  return NestingStudy(config, progress).run();
}

std::vector<NestingSpread> spreadOf(const NestingStudyResult& result) {
  const auto key = [](const NestingPoint& point) {
    return std::tuple(point.score.cost.parameters, point.trained, point.name);
  };
  std::vector<NestingSpread> spreads;
  for (const auto& [place, seeds] : acrossSeeds(result.points, key)) {
    const NestingPoint& p = seeds.first();
    spreads.push_back({p.name, p.trained, p.score.cost.parameters, seeds.count(),
                       seeds.of([](const NestingPoint& p) { return p.score.loss; }),
                       seeds.of([](const NestingPoint& p) { return p.score.accuracy(); }),
                       seeds.of([](const NestingPoint& p) { return p.score.agreement; }),
                       p.score.answers.by_position});
  }
  return spreads;
}

}  // namespace tfm::train
