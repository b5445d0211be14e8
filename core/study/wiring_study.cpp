// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/wiring_study.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/data/permutation.h"
#include "core/data/task_table.h"
#include "core/document/document.h"
#include "core/io/safetensors.h"
#include "core/train/fit_task.h"
#include "core/train/gradient_engine.h"
#include "core/train/notebook_trainer.h"
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
  WiringStudy(const StudyConfig& config, const StudyProgress<WiringPoint>& progress)
      : config_(config), train_(config.train), runner_(config, progress, 2) {
    if (train_.nesting.widths.empty()) train_.nesting = matformer::defaultNesting(config.model);
    train_.nesting.training = matformer::Training::Joint;
    train_.nesting.heads.clear();
    train_.stop = {};
    train_.growths.clear();
  }

  WiringStudyResult run() {
    for (const std::uint64_t seed : config_.seeds) {
      train_.seed = seed;
      runner_.run(seed, kNotebook, [this] { return notebook(); });
      runner_.run(seed, kPublished, [this] { return published(); });
    }
    return runner_.takeResult();
  }

 private:
  bool notebook() {
    const std::shared_ptr<const data::Task> task = data::makeTask(config_.task);
    ModelConfig model = config_.model;
    fitToTask(model, *task);
    const matformer::NotebookWiring wiring = notebookWiringOf(model);
    NotebookTrainer trainer(task, wiring, train_, config_.threads);
    if (!runner_.train([&] { trainer.step(); })) return false;
    const Questions questions(*task, config_.examples);
    const std::vector<std::int64_t> widths = matformer::widthsOf(wiring);
    const auto answersOf = [&](std::size_t g) -> Answers {
      return [&trainer, g](const auto& numbers) { return trainer.answers(g, numbers); };
    };
    std::vector<WiringPoint> points;
    for (std::size_t g = 0; g < widths.size() && !runner_.cancelled(); ++g) {
      points.push_back(
          {train_.seed, kNotebook, matformer::granularityName(g), widths[g], trainer.parameters()});
      measure(points.back(), questions, answersOf(g));
    }
    trainer.drawUntrained(train_.seed + 1);
    std::size_t g = 0;
    for (; g < points.size() && !runner_.cancelled(); ++g)
      reload(points[g], questions, answersOf(g));
    return g == widths.size();
  }

  bool published() {
    Document document = newDocument(config_.model, config_.task, train_);
    const std::shared_ptr<const data::Task> task = makeTask(document);
    Trainer trainer(task, document.state, train_, config_.threads);
    if (!runner_.train([&] { trainer.step(); })) return false;
    document.state = trainer.state();
    const Document reloaded = fromTensorFile(toTensorFile(document), "the study");
    const Questions questions(*task, config_.examples);
    WorkerPool workers(config_.threads);
    GradientEngine<float> engine(trainer.model(), -1, trainer.backend(), workers);
    for (const matformer::Granularity& one : trainer.granularities()) {
      if (runner_.cancelled()) return false;
      const auto answersOf = [&](const ModelState& state) -> Answers {
        return [&, state = &state](const auto& numbers) {
          return publishedAnswers(trainer, engine, *state, one.submodel, numbers);
        };
      };
      WiringPoint point{train_.seed, kPublished, one.name, one.submodel.widths.front(),
                        trainer.layout().total};
      measure(point, questions, answersOf(document.state));
      reload(point, questions, answersOf(reloaded.state));
    }
    return true;
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
      runner_.report();
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
    runner_.add(point);
    runner_.report();
  }

  const StudyConfig& config_;
  TrainConfig train_;
  StudyRunner<WiringPoint> runner_;
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
  wiring.hidden = features ? model.featureWidth() : model.hidden;
  wiring.vocabulary = features ? 0 : model.source_vocabulary;
  wiring.heads = attention->sizes.heads;
  wiring.layers = std::int64_t(model.encoder_layers.size());
  const std::vector<std::int64_t> widths = fullWidths(model);
  wiring.feed_forward = *std::max_element(widths.begin(), widths.end());
  wiring.head_size = 2 * wiring.hidden;
  return wiring;
}

WiringStudyResult runWiringStudy(const StudyConfig& config,
                                 const StudyProgress<WiringPoint>& progress) {
  if (config.steps < 1 || config.examples < 1)
    throw Error("there is nothing to train or to measure", "wiring study",
                "Give at least one step and one example");
  return WiringStudy(config, progress).run();
}

const StudyColumns<WiringPoint>& WiringPoint::columns() {
  using P = WiringPoint;
  static const StudyColumns<P> columns{fieldColumn("seed", &P::seed),
                                       fieldColumn("wiring", &P::wiring),
                                       fieldColumn("name", &P::name),
                                       fieldColumn("width", &P::width),
                                       fieldColumn("parameters", &P::parameters),
                                       fieldColumn("examples", &P::examples),
                                       fieldColumn("shuffled", &P::shuffled),
                                       fieldColumn("by_label", &P::by_label),
                                       fieldColumn("alone", &P::alone),
                                       fieldColumn("reloaded", &P::reloaded),
                                       fieldColumn("changed", &P::changed)};
  return columns;
}

}  // namespace tfm::train
