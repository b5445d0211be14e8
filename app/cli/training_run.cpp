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
#include "core/train/diverged.h"
#include "core/train/training_loop.h"

namespace tfm::cli {
namespace {

constexpr std::chrono::milliseconds kBetweenNews{100};

Ending endingOf(train::LoopEvent::Kind kind) {
  switch (kind) {
    case train::LoopEvent::Kind::StopRule:
      return Ending::AsAsked;
    case train::LoopEvent::Kind::Diverged:
      return Ending::Diverged;
    case train::LoopEvent::Kind::Failed:
      return Ending::Failed;
  }
  return Ending::Failed;
}

train::Evaluation evaluateLast(train::TrainingLoop& loop) {
  using Work = std::packaged_task<train::Evaluation(train::Trainer&)>;
  const auto work = std::make_shared<Work>(
      [](train::Trainer& t) { return t.evaluate(t.config().evaluation_size); });
  loop.post([work](train::Trainer& trainer) { (*work)(trainer); });
  return work->get_future().get();
}

/// Forwards news until training has ended; stores the reason in `result`.
void follow(train::TrainingLoop& loop, const StopSignals& signals, ProgressLine& progress,
            TrainingLog* log, Checkpoints* checkpoints, RunResult& result) {
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

}  // namespace

RunResult evaluateOnly(train::Document document, const train::TrainConfig& config, int threads) {
  train::TrainingLoop loop(withConfig(std::move(document), config), threads);
  loop.setConfig(config);
  RunResult result;
  measure(loop, result);
  if (result.ending == Ending::Diverged)
    throw Error(result.reason, "the model", "Nothing is saved: choose another model to start from");
  result.document = loop.document().get();
  result.reason = "no steps were requested";
  return result;
}

RunResult runTraining(train::Document document, const train::TrainConfig& config, int threads,
                      const StopSignals& signals, TrainingLog* log, Checkpoints* checkpoints) {
  const auto begin = std::chrono::steady_clock::now();
  const std::int64_t first_step = document.state.step;
  train::TrainingLoop loop(withConfig(std::move(document), config), threads);
  loop.setConfig(config);
  if (checkpoints != nullptr)
    loop.onStep([checkpoints](const train::Trainer& trainer, const train::Document& rest) {
      checkpoints->afterStep(trainer, rest);
    });
  RunResult result;
  {
    ProgressLine progress(config.stop.steps);
    loop.play();
    follow(loop, signals, progress, log, checkpoints, result);
  }
  if (result.ending != Ending::Diverged) measure(loop, result);
  if (result.ending == Ending::Diverged) goBack(loop, result);
  result.document = loop.document().get();
  result.steps = result.document.state.step - first_step;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

}  // namespace tfm::cli
