// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoints.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <string_view>
#include <utility>

#include "app/cli/common_options.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/message_text.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

/// Checkpoints by time are at least this many times their cost apart.
constexpr double kCostRatio = 100.0;
constexpr double kMaxSeconds = 1e6;

/// "500" steps, "30s" or "5m".
void readEvery(const std::string& text, CheckpointOptions& options) {
  const bool minutes = text.ends_with('m'), timed = minutes || text.ends_with('s');
  const auto number = realNumberIn(std::string_view(text).substr(0, text.size() - (timed ? 1 : 0)));
  const bool possible = number && *number >= 0.0 && *number <= 1e9;
  if (possible && timed) {
    options.every_steps = 0;
    options.every_seconds = std::min(*number * (minutes ? 60.0 : 1.0), kMaxSeconds);
  } else if (possible && *number == std::floor(*number)) {
    options.every_steps = std::int64_t(*number);
    options.every_seconds = 0.0;
  } else {
    throw Error("--save-every is " + io::inQuotes(text), "--save-every",
                "Allowed: a number of steps, such as 500, or a time, such as 30s or 5m");
  }
}

double threadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

train::Document copyOf(const train::Trainer& trainer, const train::Document& rest) {
  train::Document copy = rest;
  copy.state = trainer.state();
  return copy;
}

double lowestHeldOut(const train::History& history) {
  double lowest = std::numeric_limits<double>::infinity();
  for (const train::Evaluation& e : history.evaluations) lowest = std::min(lowest, e.loss);
  return lowest;
}

}  // namespace

void addCheckpointOptions(CLI::App& app, CheckpointOptions& options) {
  app.add_option_function<std::string>(
         "--save-every", [&options](const std::string& text) { readEvery(text, options); },
         "Save a checkpoint beside --out every N steps, or at intervals such as 30s or 5m; 0: "
         "never")
      ->default_str("60s")
      ->type_name("WHEN");
  addNumber(app, "--keep", options.keep, 0, 10'000,
            "Number of checkpoints to keep as NAME.step-N.safetensors");
  app.add_flag("--keep-best", options.keep_best,
               "Keep the model with the lowest evaluation loss as NAME.best.safetensors");
}

fs::path besideFile(const fs::path& out, const std::string& word) {
  fs::path file = out;
  file.replace_filename(out.stem().string() + "." + word + out.extension().string());
  return file;
}

fs::path checkpointFile(const fs::path& out) { return besideFile(out, "checkpoint"); }

Checkpoints::Checkpoints(fs::path out, const CheckpointOptions& options,
                         const train::History& before)
    : out_(std::move(out)),
      options_(options),
      loss_(before),
      best_loss_(lowestHeldOut(before)),
      evaluations_(before.evaluations.size()),
      writer_([this] { writeJobs(); }) {}

Checkpoints::~Checkpoints() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (writer_.joinable()) writer_.join();
}

void Checkpoints::addMessage(std::string message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
}

std::vector<std::string> Checkpoints::takeMessages() {
  const std::lock_guard lock(mutex_);
  return std::exchange(messages_, {});
}

void Checkpoints::afterStep(const train::Trainer& trainer, const train::Document& rest) {
  watchLoss(rest.history.steps.back());
  updateBest(trainer, rest);
  if (!isDue(trainer.stepsDone())) return;
  last_ = Clock::now();
  Job job;
  job.newest = std::make_shared<const train::Document>(copyOf(trainer, rest));
  job.risen = warned_at_ > 0.0;
  if (options_.keep_best && best_ != best_submitted_) job.best = best_submitted_ = best_;
  const double copying = std::chrono::duration<double>(Clock::now() - last_).count();
  {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return !busy_; });  // only with every_steps can it be busy
    job_ = std::move(job);
    busy_ = true;
    cost_ = copying;
  }
  wake_.notify_all();
}

/// Warns when the loss has risen, and again whenever it is ten times higher.
void Checkpoints::watchLoss(const train::StepMetrics& metrics) {
  loss_.add(metrics.loss);
  if (!train::isMuchHigher(loss_.recent(), loss_.lowest())) {
    warned_at_ = 0.0;
    return;
  }
  if (warned_at_ > 0.0 && loss_.recent() < 10.0 * warned_at_) return;
  warned_at_ = loss_.recent();
  addMessage("warning: the loss has risen from " + shortNumber(loss_.lowest()) + " to " +
             shortNumber(loss_.recent()) + " at step " + withCommas(metrics.step) +
             ": training explodes; try a lower --learning-rate or --clip-norm");
}

void Checkpoints::updateBest(const train::Trainer& trainer, const train::Document& rest) {
  const std::vector<train::Evaluation>& evaluations = rest.history.evaluations;
  const bool measured = evaluations.size() > evaluations_;
  evaluations_ = evaluations.size();
  if (!measured || !(evaluations.back().loss < best_loss_)) return;
  best_loss_ = evaluations.back().loss;
  best_ = std::make_shared<const train::Document>(copyOf(trainer, rest));
}

bool Checkpoints::isDue(std::int64_t step) {
  if (options_.every_steps > 0) return step % options_.every_steps == 0;
  if (options_.every_seconds <= 0.0) return false;
  const double passed = std::chrono::duration<double>(Clock::now() - last_).count();
  if (passed < options_.every_seconds) return false;
  const std::lock_guard lock(mutex_);
  return !busy_ && passed >= kCostRatio * cost_;
}

void Checkpoints::writeJobs() {
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || job_; });
      if (!job_) return;
      job = *std::exchange(job_, {});
    }
    makeTask(job);
    const double begin = threadSeconds();
    write(job);
    {
      const std::lock_guard lock(mutex_);
      cost_ += threadSeconds() - begin;
      busy_ = false;
    }
    wake_.notify_all();
  }
}

/// Makes the task once, since long texts take time.
void Checkpoints::makeTask(const Job& job) {
  if (task_ != nullptr) return;
  try {
    task_ = train::makeTask(*job.newest);
  } catch (const std::exception&) {  // saving reports it
  }
}

void Checkpoints::write(const Job& job) {
  const fs::path file = checkpointFile(out_);
  try {
    if (job.newest != nullptr) {
      if (job.risen && !risen_ && newest_step_) keepBeforeRise();
      risen_ = job.risen;
      rotate(job.newest->state.step);
      train::saveDocument(file, *job.newest, {}, task_.get());
      newest_step_ = job.newest->state.step;
    }
    if (job.best != nullptr)
      train::saveDocument(besideFile(out_, "best"), *job.best, {}, task_.get());
  } catch (const std::exception& problem) {
    if (!std::exchange(failed_, true))
      addMessage("warning: the checkpoint cannot be written, training continues without it: " +
                 std::string(problem.what()));
    return;
  }
  failed_ = false;
  if (newest_step_ && !std::exchange(announced_, true))
    addMessage("note: " + file.string() + " is a checkpoint of step " + withCommas(*newest_step_) +
               ", updated " +
               (options_.every_steps > 0 ? "every " + counted(options_.every_steps, "step")
                                         : "every " + durationText(options_.every_seconds)) +
               "; after a crash, the same command resumes from it");
}

/// Links the newest checkpoint to a second name, which the next one does not replace. It keeps the
/// first name too, in case of a crash.
fs::path Checkpoints::keepNewest() {
  const fs::path kept = besideFile(out_, "step-" + std::to_string(*newest_step_));
  fs::remove(kept);
  std::error_code no_links;
  fs::create_hard_link(checkpointFile(out_), kept, no_links);
  if (no_links) fs::copy_file(checkpointFile(out_), kept);
  newest_step_.reset();
  return kept;
}

/// Keeps only one such checkpoint, since a loss may rise again and again.
void Checkpoints::keepBeforeRise() {
  if (!good_.empty()) fs::remove(good_);
  good_ = keepNewest();
  addMessage("note: the checkpoint from before the loss rose is kept as " + good_.string());
}

/// Keeps the newest checkpoint before that of `step` replaces it, and removes the oldest.
void Checkpoints::rotate(std::int64_t step) {
  if (options_.keep == 0 || !newest_step_ || *newest_step_ == step) return;
  older_.push_back(keepNewest());
  while (std::int64_t(older_.size()) >= options_.keep) {
    fs::remove(older_.front());
    older_.pop_front();
  }
}

void Checkpoints::finish(bool saved) {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (writer_.joinable()) writer_.join();
  if (options_.keep_best && best_ != best_submitted_) write({nullptr, best_});
  if (!saved) return;
  try {
    if (options_.keep > 0 && newest_step_) keepNewest();
    fs::remove(checkpointFile(out_));
  } catch (const fs::filesystem_error& problem) {
    addMessage("warning: the checkpoint could not be removed: " + std::string(problem.what()));
  }
}

}  // namespace tfm::cli
