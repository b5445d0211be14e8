// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/document/document.h"
#include "core/train/explosion.h"
#include "core/train/trainer.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// What is saved while training runs.
struct CheckpointOptions {
  std::int64_t every_steps = 0;  ///< 0: use every_seconds
  double every_seconds = 60.0;   ///< used if every_steps is 0; 0: no checkpoints
  std::int64_t keep = 0;         ///< number of checkpoints to keep
  bool keep_best = false;
};

/// Declares --save-every, --keep and --keep-best.
void addCheckpointOptions(CLI::App& app, CheckpointOptions& options);

/// A file beside --out: "m.WORD.safetensors" beside "m.safetensors".
std::filesystem::path besideFile(const std::filesystem::path& out, const std::string& word);
/// The newest checkpoint of a training with this --out.
std::filesystem::path checkpointFile(const std::filesystem::path& out);

/// Saves the newest checkpoint and the best model of a training: copies them after a step and
/// writes them on its own thread. Checkpoints by time take at most 1 % of the time of one thread.
class Checkpoints {
 public:
  /// `before`: the history of the initial model.
  Checkpoints(std::filesystem::path out, const CheckpointOptions& options,
              const train::History& before);
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// Call after each step, on the loop's thread (see TrainingLoop::onStep()).
  void afterStep(const train::Trainer& trainer, const train::Document& rest);
  /// Returns the messages since the last call: where the checkpoint is, that it cannot be written,
  /// that the loss explodes.
  std::vector<std::string> takeMessages();

  /// The model with the lowest held-out loss, if this training reached a new lowest one; else null.
  /// Call after training has stopped.
  std::shared_ptr<const train::Document> best() const { return best_; }
  /// Waits until everything is written. Call after training has stopped. `saved`: the model is
  /// saved, so the newest checkpoint is removed unless it is to be kept.
  void finish(bool saved);

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::shared_ptr<const train::Document> newest, best;  // best may be null
    bool risen = false;  // the loss has risen: the last checkpoint is better
  };

  void watchLoss(const train::StepMetrics& metrics);
  void updateBest(const train::Trainer& trainer, const train::Document& rest);
  bool isDue(std::int64_t step);
  void addMessage(std::string message);
  void writeJobs();
  void makeTask(const Job& job);
  void write(const Job& job);
  void rotate(std::int64_t step);
  std::filesystem::path keepNewest();
  void keepBeforeRise();

  std::filesystem::path out_;
  CheckpointOptions options_;

  // Used by the loop's thread.
  train::LossWatch loss_;
  double warned_at_ = 0.0;  // the loss; 0: it has not risen
  double best_loss_;
  std::size_t evaluations_;
  std::shared_ptr<const train::Document> best_, best_submitted_;
  Clock::time_point last_ = Clock::now();

  // Used by the writer's thread until it has ended.
  std::optional<std::int64_t> newest_step_;
  std::deque<std::filesystem::path> older_;
  std::shared_ptr<const data::Task> task_;
  bool announced_ = false, failed_ = false;
  bool risen_ = false;          // whether the loss had risen at the newest checkpoint
  std::filesystem::path good_;  // the checkpoint from before the loss rose; empty: none

  std::mutex mutex_;  // guards the members below
  std::condition_variable wake_;
  std::optional<Job> job_;
  bool busy_ = false, stop_ = false;
  double cost_ = 0.0;  // seconds spent on the last checkpoint
  std::vector<std::string> messages_;

  std::thread writer_;
};

}  // namespace tfm::cli
