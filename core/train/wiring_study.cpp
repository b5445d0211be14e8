// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/wiring_study.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <sstream>
#include <utility>

#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/data/permutation.h"
#include "core/data/task_table.h"
#include "core/io/safetensors.h"
#include "core/train/clock.h"
#include "core/train/document.h"
#include "core/train/fit_task.h"
#include "core/train/gradient_engine.h"
#include "core/train/notebook_trainer.h"
#include "core/train/study_runs.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

constexpr std::uint64_t kOrderSeed = 0;

using Order = std::vector<std::uint64_t>;
using Classes = std::vector<std::int32_t>;
/// A model's class for each of some examples, read as one batch.
using Answers = std::function<Classes(std::span<const std::uint64_t> numbers)>;

/// Held-out examples with their classes, in the orders to compare.
struct Questions {
  Order shuffled, shuffled_again, by_label;
  Classes classes;  // by number

  Questions(const data::Task& task, std::int64_t most) {
    const std::int64_t count = data::evaluationCount(task, most);
    for (std::int64_t i = 0; i < count; ++i)
      classes.push_back(
          task.example(data::Split::Evaluation, data::kEvaluationSeed, std::uint64_t(i))
              .target.front());
    shuffled = drawn(count, 0);
    shuffled_again = drawn(count, 1);
    by_label = shuffled;
    std::stable_sort(by_label.begin(), by_label.end(),
                     [&](std::uint64_t a, std::uint64_t b) { return classes[a] < classes[b]; });
  }

  static Order drawn(std::int64_t count, std::uint64_t epoch) {
    const data::Permutation permutation(count, kOrderSeed, epoch);
    Order order;
    for (std::int64_t i = 0; i < count; ++i) order.push_back(std::uint64_t(permutation(i)));
    return order;
  }
};

double shareEqual(const Classes& a, const Classes& b) {
  const auto equal = std::inner_product(a.begin(), a.end(), b.begin(), std::int64_t{0},
                                        std::plus<>(), std::equal_to<>());
  return double(equal) / double(a.size());
}

/// The answers to an order read in batches, by example.
Classes answersTo(const Order& order, std::int64_t batch_size, const Answers& answers) {
  Classes by_number(order.size());
  for (std::size_t first = 0; first < order.size(); first += std::size_t(batch_size)) {
    const auto numbers =
        std::span(order).subspan(first, std::min(std::size_t(batch_size), order.size() - first));
    const Classes classes = answers(numbers);
    for (std::size_t i = 0; i < numbers.size(); ++i) by_number[numbers[i]] = classes[i];
  }
  return by_number;
}

class WiringStudy {
 public:
  WiringStudy(const WiringStudyConfig& config, const WiringStudyProgress& progress)
      : config_(config), progress_(progress), train_(config.train) {
    if (train_.nesting.widths.empty()) train_.nesting = matformer::defaultNesting(config.model);
    train_.nesting.training = matformer::Training::Joint;
    train_.nesting.heads.clear();
    train_.stop = {};
    train_.growths.clear();
  }

  WiringStudyResult run() {
    for (const std::uint64_t seed : config_.seeds) {
      train_.seed = seed;
      if (!result_.cancelled) runOrTake("notebook", [this] { notebook(); });
      if (!result_.cancelled) runOrTake("published", [this] { published(); });
    }
    return std::move(result_);
  }

 private:
  template <class Run>
  void runOrTake(const char* wiring, const Run& run) {
    if (config_.kept == nullptr) return run();
    const std::string name = runName(train_.seed, wiring);
    if (const auto text = config_.kept->find(name)) {
      for (WiringPoint& point : wiringPoints(*text, (config_.kept->folder() / name).string()))
        result_.points.push_back(std::move(point));
      steps_done_ += config_.steps;
      return tell();
    }
    const auto before = std::ptrdiff_t(result_.points.size());
    run();
    if (result_.cancelled) return;
    const std::vector<WiringPoint> points(result_.points.begin() + before, result_.points.end());
    config_.kept->keep(name, runText(points));
  }

  void notebook() {
    const std::shared_ptr<const data::Task> task = data::makeTask(config_.task);
    ModelConfig model = config_.model;
    fitToTask(model, *task);
    const matformer::NotebookWiring wiring = notebookWiringOf(model);
    NotebookTrainer trainer(task, wiring, train_, config_.threads);
    if (!trained([&] { trainer.step(); })) return;
    const Questions questions(*task, config_.examples);
    const std::vector<std::int64_t> widths = matformer::widthsOf(wiring);
    const auto answersOf = [&](std::size_t g) -> Answers {
      return [&trainer, g](const auto& numbers) { return trainer.answers(g, numbers); };
    };
    std::vector<WiringPoint> points;
    for (std::size_t g = 0; g < widths.size() && !result_.cancelled; ++g) {
      points.push_back(
          {train_.seed, true, matformer::granularityName(g), widths[g], trainer.parameters()});
      measure(points.back(), questions, answersOf(g));
    }
    trainer.drawUntrained(train_.seed + 1);
    for (std::size_t g = 0; g < points.size() && !result_.cancelled; ++g)
      reload(points[g], questions, answersOf(g));
  }

  void published() {
    Document document = newDocument(config_.model, config_.task, train_);
    const std::shared_ptr<const data::Task> task = data::makeTask(document.task);
    Trainer trainer(task, document.state, train_, config_.threads);
    if (!trained([&] { trainer.step(); })) return;
    document.state = trainer.state();
    const Document reloaded = fromTensorFile(toTensorFile(document), "the study");
    const Questions questions(*task, config_.examples);
    WorkerPool workers(config_.threads);
    GradientEngine<float> engine(trainer.model(), -1, trainer.backend(), workers);
    for (const matformer::Granularity& one : trainer.granularities()) {
      if (result_.cancelled) return;
      const auto answersOf = [&](const ModelState& state) -> Answers {
        return [&, state = &state](const auto& numbers) {
          return publishedAnswers(trainer, engine, *state, one.submodel, numbers);
        };
      };
      WiringPoint point{train_.seed, false, one.name, one.submodel.widths.front(),
                        trainer.layout().total};
      measure(point, questions, answersOf(document.state));
      reload(point, questions, answersOf(reloaded.state));
    }
  }

  static Classes publishedAnswers(const Trainer& trainer, GradientEngine<float>& engine,
                                  const ModelState& state, const Submodel& submodel,
                                  std::span<const std::uint64_t> numbers) {
    Classes classes(numbers.size());
    const Batch batch = data::evaluationBatch(trainer.task(), trainer.framing(), numbers);
    const DeviceCopy<float> parameters(trainer.backend().memory(), state.parameters);
    engine.loss(parameters.span(), batch, std::uint64_t(state.step), submodel,
                [&](std::int64_t first, MatrixView<const float> probabilities) {
                  for (std::int64_t r = 0; r < probabilities.rows; ++r)
                    classes[std::size_t(first + r)] =
                        probabilities.at(r, 0) >= probabilities.at(r, 1) ? 0 : 1;
                });
    return classes;
  }

  void measure(WiringPoint& point, const Questions& q, const Answers& answers) {
    const auto to = [&](const Order& order, std::int64_t batch_size) {
      tell();
      return answersTo(order, batch_size, answers);
    };
    const Classes shuffled = to(q.shuffled, train_.batch_size);
    point.examples = std::int64_t(q.classes.size());
    point.shuffled = shareEqual(shuffled, q.classes);
    point.changed = 1.0 - shareEqual(shuffled, to(q.shuffled_again, train_.batch_size));
    point.by_label = shareEqual(to(q.by_label, train_.batch_size), q.classes);
    point.alone = shareEqual(to(q.shuffled, 1), q.classes);
  }

  /// The last measurement of a point, with the answers of the reloaded model.
  void reload(WiringPoint& point, const Questions& q, const Answers& answers) {
    point.reloaded = shareEqual(answersTo(q.shuffled, train_.batch_size, answers), q.classes);
    result_.points.push_back(point);
    tell();
  }

  /// Returns whether it was not cancelled.
  template <class Step>
  bool trained(const Step& step) {
    for (std::int64_t i = 0; i < config_.steps && !result_.cancelled; ++i) {
      step();
      ++steps_done_;
      if (pace_.isDue()) tell();
    }
    return !result_.cancelled;
  }

  void tell() {
    if (!progress_ || result_.cancelled) return;
    const double steps = 2.0 * double(config_.seeds.size()) * double(config_.steps);
    result_.cancelled = !progress_(double(steps_done_) / steps, result_);
  }

  const WiringStudyConfig& config_;
  const WiringStudyProgress& progress_;
  TrainConfig train_;
  RateLimiter pace_;
  std::int64_t steps_done_ = 0;  // of all runs
  WiringStudyResult result_;
};

}  // namespace

matformer::NotebookWiring notebookWiringOf(const ModelConfig& model) {
  const bool encoder = model.architecture == Architecture::Encoder && !model.encoder_layers.empty();
  const auto* attention = encoder ? model.encoder_layers.front().first<SelfAttention>() : nullptr;
  if (attention == nullptr)
    throw Error("the model is not an encoder with layers", "the notebook's wiring",
                "Choose a preset for classes, such as sentiment");
  matformer::NotebookWiring wiring;
  const bool features = model.input == InputKind::Features;
  wiring.hidden = features && model.feature_size > 0 ? model.feature_size : model.hidden;
  wiring.vocabulary = features ? 0 : model.source_vocabulary;
  wiring.heads = attention->sizes.heads;
  wiring.layers = std::int64_t(model.encoder_layers.size());
  const std::vector<std::int64_t> widths = fullWidths(model);
  wiring.feed_forward = *std::max_element(widths.begin(), widths.end());
  wiring.head_size = 2 * wiring.hidden;
  return wiring;
}

WiringStudyResult runWiringStudy(const WiringStudyConfig& config,
                                 const WiringStudyProgress& progress) {
  if (config.seeds.empty() || config.steps < 1 || config.examples < 1)
    throw Error("there is nothing to train or to measure", "wiring study",
                "Use at least one seed, one step and one example");
  return WiringStudy(config, progress).run();
}

std::string toTsv(const WiringStudyResult& result) {
  std::ostringstream text;
  text.precision(9);
  text << "seed\twiring\tname\twidth\tparameters\texamples\tshuffled\tby_label\talone\treloaded\t"
          "changed\n";
  for (const WiringPoint& p : result.points)
    text << p.seed << '\t' << (p.notebook ? "notebook" : "published") << '\t' << p.name << '\t'
         << p.width << '\t' << p.parameters << '\t' << p.examples << '\t' << p.shuffled << '\t'
         << p.by_label << '\t' << p.alone << '\t' << p.reloaded << '\t' << p.changed << '\n';
  return text.str();
}

}  // namespace tfm::train
