// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/program/executor.h"
#include "core/train/worker_pool.h"

namespace tfm::train {

/// Parts of a batch: more than threads keep the threads busy, a fixed number keeps sums the same
/// for any number of threads.
inline constexpr std::int64_t kMostChunks = 8;

/// How well the answers of a batch fit its labels. Positions count up to and including the first
/// pad label.
struct AnswerCounts {
  std::int64_t positions = 0;
  std::int64_t right_positions = 0;
  std::int64_t sequences = 0;
  std::int64_t right_sequences =
      0;  ///< all counted positions right: a greedy decoder answers exactly

  void add(const AnswerCounts& other);
  double positionAccuracy() const;
  double sequenceAccuracy() const;
};

struct BatchResult {
  double loss = 0.0;
  AnswerCounts counts;
};

/// Computes losses and gradients of whole batches. A batch is cut into fixed chunks; threads take
/// chunks, sums run in chunk order, so the result does not depend on the number of threads.
template <class Real>
class GradientEngine {
 public:
  /// `pad_label` ends the counted positions of a sequence; -1: all count.
  GradientEngine(ModelConfig config, std::int32_t pad_label, const Backend<Real>& backend,
                 WorkerPool& workers);

  /// Loss and, in `gradients` (overwritten, one number a parameter), its gradient, with dropout.
  /// `beside` is called once meanwhile, by any thread: work that does not depend on the result.
  BatchResult gradient(std::span<const Real> parameters, const Batch& batch, std::uint64_t seed,
                       std::uint64_t step, std::span<Real> gradients,
                       const std::function<void()>& beside = {});
  /// Loss without dropout or gradient. Masked norms count as after `step` training steps.
  BatchResult loss(std::span<const Real> parameters, const Batch& batch, std::uint64_t step = 0);

  /// The first step whose result is not finite on this batch, or "" where all are.
  std::string firstNonFinite(std::span<const Real> parameters, const Batch& batch,
                             std::uint64_t step = 0);

 private:
  struct Chunk {
    std::int64_t first;
    std::int64_t size;
  };
  std::vector<Chunk> cut(std::int64_t sequences) const;
  Executor<Real>& executorFor(int worker, const Batch& batch, std::int64_t chunk_size,
                              bool training);
  AnswerCounts countAnswers(Executor<Real>& executor, const Batch& batch, const Chunk& chunk) const;
  void addChunks(std::span<Real> gradients);

  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, bool>;

  ModelConfig config_;
  std::int32_t pad_label_;
  const Backend<Real>& backend_;
  WorkerPool& workers_;
  std::vector<std::map<Key, Executor<Real>>> executors_;  // one map a worker
  std::vector<AlignedVector<Real>> chunk_gradients_;
  std::vector<BatchResult> chunk_results_;
};

}  // namespace tfm::train
