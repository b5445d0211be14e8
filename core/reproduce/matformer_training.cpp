// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/matformer_training.h"

#include <cmath>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "core/ask/submodel_scorer.h"
#include "core/backend/registry.h"
#include "core/data/batches.h"
#include "core/document/untrained.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/ops/update_ops.h"
#include "core/reproduce/learning_curves.h"
#include "core/reproduce/matformer_wiring.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

constexpr std::int64_t kHeldOutBatches = 16;  // batches of the recipe's size
constexpr double kOfNotebook = 0.4;           // of the time

template <class Real>
Executor<Real> executorOf(Program program, const Backend<Real>& backend, bool gradients) {
  const auto shared = std::make_shared<const Program>(std::move(program));
  Executor<Real> executor(shared, backend, gradients);
  for (const auto& [name, values] : notebookOrders(shared->shape))
    executor.upload(shared->find(name), values);
  return executor;
}

/// Trains as the notebook does: the mean of the granularities' losses, Adam, all texts padded to
/// the maximum length.
class NotebookTrainer {
 public:
  NotebookTrainer(std::shared_ptr<const data::Task> task, const NotebookWiring& wiring,
                  const train::TrainConfig& config)
      : task_(std::move(task)), config_(config), backend_(makeBackend<float>()) {
    const BatchShape shape{config.batch_size, task_->maxSourceLength(), 0};
    for (std::size_t g = 0; g < wiring.granularities; ++g)
      executors_.push_back(
          executorOf(buildNotebookProgram(wiring, g, shape, config.seed), *backend_, true));
    AlignedVector<float> drawn;
    initialize(executors_.front().program().parameters, config.seed, drawn);
    const DeviceMemory& memory = backend_->memory();
    parameters_ = {memory, drawn};
    for (Buffer<float>* buffer : {&gradients_, &first_moment_, &second_moment_})
      *buffer = {memory, drawn.size()};
  }

  void step() {
    const Batch batch = batchOf(data::Split::Training, config_.seed, steps_);
    // The largest first, which overwrites all gradients.
    for (std::size_t g = executors_.size(); g-- > 0;) {
      Executor<float>& executor = executors_[g];
      setInputs(executor, batch, 0);
      executor.forward(parameters_.data(), {});
      executor.backward(parameters_.data(), gradients_.data(),
                        {executor.program().find(names::kLoss), 1.0F / float(executors_.size()),
                         g + 1 < executors_.size()},
                        {});
    }
    const train::OptimizerConfig& o = config_.optimizer;
    AdamRule rule{learningRate(config_.schedule, steps_), o.beta1, o.beta2, o.eps, 0.0, false};
    rule.correctFor(++steps_);
    ops::adam(*backend_, parameters_.span(), gradients_.span(), first_moment_.span(),
              second_moment_.span(), rule);
  }

  /// In percent.
  Numbers accuracies() {
    Numbers right(executors_.size());
    for (std::int64_t i = 0; i < kHeldOutBatches; ++i) {
      const Batch batch = batchOf(data::Split::Evaluation, data::kEvaluationSeed, i);
      for (std::size_t g = 0; g < executors_.size(); ++g) {
        Executor<float>& executor = executors_[g];
        setInputs(executor, batch, 0);
        executor.forward(parameters_.data(), {});
        const auto classes = executor.argmax(executor.program().find(names::kOutput));
        right[g] += std::inner_product(classes.begin(), classes.end(), batch.labels.begin(), 0.0,
                                       std::plus<>(), std::equal_to<>());
      }
    }
    for (double& one : right) one *= 100.0 / double(kHeldOutBatches * config_.batch_size);
    return right;
  }

 private:
  Batch batchOf(data::Split split, std::uint64_t seed, std::int64_t place) const {
    std::vector<data::Example> examples;
    for (std::int64_t i = 0; i < config_.batch_size; ++i)
      examples.push_back(
          task_->example(split, seed, std::uint64_t(place * config_.batch_size + i)));
    return data::frame(*task_, data::Framing::Classes, examples, task_->maxSourceLength());
  }

  std::shared_ptr<const data::Task> task_;
  const train::TrainConfig config_;
  std::unique_ptr<Backend<float>> backend_;
  std::vector<Executor<float>> executors_;  // one per granularity
  std::int64_t steps_ = 0;
  Buffer<float> parameters_, gradients_, first_moment_, second_moment_;
};

/// Before its first step, in the published wiring.
train::Document documentOfSizes() {
  const Source& source = sourceNamed("matformer-notebook");
  const ModelConfig model = presetNamed("sentiment-classifier").config();
  train::TrainConfig training = source.training();
  training.nesting = matformer::defaultNesting(model);
  training.nesting.training = matformer::Training::Joint;
  return train::untrainedFor(source.task(), model, training);
}

NotebookWiring wiringOf(const ModelConfig& model) {
  const LayerSizes sizes = uniformSizes(model).value();
  return {.hidden = model.hidden,
          .feed_forward = sizes.feed_forward,
          .heads = sizes.heads,
          .layers = std::ssize(model.encoder_layers),
          .head_size = 2 * model.hidden,
          .vocabulary = model.source_vocabulary};
}

/// One for each of 32 texts of random features.
Numbers logits(std::int64_t batch_size, std::uint64_t untrained_seed) {
  constexpr std::int64_t kTexts = 32, kPositions = 4;
  const NotebookWiring wiring;
  Numbers features(std::size_t(kTexts * kPositions * wiring.hidden));
  for (std::size_t i = 0; i < features.size(); ++i) features[i] = std::sin(double(i * i + 1));
  const auto backend = makeBackend<double>();
  Executor<double> executor =
      executorOf(buildNotebookProgram(wiring, 0, {batch_size, kPositions, 0}, untrained_seed),
                 *backend, false);
  const Program& program = executor.program();
  AlignedVector<double> drawn;
  initialize(program.parameters, 1, drawn);
  const DeviceCopy<double> parameters(backend->memory(), drawn);
  const auto size = std::size_t(batch_size * kPositions * wiring.hidden);
  Numbers all;
  for (std::size_t first = 0; first < features.size(); first += size) {
    executor.upload(program.find(names::kSourceFeatures), std::span(features).subspan(first, size));
    executor.forward(parameters.data(), {});
    const MatrixView<const double> output = executor.values(program.find(names::kOutput));
    for (std::int64_t r = 0; r < output.rows; ++r) all.push_back(output.at(r, 0));
  }
  return all;
}

double changed(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0, std::plus<>(),
                            [](double x, double y) { return std::abs(x - y) > 1e-6 ? 1.0 : 0.0; });
}

}  // namespace

std::optional<Numbers> accuraciesOfWirings(std::int64_t steps, const Progress& progress) {
  train::Document document = documentOfSizes();
  const std::shared_ptr<const data::Task> task = train::makeTask(document);
  NotebookTrainer notebook(task, wiringOf(document.state.config), document.train);
  const Progress of_notebook = partOf(progress, 0.0, kOfNotebook);
  for (std::int64_t step = 1; step <= steps; ++step) {
    notebook.step();
    if (!of_notebook(double(step) / double(steps))) return std::nullopt;
  }
  Numbers accuracies = notebook.accuracies();
  const std::int64_t held_out = kHeldOutBatches * document.train.batch_size;
  const auto published =
      trainedFor(std::move(document), steps, partOf(progress, kOfNotebook, 1.0 - kOfNotebook));
  if (!published) return std::nullopt;
  train::SubmodelScorer scorer(task, std::make_shared<const ModelState>(published->state()),
                               held_out, 1);
  for (const matformer::Granularity& one : published->granularities())
    accuracies.push_back(100.0 * scorer.score(one.submodel)->accuracy());
  return accuracies;
}

double logitsThatDependOnTheBatch() { return changed(logits(32, 1), logits(1, 1)); }
double logitsThatLoadingChanges() { return changed(logits(32, 1), logits(32, 2)); }

}  // namespace tfm::reproduce
