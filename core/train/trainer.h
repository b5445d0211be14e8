// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/backend/registry.h"
#include "core/data/framing.h"
#include "core/matformer/nesting.h"
#include "core/model/model_state.h"
#include "core/train/diverged.h"
#include "core/train/gradient_engine.h"
#include "core/train/metrics.h"
#include "core/train/train_config.h"
#include "core/train/worker_pool.h"

namespace tfm::train {

/// Trains one model on one task, step by step, on the calling thread and a pool of its own. Without
/// a task, it holds the model, which can be grown and exchanged; what needs a task throws noTask().
class Trainer {
 public:
  /// `task` may be null. Throws Error where model and task do not fit, or where the memory needed
  /// is more than there is (checked before any of it is taken).
  Trainer(std::shared_ptr<const data::Task> task, ModelState state, TrainConfig config, int threads,
          std::unique_ptr<Backend<float>> backend = makeBackend<float>());

  /// Whether growths are scheduled for the steps done and not yet applied.
  bool growthIsDue() const;
  /// Applies the growths that are scheduled for the steps done, once; what was done, in words.
  /// Throws Error, and leaves everything as it is, where they are not possible.
  std::vector<std::string> growIfScheduled();
  /// One training step, after growIfScheduled(). Throws Diverged where loss or gradient are not
  /// finite; the state before the step is untouched.
  StepMetrics step();
  /// On the first `examples` held-out examples, or all there are; the same ones every time. Throws
  /// Diverged where a loss is not finite.
  Evaluation evaluate(std::int64_t examples);

  /// A copy of everything needed to resume the training.
  ModelState state() const;
  /// The same without the moments of the optimizer: enough to look inside.
  ModelState weights() const;
  // What follows copies nothing.
  std::int64_t stepsDone() const { return state_.step; }
  std::uint64_t seed() const { return state_.seed; }
  const ModelConfig& model() const { return state_.config; }
  const ParameterLayout& layout() const { return state_.layout; }
  /// A copy of the gradient of the last step, after clipping; empty where none was made from this
  /// state.
  AlignedVector<float> gradients() const;
  const TrainConfig& config() const { return config_; }
  bool hasTask() const { return task_ != nullptr; }
  // Only with a task:
  const data::Task& task() const { return *task_; }
  std::shared_ptr<const data::Task> sharedTask() const { return task_; }
  data::Framing framing() const { return framing_; }
  /// The nested submodels that it trains, smallest first; empty where nothing is nested.
  const std::vector<matformer::Granularity>& granularities() const { return granularities_; }
  const Backend<float>& backend() const { return *backend_; }

  /// Takes effect with the next step; the seed stays that of the state. Going to or from SGD starts
  /// with fresh moments. Throws Error for values that are not allowed and for a batch that needs
  /// more memory than there is.
  void setConfig(const TrainConfig& config);
  /// Goes on from another state, as a trainer that was made with it would, bit for bit. Seconds
  /// already trained are kept by the caller. Throws Error, and goes on with what it had, where the
  /// state's model cannot learn the task or memory cannot hold its training.
  void restore(const ModelState& state);
  /// The newest kept state whose loss and gradient were finite: where to go back to after Diverged.
  /// Null where no step has shown that yet.
  std::shared_ptr<const ModelState> lastGood() const { return last_good_; }

  /// Bytes that training this model, and its nested submodels, takes, computed without taking them.
  static std::int64_t memoryBytes(const ModelConfig& model, const data::Task& task,
                                  std::int64_t batch_size, int threads,
                                  const matformer::Nesting& nesting = {});
  /// Throws Error with that estimate where it is more than there is.
  static void requireMemory(const ModelConfig& model, const data::Task& task,
                            std::int64_t batch_size, int threads,
                            const matformer::Nesting& nesting = {});

 private:
  /// The batch of a step, kept with what it was made from.
  struct Prepared {
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    std::int64_t size = 0;  ///< 0: nothing is prepared
    Batch batch;
  };
  Prepared prepare(std::uint64_t step) const;

  /// The submodels whose losses a step adds up.
  std::vector<WeightedPart> partsOf(std::uint64_t step) const;
  /// What is said of a quantity that is not finite: looks for where that begins.
  Diverged diverged(const std::string& quantity, std::int64_t step, const Batch& batch);
  void take(const ModelState& state);
  /// Throws Error where the task, if any, does not fit the model or memory cannot hold its
  /// training.
  void requireFit(const ModelConfig& model, const TrainConfig& config, int threads) const;
  /// For a model that fits.
  void beginWith(const ModelConfig& model);
  /// All gradients but these are zero from now on.
  void useOnly(const std::vector<EntryRun>& used);
  double clip();
  void update();

  std::shared_ptr<const data::Task> task_;
  data::Framing framing_{};
  TrainConfig config_;
  std::unique_ptr<Backend<float>> backend_;
  WorkerPool workers_;
  ModelState state_;  // but for its numbers, which are these
  Buffer<float> parameters_, first_moment_, second_moment_, gradients_;
  std::optional<GradientEngine<float>> engine_;  // made anew for another config
  Prepared prepared_;
  std::vector<matformer::Granularity> granularities_;
  std::vector<EntryRun> used_;    // by the last step; all other gradients are zero
  std::vector<EntryRun> blocks_;  // of these, for the threads
  Buffer<double> squares_;        // the sum of a block's
  std::shared_ptr<const ModelState> last_good_;
  // What the last scheduled growth led to: a step that is tried again does not grow again.
  std::int64_t grown_step_ = -1, grown_parameters_ = 0;
};

}  // namespace tfm::train
