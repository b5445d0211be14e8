// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_run.h"

#include <chrono>
#include <future>
#include <limits>
#include <memory>
#include <utility>

#include "app/cli/granularity_text.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "core/backend/registry.h"
#include "core/live/training_loop.h"
#include "core/train/device_full.h"
#include "core/train/diverged.h"

namespace tfm::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenNews{100};

Ending endingOf(train::LoopEvent::Kind kind) {
  switch (kind) {
    case train::LoopEvent::Kind::StopRule:
      return Ending::AsAsked;
    case train::LoopEvent::Kind::Diverged:
      return Ending::Diverged;
    case train::LoopEvent::Kind::DeviceFull:
    case train::LoopEvent::Kind::Failed:
      return Ending::Failed;
  }
  return Ending::Failed;
}

void moveToCpu(train::TrainingLoop& loop) {
  chooseDevice("cpu");
  loop.moveToDevice();
}

train::Evaluation evaluateHere(train::TrainingLoop& loop) {
  using Work = std::packaged_task<train::Evaluation(train::Trainer&)>;
  const auto work = std::make_shared<Work>(
      [](train::Trainer& t) { return t.evaluate(t.config().evaluation_size); });
  loop.post([work](train::Trainer& trainer) { (*work)(trainer); });
  return work->get_future().get();
}

/// On the CPU where the device has no memory left for it.
train::Evaluation evaluateLast(train::TrainingLoop& loop) {
  try {
    return evaluateHere(loop);
  } catch (const train::DeviceFull& full) {
    say("note: " + full.problem() + "; the model is measured on the CPU");
    moveToCpu(loop);
    return evaluateHere(loop);
  }
}

/// Forwards news until training has ended; stores the reason in `result`.
void follow(train::TrainingLoop& loop, const StopSignals& signals, ProgressLine& progress,
            bool or_cpu, TrainingLog* log, Checkpoints* checkpoints, RunResult& result) {
  for (;;) {
    const auto signal = signals.waitFor(kBetweenNews);
    if (signal) {
      progress.clear();
      say("Stopping after the current step ...");
      loop.pause();
      loop.document().wait();  // until the step is done
    }
    const train::LoopNews news = loop.drain();
    for (const train::Evaluation& e : news.evaluations) {
      if (e.granularities.empty()) continue;
      progress.clear();
      say("step " + withCommas(e.step) + "  " + accuraciesText(e.granularities));
    }
    for (const std::string& words :
         checkpoints != nullptr ? checkpoints->takeMessages() : std::vector<std::string>()) {
      progress.clear();
      say(words);
    }
    progress.show(news.steps);
    if (log != nullptr) log->write(news);
    const bool full =
        !news.events.empty() && news.events.front().kind == train::LoopEvent::Kind::DeviceFull;
    if (full && or_cpu) {
      progress.clear();
      say("note: " + news.events.front().text + "\nTraining continues on the CPU");
      moveToCpu(loop);
      loop.play();
      continue;
    }
    if (!news.events.empty()) {
      result.ending = endingOf(news.events.front().kind);
      result.reason = news.events.front().text;
      result.good_step = news.events.front().good_step;
      return;
    }
    if (signal) {
      result.ending = Ending::Interrupted;
      result.signal = *signal;
      result.reason = "interrupted after step " + withCommas(news.step);
      return;
    }
  }
}

/// Evaluates the final state.
void measure(train::TrainingLoop& loop, RunResult& result) {
  try {
    result.evaluation = evaluateLast(loop);
  } catch (const train::Diverged& problem) {
    result.ending = Ending::Diverged;
    result.reason = problem.what();
    result.good_step = problem.goodStep();
  }
}

/// Restores and evaluates the last good state.
void goBack(train::TrainingLoop& loop, RunResult& result) {
  if (!result.good_step)
    throw Error(result.reason, "training", "Nothing is saved: there is no good state");
  result.lost_steps = loop.document().get().state.step - *result.good_step;
  loop.restoreLastGood();
  try {
    result.evaluation = evaluateLast(loop);
  } catch (const train::Diverged&) {  // good on training examples only, but worth keeping
    result.evaluation.loss = std::numeric_limits<double>::quiet_NaN();
  }
}

/// The document with another config except for the optimizer, which setConfig() changes together
/// with its moments.
train::Document withConfig(train::Document document, const train::TrainConfig& config) {
  const train::OptimizerConfig old_optimizer = document.train.optimizer;
  document.train = config;
  document.train.optimizer = old_optimizer;
  return document;
}

/// A loop on the device; with `or_cpu` on the CPU if it does not fit there.
std::unique_ptr<train::TrainingLoop> makeLoop(train::Document document, int threads, bool or_cpu) {
  if (or_cpu && chosenDevice() != "cpu") {
    try {
      return std::make_unique<train::TrainingLoop>(document, threads);
    } catch (const train::DeviceFull& full) {
      say("note: " + full.problem() + "; training on the CPU");
      chooseDevice("cpu");
    }
  }
  return std::make_unique<train::TrainingLoop>(std::move(document), threads);
}

}  // namespace

RunResult evaluateOnly(train::Document document, const train::TrainConfig& config, int threads) {
  train::WindowState window = document.window;
  train::TrainingLoop loop(withConfig(std::move(document), config), threads);
  loop.setConfig(config);
  RunResult result;
  measure(loop, result);
  if (result.ending == Ending::Diverged)
    throw Error(result.reason, "the model", "Nothing is saved: choose another model to start from");
  result.document = loop.document().get();
  result.document.window = std::move(window);
  result.reason = "no steps were requested";
  return result;
}

RunResult runTraining(train::Document document, const train::TrainConfig& config, int threads,
                      const StopSignals& signals, bool or_cpu, TrainingLog* log,
                      Checkpoints* checkpoints) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first_step = document.state.step;
  train::WindowState window = document.window;
  const auto made = makeLoop(withConfig(std::move(document), config), threads, or_cpu);
  train::TrainingLoop& loop = *made;
  loop.setConfig(config);
  if (checkpoints != nullptr)
    loop.onStep([checkpoints](const train::Trainer& trainer, const train::Document& rest) {
      checkpoints->afterStep(trainer, rest);
    });
  RunResult result;
  {
    ProgressLine progress(config.stop.steps);
    loop.play();
    follow(loop, signals, progress, or_cpu, log, checkpoints, result);
  }
  if (result.ending != Ending::Diverged) measure(loop, result);
  if (result.ending == Ending::Diverged) goBack(loop, result);
  result.document = loop.document().get();
  result.document.window = std::move(window);
  result.steps = result.document.state.step - first_step;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace tfm::cli
