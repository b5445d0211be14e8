// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/compare_models.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/data/task_table.h"
#include "core/expand/change.h"
#include "core/matformer/cost.h"
#include "core/model/build_program.h"
#include "core/study/spread.h"
#include "core/train/counted_answers.h"
#include "core/train/fit_task.h"
#include "core/train/masked_growth.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

/// Operations of a training step: a backward pass takes about twice its forward pass.
double stepFlops(const ModelConfig& model, const Submodel& part, const data::Task& task,
                 std::int64_t batch_size) {
  const data::FramedSizes sizes = data::sizesOf(task, framingFor(model, task));
  ProgramOptions options;
  options.training = options.loss = true;
  options.submodel = part;
  const Program program =
      buildProgram(model, {1, sizes.source_length, sizes.target_length}, options);
  return 3.0 * double(batch_size) * double(program.forwardFlops());
}

/// The one that an arm is measured at, of all that it has now.
const matformer::Granularity& granularityOf(const StudyArm& arm,
                                            const std::vector<matformer::Granularity>& all) {
  const auto found = std::ranges::find(all, arm.granularity, &matformer::Granularity::name);
  if (found != all.end()) return *found;
  std::string names;
  for (const matformer::Granularity& one : all) names += (names.empty() ? "" : ", ") + one.name;
  throw Error(arm.name + " has no granularity " + arm.granularity, "study",
              names.empty() ? "Name one only for a model that is trained as MatFormer"
                            : "Choose one of " + names);
}

/// How much of what is equal for all arms a run has had.
double spentOf(const StudyPoint& point, Equal equal) {
  switch (equal) {
    case Equal::Steps:
      return double(point.step);
    case Equal::Operations:
      return point.flops;
    case Equal::Seconds:
      return point.seconds;
  }
  return 0.0;
}

/// A masked growth that is not open yet has hardly changed the model.
void requireOpenMask(const ModelConfig& model, std::int64_t steps, const std::string& arm) {
  if (maskEnd(model) <= steps) return;
  const auto text = [](std::int64_t number) { return std::to_string(number); };
  const std::int64_t left = steps - model.mask_begin;
  throw Error("in " + arm + ", what grows by method=mask at step " + text(model.mask_begin) +
                  " counts fully only from step " + text(maskEnd(model)) +
                  ", and the run ends after step " + text(steps),
              "study",
              (left > 0 ? "Give mask_steps of at most " + text(left) + ", or" : "Give") +
                  " more steps, or another method");
}

/// Whether numbers of one may be those of the other: the same sizes, and all entries in use unless
/// the same are.
bool isAlike(const ParameterInfo& one, const ParameterInfo& other) {
  if (one.shape == other.shape) return true;
  const auto all_used = [](const ParameterInfo& info) {
    return std::ranges::all_of(info.shape, [](const Dimension& dimension) {
      return std::ranges::all_of(dimension.factors,
                                 [](const AxisSize& factor) { return factor.in_use.empty(); });
    });
  };
  return sizes(one.shape) == sizes(other.shape) && all_used(one) && all_used(other);
}

/// The tensors of a layout that another one has too, with the other's.
std::vector<std::pair<const ParameterInfo*, const ParameterInfo*>> commonTensors(
    const ParameterLayout& layout, const ParameterLayout& other) {
  std::vector<std::pair<const ParameterInfo*, const ParameterInfo*>> common;
  for (const ParameterInfo& one : layout.parameters)
    if (const ParameterInfo* same = other.find(one.name); same != nullptr && isAlike(one, *same))
      common.emplace_back(&one, same);
  return common;
}

/// One arm trained from one seed.
class ArmRun {
 public:
  /// `most`: the run ends before it has spent more.
  ArmRun(const StudyConfig& study, const StudyArm& arm, std::uint64_t seed, Equal equal,
         double most, StudyRunner<StudyPoint>& runner)
      : study_(study), arm_(arm), equal_(equal), most_(most), runner_(runner) {
    TrainConfig train = arm.train;
    train.stop = {};
    train.seed = seed;
    Document document = newDocument(arm.model, study.task, train);
    document.state = firstState(study, arm, seed);
    trainer_.emplace(makeTask(document), std::move(document.state), train, study.threads);
    now_.arm = arm.name;
    now_.seed = seed;
    now_.by_position = countsPositions(trainer_->task().form());
  }

  bool train() {
    return runner_.trainUntilDone([this] { return step(); });
  }

 private:
  /// The share of the run that is done with this step.
  double step() {
    const double before = spentOf(now_, equal_), begin = now();
    trainer_->step();
    now_.seconds += now() - begin;
    now_.step = trainer_->stepsDone();
    now_.flops += flopsOfStep();
    const double spent = spentOf(now_, equal_);
    // Operations of a step are known; what it takes in seconds is known of many.
    const double next = equal_ == Equal::Seconds ? spent / double(now_.step) : spent - before;
    const bool last = spent + next > most_ * (1.0 + 1e-12);
    const double share = last ? 1.0 : spent / most_;
    const std::int64_t every = trainer_->config().evaluate_every;
    const auto measurements =
        every > 0 ? std::int64_t(std::floor(share * double(study_.steps) / double(every) + 1e-9))
                  : 0;
    if (last) finalModel(arm_, now_.step);  // throws where it has not grown as it should
    if (last || measurements > measurements_) measure();
    measurements_ = measurements;
    return share;
  }

  double flopsOfStep() {
    if (parameters_ != trainer_->layout().total) costs_.clear();  // the first step, or it has grown
    parameters_ = trainer_->layout().total;
    double flops = 0.0;
    for (const WeightedPart& part : trainer_->partsOf(std::uint64_t(now_.step - 1))) {
      const auto [cost, is_new] = costs_.try_emplace(part.submodel);
      if (is_new)
        cost->second = stepFlops(trainer_->model(), part.submodel, trainer_->task(),
                                 trainer_->config().batch_size);
      flops += cost->second;
    }
    return flops;
  }

  void measure() {
    const Evaluation e = trainer_->evaluate(trainer_->config().evaluation_size);
    now_.loss = e.loss;
    now_.accuracy = countedAccuracy(trainer_->task().form(), e);
    now_.parameters = parameters_;
    if (!arm_.granularity.empty()) {
      const auto& all = trainer_->granularities();
      const matformer::Granularity& one = granularityOf(arm_, all);
      const GranularityScore& score = e.granularities[std::size_t(&one - all.data())];
      now_.loss = score.loss;
      now_.accuracy = score.accuracy;
      now_.parameters = matformer::costOf(trainer_->model(), one.submodel).parameters;
    }
    runner_.add(now_);
  }

  const StudyConfig& study_;
  const StudyArm& arm_;
  const Equal equal_;
  const double most_;
  StudyRunner<StudyPoint>& runner_;
  std::optional<Trainer> trainer_;
  StudyPoint now_;
  std::int64_t measurements_ = 0;
  std::int64_t parameters_ = 0;       // that costs_ are of
  std::map<Submodel, double> costs_;  // of a step
};

/// Throws Error for what no run could do, before the first one.
void requirePossible(const StudyConfig& study, const data::Task& task) {
  if (study.steps < 1) throw Error("there is nothing to train", "study", "Give at least one step");
  if (study.arms.size() < 2)
    throw Error(study.arms.empty() ? "there are no models" : "there is only one model", "study",
                "Name at least two to compare");
  if (study.same_start) sharedStarts(study);
  std::set<std::string> names;
  double most = 0.0;  // operations
  for (const StudyArm& arm : study.arms) {
    if (arm.name.empty() || arm.name.find_first_of("\t\r\n/\\") != std::string::npos)
      throw Error("a model is called '" + arm.name + "'", "study",
                  "Give it a name without tabs, line breaks and slashes");
    if (!names.insert(arm.name).second)
      throw Error("two of the models are called " + arm.name, "study", "Give each its own name");
    const bool first = &arm == study.arms.data();
    const bool by_steps = first || study.equal == Equal::Steps;
    const ModelConfig last =
        finalModel(arm, by_steps ? study.steps : std::numeric_limits<std::int64_t>::max());
    if (!arm.granularity.empty())
      granularityOf(arm, matformer::granularities(arm.model, arm.train.nesting));
    for (const ModelConfig& model : {arm.model, last})
      Trainer::requireMemory(model, task, arm.train.batch_size, study.threads, arm.train.nesting);
    if (first)
      most = double(study.steps) * stepFlops(last, {}, task, arm.train.batch_size);
    else if (study.equal == Equal::Operations &&
             stepFlops(arm.model, {}, task, arm.train.batch_size) > most)
      throw Error("one step of " + arm.name + " takes more operations than all steps of " +
                      study.arms.front().name,
                  "study", "Choose more steps, or name the more expensive model first");
  }
}

/// The last measurement of a run that is done.
const StudyPoint& endOf(const StudyCurves& curves, const std::string& arm, std::uint64_t seed) {
  const auto& points = curves.points;
  return *std::find_if(points.rbegin(), points.rend(), [&](const StudyPoint& point) {
    return point.arm == arm && point.seed == seed;
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
      shareColumn(fieldColumn("accuracy", &StudyPoint::accuracy, 0, 1)),
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
      shareColumn(fieldColumn("accuracy_mean", &StudySpread::accuracy_mean)),
      shareColumn(fieldColumn("accuracy_deviation", &StudySpread::accuracy_deviation)),
      fieldColumn("flops_mean", &StudySpread::flops_mean),
      fieldColumn("seconds_mean", &StudySpread::seconds_mean),
      fieldColumn("parameters", &StudySpread::parameters)};
  return columns;
}

StudyArm newArm(const std::string& name, const ModelConfig& model, const TrainConfig& train,
                const data::Task& task) {
  StudyArm arm{name, model, train};
  fitToTask(arm.model, task);
  validate(arm.model);
  return arm;
}

StudyArm trainedArm(const std::string& name, const Document& document, const TrainConfig& train,
                    const data::Task& task) {
  const ModelState& state = document.state;
  requireSuits(state.config, *makeCodec(document), task);
  if (state.step < maskEnd(state.config))
    throw Error("what grew by method=mask does not count fully yet", name,
                "Train it until step " + std::to_string(maskEnd(state.config)) + " first");
  StudyArm arm{name, state.config, train,
               std::make_shared<const AlignedVector<float>>(state.parameters)};
  arm.model.mask_size = 0;  // it is open, and steps count from 0 again
  arm.train.nesting = document.train.nesting;
  return arm;
}

std::vector<SharedStart> sharedStarts(const StudyConfig& study) {
  std::vector<SharedStart> shared;
  if (study.arms.empty()) return shared;
  const ParameterLayout first = parameterLayout(study.arms.front().model);
  for (const StudyArm& arm : study.arms) {
    if (&arm == &study.arms.front()) continue;
    if (arm.weights)
      throw Error(arm.name + " is a saved model, which would lose its weights", "--same-start",
                  "Name it first: the others then start from its weights where they agree");
    const ParameterLayout layout = parameterLayout(arm.model);
    SharedStart one{arm.name, 0, std::int64_t(layout.parameters.size()), 0, layout.total};
    for (const auto& [own, same] : commonTensors(layout, first)) {
      ++one.tensors;
      one.parameters += own->size();
    }
    if (one.tensors == 0)
      throw Error("no tensor of " + arm.name + " has the name and the sizes of one of " +
                      study.arms.front().name,
                  "--same-start", "Leave it out");
    shared.push_back(std::move(one));
  }
  return shared;
}

ModelState firstState(const StudyConfig& study, const StudyArm& arm, std::uint64_t seed) {
  ModelState state = initialState(arm.model, seed);
  if (arm.weights) state.parameters = *arm.weights;
  const StudyArm& first = study.arms.front();
  if (!study.same_start || arm.name == first.name) return state;
  const ModelState other = firstState(study, first, seed);
  for (const auto& [own, same] : commonTensors(state.layout, other.layout))
    std::copy_n(other.parameters.begin() + same->offset, own->size(),
                state.parameters.begin() + own->offset);
  return state;
}

ModelConfig finalModel(const StudyArm& arm, std::int64_t steps) {
  std::vector<ScheduledGrowth> growths = arm.train.growths;
  std::stable_sort(growths.begin(), growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  ModelConfig model = arm.model;
  for (const ScheduledGrowth& scheduled : growths) {
    if (scheduled.step >= steps)
      throw Error("a growth is scheduled for step " + std::to_string(scheduled.step) + " of " +
                      std::to_string(steps),
                  "study", "Choose an earlier step or more steps");
    model = expand::outlineGrowth(model, scheduled.growth, scheduled.step).after;
  }
  requireOpenMask(model, steps, arm.name);
  return model;
}

StudyCurves compareModels(const StudyConfig& study, const StudyProgress<StudyPoint>& progress) {
  requirePossible(study, *data::makeTask(study.task));
  const std::string& first = study.arms.front().name;
  StudyRunner<StudyPoint> runner(study, progress, study.arms.size());
  for (const std::uint64_t seed : study.seeds)
    for (const StudyArm& arm : study.arms)
      runner.run(seed, arm.name, [&] {
        const bool by_steps = arm.name == first || study.equal == Equal::Steps;
        const Equal equal = by_steps ? Equal::Steps : study.equal;
        const double most =
            by_steps ? double(study.steps) : spentOf(endOf(runner.soFar(), first, seed), equal);
        return ArmRun(study, arm, seed, equal, most, runner).train();
      });
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
  // By arm and number in its run: with equal seconds, no two runs are measured at the same steps.
  std::map<std::pair<std::string, std::uint64_t>, std::int64_t> measured;
  const auto key = [&](const StudyPoint& point) {
    return std::pair(std::ranges::find(arms, point.arm), measured[{point.arm, point.seed}]++);
  };
  std::vector<StudySpread> spreads;
  for (const auto& [place, runs] : acrossSeeds(curves.points, key)) {
    const Spread loss = runs.of(&StudyPoint::loss), accuracy = runs.of(&StudyPoint::accuracy);
    spreads.push_back({*place.first, std::llround(runs.of(&StudyPoint::step).mean), runs.count(),
                       loss.mean, loss.deviation, accuracy.mean, accuracy.deviation,
                       runs.of(&StudyPoint::flops).mean, runs.of(&StudyPoint::seconds).mean,
                       runs.first().parameters, runs.first().by_position});
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
