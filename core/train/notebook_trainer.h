// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.h"
#include "core/data/task.h"
#include "core/matformer/notebook_wiring.h"
#include "core/model/batch.h"
#include "core/program/executor.h"
#include "core/train/train_config.h"
#include "core/train/worker_pool.h"

namespace tfm::train {

/// Trains the notebook's wiring as the notebook does: the mean of its granularities' losses, Adam,
/// batches in random order, all texts padded to the maximum length. Granularities run in parallel;
/// results do not depend on the number of threads.
class NotebookTrainer {
 public:
  /// Uses batch size, learning rate, betas and seed of `config`. Throws Error if the task does not
  /// have two classes or there is not enough memory.
  NotebookTrainer(std::shared_ptr<const data::Task> task, const matformer::NotebookWiring& wiring,
                  const TrainConfig& config, int threads);

  std::int64_t parameters() const { return std::int64_t(parameters_.size()); }
  /// One training step. Throws Error if the loss is not finite.
  void step();
  /// A granularity's class for each of these held-out examples, read as one batch.
  std::vector<std::int32_t> answers(std::size_t granularity,
                                    std::span<const std::uint64_t> numbers);
  /// Draws new values for everything untrained, as loading the notebook's model does.
  void drawUntrained(std::uint64_t seed);

 private:
  struct Key {
    std::size_t granularity;
    std::int64_t sequences;
    bool training;
    auto operator<=>(const Key&) const = default;
  };
  Program programFor(const Key& key) const;
  Executor<float>& addExecutor(const Key& key, Program program);
  Executor<float>& executorFor(const Key& key);
  Batch batchOf(data::Split split, std::uint64_t seed,
                std::span<const std::uint64_t> numbers) const;

  std::shared_ptr<const data::Task> task_;
  const matformer::NotebookWiring wiring_;
  const TrainConfig config_;
  std::unique_ptr<Backend<float>> backend_;
  WorkerPool workers_;
  std::map<Key, Executor<float>> executors_;
  std::uint64_t untrained_seed_;
  std::int64_t steps_ = 0;
  Buffer<float> parameters_, first_moment_, second_moment_;
  std::vector<Buffer<float>> gradients_;  // one per granularity
};

}  // namespace tfm::train
