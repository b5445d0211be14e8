// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "core/backend/registry.h"
#include "core/backend/trace_backend.h"
#include "core/data/framing.h"
#include "core/matformer/nesting.h"
#include "core/model/model_state.h"
#include "core/train/device_full.h"
#include "core/train/diverged.h"
#include "core/train/gradient_engine.h"
#include "core/train/metrics.h"
#include "core/train/train_config.h"
#include "core/train/worker_pool.h"

namespace tfm::train {

/// A state whose numbers are still to be downloaded from the device; see LateDownload.
struct LateState {
  ModelState state;  ///< without numbers
  LateDownload<float> parameters, first_moment, second_moment;
  std::shared_ptr<const ModelState> held = nullptr;  ///< the state itself, if nothing changes it

  /// Waits for them. Once, on any thread.
  std::shared_ptr<const ModelState> take();
};

/// Trains a model on a task, step by step, on the calling thread and its own thread pool. Without
/// a task, it holds the state it was given, which can be exchanged, and copies nothing of it; what
/// needs a task throws noTask().
class Trainer {
 public:
  /// `task` may be null. Throws Error where model and task do not fit, or where the host's memory
  /// is used and too small (checked before any is allocated). Without a `backend`, makes one as
  /// the config says.
  Trainer(std::shared_ptr<const data::Task> task, ModelState state, TrainConfig config, int threads,
          std::unique_ptr<Backend<float>> backend = nullptr);

  /// Whether growths are scheduled for the current step and not yet applied.
  bool growthIsDue() const;
  /// Applies the growths scheduled for the current step, once, and returns their descriptions. If
  /// they are impossible, throws Error and changes nothing.
  std::vector<std::string> growIfScheduled();
  /// One training step, after growIfScheduled(). Throws Diverged if loss or gradient are not
  /// finite, and DeviceFull if the device runs out of memory; the state is then unchanged.
  StepMetrics step();
  /// Evaluates the first `examples` held-out examples, at most all; always the same ones. Throws
  /// Diverged if a loss is not finite.
  Evaluation evaluate(std::int64_t examples);

  /// A copy of everything needed to resume the training. A model without a task that was never
  /// trained has no moments of the optimizer: they are zeros.
  ModelState state() const;
  /// The same; without a task what is held, not a copy.
  std::shared_ptr<const ModelState> sharedState() const;
  /// The same, to be read later while training continues; without the optimizer's moments unless
  /// `moments`.
  LateState lateState(bool moments) const;
  // The following copy nothing.
  std::int64_t stepsDone() const { return state_.step; }
  std::uint64_t seed() const { return state_.seed; }
  const ModelConfig& model() const { return state_.config; }
  const ParameterLayout& layout() const { return state_.layout; }
  /// A copy of the gradient of the last step, after clipping; empty before the first step from this
  /// state.
  AlignedVector<float> gradients() const;
  LateDownload<float> lateGradients() const;
  const TrainConfig& config() const { return config_; }
  bool hasTask() const { return task_ != nullptr; }
  // Only with a task:
  const data::Task& task() const { return *task_; }
  std::shared_ptr<const data::Task> sharedTask() const { return task_; }
  data::Framing framing() const { return framing_; }
  /// The nested submodels, smallest first; empty without nesting.
  const std::vector<matformer::Granularity>& granularities() const { return granularities_; }
  /// The submodels whose losses a step adds up.
  std::vector<WeightedPart> partsOf(std::uint64_t step) const;
  const Backend<float>& backend() const { return *backend_; }

  /// Starts or stops measuring the ops of each step; while off, there is no overhead per call. The
  /// training is the same, bit for bit.
  void setTraced(bool traced);
  /// The costs of the ops since the last call; empty if they are not measured.
  std::vector<OpCost> takeCosts();

  /// Takes effect with the next step; the seed remains that of the state. Changing to or from SGD
  /// resets the moments. Throws Error for invalid values and if there is not enough memory.
  void setConfig(const TrainConfig& config);
  /// Continues from another state, bit for bit like a trainer constructed with it. If the model
  /// does not fit the task or there is not enough memory, throws Error and changes nothing.
  void restore(std::shared_ptr<const ModelState> state);
  void restore(ModelState state) { restore(std::make_shared<const ModelState>(std::move(state))); }
  /// Continues on another backend. If there is not enough memory, throws Error or std::bad_alloc
  /// and changes nothing.
  void moveTo(std::unique_ptr<Backend<float>> backend);
  /// The latest saved state with finite loss and gradient, to restore after Diverged; null if there
  /// is none yet.
  std::shared_ptr<const ModelState> lastGood() const { return last_good_; }

  /// Estimated memory in bytes for training a model and its nested submodels.
  static std::int64_t memoryBytes(const ModelConfig& model, const data::Task& task,
                                  std::int64_t batch_size, int threads,
                                  const matformer::Nesting& nesting = {});
  /// Throws Error if memoryBytes() exceeds the available memory.
  static void requireMemory(const ModelConfig& model, const data::Task& task,
                            std::int64_t batch_size, int threads,
                            const matformer::Nesting& nesting = {});

 private:
  /// The batch of a step and what it was made from.
  struct Prepared {
    std::uint64_t seed = 0;
    std::uint64_t step = 0;
    std::int64_t size = 0;  ///< 0: nothing is prepared
    Batch batch;
  };
  Prepared prepare(std::uint64_t step) const;
  /// For the next step, if it can be.
  void prepareNext(std::uint64_t step);

  /// The exception for a quantity that is not finite; finds the first such tensor.
  Diverged diverged(const std::string& quantity, std::int64_t step, const Batch& batch);
  void take(std::shared_ptr<const ModelState> state);
  /// Throws Error where the task, if any, does not fit the model or memory cannot hold its
  /// training.
  void requireFit(const ModelConfig& model, const TrainConfig& config, int threads) const;
  /// For a model that fits.
  void beginWith(const ModelConfig& model);
  void makeEngine(const ModelConfig& model);
  /// Runs it and throws DeviceFull if a device runs out of memory.
  template <class Work>
  auto onDevice(const Work& work) const;
  StepMetrics doStep();
  Evaluation doEvaluate(std::int64_t examples);
  /// Sets all other gradients to zero.
  void useOnly(const std::vector<EntryRun>& used);

  /// What the calls of an update keep; updates for which it is equal share a recording.
  struct Update {
    OptimizerConfig optimizer;
    double clip_norm = 0.0;
    std::vector<const void*> addresses;
    std::vector<EntryRun> used;
    std::size_t numbers = 0;          ///< rows of step_numbers_
    std::vector<MissedSteps> missed;  ///< `steps`: which numbers are theirs
    bool operator==(const Update&) const = default;
  };
  /// All that the next update needs, in the memory of the backend.
  Update prepareUpdate();
  /// A key for an update; equal updates have equal keys.
  std::uint64_t keyOf(const Update& update);
  /// The norm, clipping and the optimizer; nothing where loss or norm are not finite.
  void runUpdate(const Update& update, const float* loss);
  /// After runUpdate().
  double gradientNorm() const;

  std::shared_ptr<const data::Task> task_;
  data::Framing framing_{};
  TrainConfig config_;
  bool own_backend_;  // as config_ says
  std::unique_ptr<Backend<float>> backend_;
  TraceBackend<float>* trace_ = nullptr;  // the backend, where it measures
  WorkerPool workers_;
  std::shared_ptr<const ModelState> held_;  // without a task
  ModelState state_;  // without numbers, which are in these buffers, or in held_
  Buffer<float> parameters_, first_moment_, second_moment_, gradients_;
  std::optional<GradientEngine<float>> engine_;  // rebuilt for another config
  Prepared prepared_;
  std::vector<matformer::Granularity> granularities_;
  std::vector<EntryRun> used_;    // by the last step; all other gradients are zero
  std::vector<EntryRun> blocks_;  // of these, for the threads
  Buffer<double> squares_;        // the sum of each block
  Buffer<StepNumbers<float>> step_numbers_;
  std::vector<std::pair<Update, std::uint64_t>> updates_;  // the latest ones, and their keys
  std::uint64_t update_keys_ = 0;
  std::shared_ptr<const ModelState> last_good_;
  // The result of the last scheduled growth: a step that is retried does not grow again.
  std::int64_t grown_step_ = -1, grown_parameters_ = 0;
};

}  // namespace tfm::train
