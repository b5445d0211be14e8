// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/model/submodel.h"
#include "core/program/used_parameters.h"
#include "core/train/executor_cache.h"
#include "core/train/worker_pool.h"

namespace tfm::train {

/// Chunks of a batch on a backend that splits work: enough to keep threads busy; a fixed number, so
/// that sums do not depend on the number of threads.
inline constexpr std::int64_t kMaxChunks = 8;

/// The right answers in a batch. Positions count up to and including the first pad label. Where
/// numbers are compared, each is a position, and right within Batch::label_tolerance.
struct AnswerCounts {
  std::int64_t positions = 0;
  std::int64_t right_positions = 0;
  std::int64_t sequences = 0;
  std::int64_t right_sequences =
      0;  ///< all counted positions right: greedy decoding gives the exact answer

  void add(const AnswerCounts& other);
  double positionAccuracy() const;
  double sequenceAccuracy() const;
};

struct BatchResult {
  double loss = 0.0;
  AnswerCounts counts;
};

/// A submodel and the factor of its loss.
struct WeightedPart {
  Submodel submodel;
  double weight = 1.0;
  std::string name = {};  ///< of a granularity
};

/// Only the whole model.
inline const std::array<WeightedPart, 1> kWhole{};

/// Called on any thread with the probabilities of some sequences of a batch, (sequences *
/// positions) x answers.
template <class Real>
using ProbabilitySink =
    std::function<void(std::int64_t first_sequence, MatrixView<const Real> probabilities)>;

/// Computes losses and gradients of batches. A batch is split into fixed chunks (a single one where
/// the backend does not split work), which threads process and which are summed in order, so the
/// result does not depend on the number of threads.
template <class Real>
class GradientEngine {
 public:
  /// `pad_label` is the last counted position of a sequence; -1: all count.
  GradientEngine(ModelConfig config, std::int32_t pad_label, const Backend<Real>& backend,
                 WorkerPool& workers);

  /// Work done with a gradient; see Executor::Afterwards. It may depend on the loss only through
  /// whether it is finite.
  using Afterwards = typename Executor<Real>::Afterwards;
  /// The weighted sum of the parts' losses and its gradient, with dropout. `gradients` of
  /// usedBy(parts) are overwritten, others are left unchanged. Answers are counted for the last
  /// part. `concurrent` is independent work, called once on any thread meanwhile; `afterwards` is
  /// done before this returns, where work is not split in one recording with the passes. Parameters
  /// and gradients are in the backend's memory.
  BatchResult gradient(std::span<const Real> parameters, const Batch& batch, std::uint64_t seed,
                       std::uint64_t step, std::span<Real> gradients,
                       const std::function<void()>& concurrent = {},
                       std::span<const WeightedPart> parts = kWhole,
                       const Afterwards& afterwards = {});
  /// Loss of a submodel, without dropout. The weight of masked components is that after `step`
  /// training steps.
  BatchResult loss(std::span<const Real> parameters, const Batch& batch, std::uint64_t step = 0,
                   const Submodel& submodel = {}, const ProbabilitySink<Real>& sink = {});
  /// The parameters that any of the parts reads.
  const std::vector<EntryRun>& usedBy(std::span<const WeightedPart> parts);

  /// The first step whose result is not finite on this batch, or "".
  std::string firstNonFinite(std::span<const Real> parameters, const Batch& batch,
                             std::uint64_t step = 0);

 private:
  struct Chunk {
    std::int64_t first;
    std::int64_t size;
  };
  std::vector<Chunk> cut(std::int64_t sequences) const;
  Executor<Real>& executorFor(int worker, const Batch& batch, std::int64_t chunk_size,
                              bool training, const Submodel& submodel);
  /// Adds the part's loss to `result`, and adds (or without `add` writes) its gradient.
  void addPart(int worker, const Real* parameters, Real* gradients, const Batch& batch,
               const Chunk& chunk, const RunPosition& position, const WeightedPart& part, bool add,
               const Afterwards& afterwards, BatchResult& result);
  /// The tensor whose largest numbers are the answers, or kNoTensor.
  static TensorId answersOf(const Program& program, const Batch& batch);
  /// `trained`: the executor has computed them.
  AnswerCounts countAnswers(Executor<Real>& executor, const Batch& batch, const Chunk& chunk,
                            bool trained) const;
  /// Of Batch::label_features: a position is a number.
  AnswerCounts countNumbers(Executor<Real>& executor, const Batch& batch, const Chunk& chunk) const;
  void addChunks(std::size_t chunks, std::span<Real> gradients, std::span<const EntryRun> used);

  ModelConfig config_;
  std::int32_t pad_label_;
  const Backend<Real>& backend_;
  WorkerPool& workers_;
  std::vector<ExecutorCache<Real>> executors_;                      // one per worker
  std::map<std::vector<Submodel>, std::vector<EntryRun>> used_by_;  // by the parts' submodels
  Buffer<Real> loss_;                                               // the sum of all chunks
  std::vector<Buffer<Real>> chunk_gradients_;                       // of all chunks but the first
};

}  // namespace tfm::train
