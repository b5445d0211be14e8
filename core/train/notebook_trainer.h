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
/// batches in a random order, every text filled up to the longest length. Granularities run on
/// threads of their own; results do not depend on how many there are.
class NotebookTrainer {
 public:
  /// Takes batch size, learning rate, betas and seed of `config`. Throws Error where the task has
  /// not two classes, and for more memory than there is.
  NotebookTrainer(std::shared_ptr<const data::Task> task, const matformer::NotebookWiring& wiring,
                  const TrainConfig& config, int threads);

  std::int64_t parameters() const { return std::int64_t(parameters_.size()); }
  /// One training step. Throws Error where the loss is no longer a number.
  void step();
  /// The class that a granularity answers for each of these held-out examples, read as one batch.
  std::vector<std::int32_t> answers(std::size_t granularity,
                                    std::span<const std::uint64_t> numbers);
  /// What reading the notebook's model from a file does: all that is not trained is drawn anew.
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
  std::vector<Buffer<float>> gradients_;  // one a granularity
};

}  // namespace tfm::train
