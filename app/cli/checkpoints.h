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

#include "core/train/document.h"
#include "core/train/explosion.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// What is kept of a training while it runs.
struct CheckpointOptions {
  std::int64_t every_steps = 0;  ///< 0: by time
  double every_seconds = 60.0;   ///< where every_steps is 0; 0: no checkpoints
  std::int64_t keep = 0;         ///< checkpoints that stay
  bool keep_best = false;
};

/// Declares --save-every, --keep and --keep-best.
void addCheckpointOptions(CLI::App& app, CheckpointOptions& options);

/// A file that stands beside --out: "m.WORD.safetensors" beside "m.safetensors".
std::filesystem::path besideFile(const std::filesystem::path& out, const std::string& word);
/// Where the newest checkpoint of a training with that --out is.
std::filesystem::path checkpointFile(const std::filesystem::path& out);

/// Keeps the newest checkpoint and the best model of a training: copies at a step's end, writes on
/// a thread of its own. By time, both together take at most 1 % of the time of one thread.
class Checkpoints {
 public:
  /// `before`: of the model that training begins with.
  Checkpoints(std::filesystem::path out, const CheckpointOptions& options,
              const train::History& before);
  ~Checkpoints();
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  /// After each step, on the loop's thread (see TrainingLoop::onStep()).
  void afterStep(const ModelState& state, const train::Document& rest);
  /// What is to be said since the last call: where the checkpoint is, that it cannot be written,
  /// that the loss explodes.
  std::vector<std::string> news();

  /// The model with the lowest held-out loss of this training, if that is lower than any before it.
  /// Once training has stopped.
  std::shared_ptr<const train::Document> best() const { return best_; }
  /// Once training has stopped: waits until all is written. `saved`: the model is in its place, so
  /// that the newest checkpoint goes unless it is to stay.
  void finish(bool saved);

 private:
  using Clock = std::chrono::steady_clock;
  struct Job {
    std::shared_ptr<const train::Document> newest, best;  // best may be null
    bool risen = false;  // the loss: the last checkpoint is worth more
  };

  void noticeLoss(const train::StepMetrics& metrics);
  void noticeBest(const ModelState& state, const train::Document& rest);
  bool isDue(std::int64_t step);
  void say(std::string words);
  void work();
  void makeTask(const Job& job);
  void write(const Job& job);
  void keepOlder(std::int64_t step);
  std::filesystem::path stay();
  void keepGood();

  std::filesystem::path out_;
  CheckpointOptions options_;

  // Of the loop's thread.
  train::LossWatch loss_;
  double warned_at_ = 0.0;  // the loss; 0: it has not risen
  double best_loss_;
  std::size_t evaluations_;
  std::shared_ptr<const train::Document> best_, best_handed_over_;
  Clock::time_point last_ = Clock::now();

  // Of the writer's thread until it has ended.
  std::optional<std::int64_t> newest_step_;
  std::deque<std::filesystem::path> older_;
  std::shared_ptr<const data::Task> task_;
  bool told_ = false, failed_ = false;
  bool risen_ = false;          // the loss, at the newest checkpoint
  std::filesystem::path good_;  // the checkpoint of before it rose; empty: there is none

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::optional<Job> job_;
  bool busy_ = false, stop_ = false;
  double cost_ = 0.0;  // seconds that the last checkpoint took from training
  std::vector<std::string> news_;

  std::thread writer_;
};

}  // namespace tfm::cli
