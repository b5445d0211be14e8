// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/checkpoints.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <charconv>
#include <ctime>
#include <limits>
#include <system_error>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/base/error.h"
#include "core/data/task_table.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

/// Checkpoints by time take at most one part in this many.
constexpr double kMostCost = 100.0;
constexpr double kMostSeconds = 1e6;

/// "500" steps, "30s" or "5m".
void readEvery(const std::string& text, CheckpointOptions& options) {
  double number = 0.0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const bool whole = number == double(std::int64_t(std::clamp(number, 0.0, 1e15)));
  const bool possible = problem == std::errc() && number >= 0.0 && number <= 1e9;
  if (possible && unit.empty() && whole) {
    options.every_steps = std::int64_t(number);
    options.every_seconds = 0.0;
  } else if (possible && (unit == "s" || unit == "m")) {
    options.every_steps = 0;
    options.every_seconds = std::min(number * (unit == "m" ? 60.0 : 1.0), kMostSeconds);
  } else {
    throw CLI::ValidationError("--save-every", "'" + text +
                                                   "' is neither a number of steps, such as 500, "
                                                   "nor a time, such as 30s or 5m");
  }
}

double threadSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

train::Document copyOf(const ModelState& state, const train::Document& rest) {
  train::Document copy = rest;
  copy.state = state;
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
         "Keep a checkpoint beside --out this often: steps, or a time such as 30s or 5m; 0: never")
      ->default_str("60s")
      ->type_name("N");
  app.add_option("--keep", options.keep,
                 "Checkpoints that stay as NAME.step-N.safetensors, the newest ones")
      ->capture_default_str()
      ->type_name("N")
      ->check(CLI::Range(0, 10'000));
  app.add_flag("--keep-best", options.keep_best,
               "Keep the model with the lowest held-out loss as NAME.best.safetensors");
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
      writer_([this] { work(); }) {}

Checkpoints::~Checkpoints() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (writer_.joinable()) writer_.join();
}

void Checkpoints::say(std::string words) {
  const std::lock_guard lock(mutex_);
  news_.push_back(std::move(words));
}

std::vector<std::string> Checkpoints::news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

void Checkpoints::afterStep(const ModelState& state, const train::Document& rest) {
  noticeLoss(rest.history.steps.back());
  noticeBest(state, rest);
  if (!isDue(state.step)) return;
  last_ = Clock::now();
  Job job;
  job.newest = std::make_shared<const train::Document>(copyOf(state, rest));
  job.risen = warned_at_ > 0.0;
  if (options_.keep_best && best_ != best_handed_over_) job.best = best_handed_over_ = best_;
  const double copying = std::chrono::duration<double>(Clock::now() - last_).count();
  {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return !busy_; });  // it is busy only where steps were asked for
    job_ = std::move(job);
    busy_ = true;
    cost_ = copying;
  }
  wake_.notify_all();
}

/// Says when the loss has risen, and again whenever it is ten times as high.
void Checkpoints::noticeLoss(const train::StepMetrics& metrics) {
  loss_.add(metrics.loss);
  if (!train::isMuchHigher(loss_.recent(), loss_.lowest())) {
    warned_at_ = 0.0;
    return;
  }
  if (warned_at_ > 0.0 && loss_.recent() < 10.0 * warned_at_) return;
  warned_at_ = loss_.recent();
  say("warning: the loss has risen from " + shortNumber(loss_.lowest()) + " to " +
      shortNumber(loss_.recent()) + " at step " + withCommas(metrics.step) +
      ": training explodes; a lower --learning-rate or --clip-norm helps");
}

void Checkpoints::noticeBest(const ModelState& state, const train::Document& rest) {
  const std::vector<train::Evaluation>& evaluations = rest.history.evaluations;
  const bool measured = evaluations.size() > evaluations_;
  evaluations_ = evaluations.size();
  if (!measured || !(evaluations.back().loss < best_loss_)) return;
  best_loss_ = evaluations.back().loss;
  best_ = std::make_shared<const train::Document>(copyOf(state, rest));
}

bool Checkpoints::isDue(std::int64_t step) {
  if (options_.every_steps > 0) return step % options_.every_steps == 0;
  if (options_.every_seconds <= 0.0) return false;
  const double passed = std::chrono::duration<double>(Clock::now() - last_).count();
  if (passed < options_.every_seconds) return false;
  const std::lock_guard lock(mutex_);
  return !busy_ && passed >= kMostCost * cost_;
}

void Checkpoints::work() {
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

/// Once for all checkpoints: it takes time for long texts.
void Checkpoints::makeTask(const Job& job) {
  if (task_ != nullptr) return;
  try {
    task_ = data::makeTask(job.newest->task);
  } catch (const std::exception&) {  // saving tells
  }
}

void Checkpoints::write(const Job& job) {
  const fs::path file = checkpointFile(out_);
  try {
    if (job.newest != nullptr) {
      if (job.risen && !risen_ && newest_step_) keepGood();
      risen_ = job.risen;
      keepOlder(job.newest->state.step);
      train::saveDocument(file, *job.newest, {}, task_.get());
      newest_step_ = job.newest->state.step;
    }
    if (job.best != nullptr)
      train::saveDocument(besideFile(out_, "best"), *job.best, {}, task_.get());
  } catch (const std::exception& problem) {
    if (!std::exchange(failed_, true))
      say("warning: the checkpoint cannot be written, training goes on without: " +
          std::string(problem.what()));
    return;
  }
  failed_ = false;
  if (newest_step_ && !std::exchange(told_, true))
    say("note: " + file.string() + " keeps the training as of step " + withCommas(*newest_step_) +
        " and is renewed " +
        (options_.every_steps > 0 ? "every " + withCommas(options_.every_steps) + " steps"
                                  : "every " + durationText(options_.every_seconds)) +
        "; after a crash the same command goes on from it");
}

/// Gives the newest checkpoint so far a second name, which the next one does not take: a crash in
/// between finds it under the first.
fs::path Checkpoints::stay() {
  const fs::path kept = besideFile(out_, "step-" + std::to_string(*newest_step_));
  fs::remove(kept);
  std::error_code no_links;
  fs::create_hard_link(checkpointFile(out_), kept, no_links);
  if (no_links) fs::copy_file(checkpointFile(out_), kept);
  newest_step_.reset();
  return kept;
}

/// One at a time: a loss may rise and fall for ever.
void Checkpoints::keepGood() {
  if (!good_.empty()) fs::remove(good_);
  good_ = stay();
  say("note: the checkpoint of before the loss rose stays as " + good_.string());
}

/// The newest checkpoint so far becomes one of those that stay, before that of `step` comes.
void Checkpoints::keepOlder(std::int64_t step) {
  if (options_.keep == 0 || !newest_step_ || *newest_step_ == step) return;
  older_.push_back(stay());
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
  if (options_.keep_best && best_ != best_handed_over_) write({nullptr, best_});
  if (!saved) return;
  try {
    if (options_.keep > 0 && newest_step_) stay();
    fs::remove(checkpointFile(out_));
  } catch (const fs::filesystem_error& problem) {
    say("warning: the checkpoint is still there: " + std::string(problem.what()));
  }
}

}  // namespace tfm::cli
