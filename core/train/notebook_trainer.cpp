// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/notebook_trainer.h"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/data/batches.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/ops/update_ops.h"

namespace tfm::train {
namespace {

void requireMemory(const std::vector<Program>& programs) {
  std::int64_t bytes = 0;
  for (const Program& program : programs)
    bytes += program.memoryBytes(sizeof(float), true) +
             program.parameters.total * std::int64_t(sizeof(float));
  requireAvailable("training this model", bytes, "the notebook's wiring",
                   "Choose a smaller batch or shorter texts");
}

}  // namespace

NotebookTrainer::NotebookTrainer(std::shared_ptr<const data::Task> task,
                                 const matformer::NotebookWiring& wiring, const TrainConfig& config,
                                 int threads)
    : task_(std::move(task)),
      wiring_(wiring),
      config_(config),
      backend_(makeBackend<float>()),
      workers_(threads),
      untrained_seed_(config.seed) {
  if (task_->form() != data::TaskForm::Classes || task_->targetVocabulary().size() != 2)
    throw Error("the task '" + task_->name() + "' does not have two classes",
                "the notebook's wiring", "Choose sentiment, or a file with two labels");
  std::vector<Program> programs;
  for (std::size_t g = 0; g < wiring_.granularities; ++g)
    programs.push_back(programFor({g, config_.batch_size, true}));
  requireMemory(programs);
  AlignedVector<float> drawn;
  initialize(programs.front().parameters, config_.seed, drawn);
  const DeviceMemory& memory = backend_->memory();
  parameters_ = {memory, drawn};
  first_moment_ = {memory, drawn.size()};
  second_moment_ = {memory, drawn.size()};
  for (std::size_t g = 0; g < wiring_.granularities; ++g)
    addExecutor({g, config_.batch_size, true}, std::move(programs[g]));
  for (std::size_t g = 0; g < wiring_.granularities; ++g)
    gradients_.emplace_back(memory, drawn.size());
}

void NotebookTrainer::step() {
  std::vector<std::uint64_t> numbers(std::size_t(config_.batch_size));
  std::iota(numbers.begin(), numbers.end(), std::uint64_t(steps_ * config_.batch_size));
  const Batch batch = batchOf(data::Split::Training, config_.seed, numbers);
  std::vector<Executor<float>*> executors;
  for (std::size_t g = 0; g < wiring_.granularities; ++g)
    executors.push_back(&executorFor({g, config_.batch_size, true}));
  std::vector<double> losses(wiring_.granularities);
  workers_.run(std::int64_t(wiring_.granularities), [&](std::int64_t piece, int) {
    const auto g = std::size_t(piece);
    Executor<float>& executor = *executors[g];
    const TensorId loss = executor.program().find(names::kLoss);
    setInputs(executor, batch, 0);
    executor.forward(parameters_.data(), {});
    losses[g] = double(executor.values(loss).at(0, 0));
    executor.backward(parameters_.data(), gradients_[g].data(),
                      {loss, 1.0f / float(wiring_.granularities)}, {});
  });
  for (const double loss : losses)
    if (!std::isfinite(loss))
      throw Error("the loss is not finite at step " + std::to_string(steps_ + 1),
                  "the notebook's wiring", "Lower the learning rate");
  const std::span<float> sum = gradients_.front().span();
  for (std::size_t g = 1; g < gradients_.size(); ++g)
    ops::addTo(*backend_, sum, gradients_[g].span());
  const OptimizerConfig& o = config_.optimizer;
  AdamRule rule{learningRate(config_.schedule, steps_), o.beta1, o.beta2, o.eps, 0.0, false};
  rule.correctFor(++steps_);
  ops::adam(*backend_, parameters_.span(), sum, first_moment_.span(), second_moment_.span(), rule);
}

std::vector<std::int32_t> NotebookTrainer::answers(std::size_t granularity,
                                                   std::span<const std::uint64_t> numbers) {
  Executor<float>& executor = executorFor({granularity, std::int64_t(numbers.size()), false});
  setInputs(executor, batchOf(data::Split::Evaluation, data::kEvaluationSeed, numbers), 0);
  executor.forward(parameters_.data(), {});
  const auto classes = executor.argmax(executor.program().find(names::kOutput));
  return {classes.begin(), classes.end()};
}

void NotebookTrainer::drawUntrained(std::uint64_t seed) {
  untrained_seed_ = seed;
  executors_.clear();
}

Program NotebookTrainer::programFor(const Key& key) const {
  return buildNotebookProgram(wiring_, key.granularity,
                              {key.sequences, task_->maxSourceLength(), 0}, untrained_seed_);
}

Executor<float>& NotebookTrainer::addExecutor(const Key& key, Program program) {
  const auto shared = std::make_shared<const Program>(std::move(program));
  Executor<float>& executor =
      executors_.try_emplace(key, shared, *backend_, key.training).first->second;
  for (const auto& [name, values] : matformer::notebookOrders(shared->shape))
    executor.upload(shared->find(name), values);
  return executor;
}

Executor<float>& NotebookTrainer::executorFor(const Key& key) {
  const auto known = executors_.find(key);
  return known == executors_.end() ? addExecutor(key, programFor(key)) : known->second;
}

Batch NotebookTrainer::batchOf(data::Split split, std::uint64_t seed,
                               std::span<const std::uint64_t> numbers) const {
  std::vector<data::Example> examples;
  examples.reserve(numbers.size());
  for (const std::uint64_t number : numbers)
    examples.push_back(task_->example(split, seed, number));
  return data::frame(*task_, data::Framing::Classes, examples, task_->maxSourceLength());
}

}  // namespace tfm::train
