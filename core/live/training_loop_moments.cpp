// SPDX-License-Identifier: GPL-3.0-or-later
// Replacing the model of a loop and saving moments.
#include <algorithm>
#include <exception>
#include <utility>

#include "core/document/history.h"
#include "core/live/training_loop.h"
#include "core/train/clock.h"
#include "core/train/diverged.h"

namespace tfm::train {
namespace {

// Saving moments takes at most one part in this many of the time.
constexpr double kMaxKeeping = 100.0;
// A moment is saved after 1/16 more steps or so many seconds.
constexpr std::int64_t kKeepShare = 16;
constexpr double kKeepSeconds = 0.1;

/// Whether a change of an evaluated model needs a new evaluation. Models that are restored have
/// their own.
bool isUnmeasured(const History& before, const History& now) {
  return now.events.size() > before.events.size() && !now.evaluations.empty() &&
         now.evaluations.size() == before.evaluations.size();
}

}  // namespace

void TrainingLoop::exchange(std::function<Present(const Present&)> next,
                            std::function<void(const Exchange&)> done) {
  enqueue([this, next = std::move(next), done = std::move(done)] {
    const Exchange exchange = exchangeNow(next);
    done(exchange);
    if (!exchange.before || !isUnmeasured(exchange.before->history, document_.history)) return;
    try {
      evaluateNow();
    } catch (const Diverged&) {
      // The next step reports it.
    }
  });
}

void TrainingLoop::reset(std::uint64_t seed, const std::function<void(const Exchange&)>& done) {
  enqueue([this, seed, done] {
    const Exchange result = exchangeNow([this, seed](const Present& before) {
      TrainConfig training = document_.train;
      training.seed = seed;
      return Present{firstState(before.state->config, seed), {}, {}, training};
    });
    if (done) return done(result);
    if (result.problem) throw *result.problem;
  });
}

std::shared_ptr<const ModelState> TrainingLoop::firstState(const ModelConfig& config,
                                                           std::uint64_t seed) {
  {
    const std::lock_guard lock(mutex_);
    for (const Moment& moment : moments_.moments())
      if (moment.step() == 0 && moment.state->seed == seed && moment.state->config == config)
        return moment.state;
  }
  return std::make_shared<const ModelState>(initialState(config, seed));
}

void TrainingLoop::restoreLastGood() {
  enqueue([this] {
    const std::shared_ptr<const ModelState> good = trainer_.lastGood();
    if (good == nullptr)
      throw Error("there is no good state to go back to", "training",
                  "Open or create another model");
    const Exchange result = exchangeNow([&good](const Present& before) {
      return Present{good, before.history, {}};
    });
    if (result.problem) throw *result.problem;
    const std::lock_guard lock(mutex_);
    news_.changes.push_back({"Going back to the last good state", result.before});
  });
}

void TrainingLoop::leave(std::function<void(const std::shared_ptr<const Present>&)> done) {
  enqueue([this, done = std::move(done)] {
    steps_left_ = 0;
    keepWhereItStands();
    auto left = std::make_shared<Present>(Present{trainer_.sharedState(), document_.history, {}});
    left->training = document_.train;
    {
      const std::lock_guard lock(mutex_);
      left->moments = moments_.moments();
    }
    done(left);
  });
}

Exchange TrainingLoop::exchangeNow(const std::function<Present(const Present&)>& next) {
  Exchange result;
  std::shared_ptr<Present> before;
  const TrainConfig training = document_.train;
  try {
    before = std::make_shared<Present>(Present{trainer_.sharedState(), document_.history, {}});
    Present after = next(*before);
    if (after.training) {
      before->training = training;
      // First, as another kind of optimizer resets the moments.
      trainer_.setConfig(*after.training);
    }
    trainer_.restore(after.state);
    if (after.training) {
      setSameNumbers(after.training->same_numbers);
      document_.train = *after.training;
    }
    truncateAfter(after.history, after.state->step);
    const Common common = keepChange(*before, after);
    document_.history = std::move(after.history);
    result.before = before;
    tellReplaced(common, after.training);
  } catch (const std::exception& problem) {
    if (before != nullptr && before->training) {
      trainer_.setConfig(training);
      trainer_.restore(before->state);
    }
    const auto* error = dynamic_cast<const Error*>(&problem);
    result.problem = error != nullptr ? *error : Error(problem.what());
  }
  return result;
}

void TrainingLoop::growIfScheduled() {
  if (!trainer_.growthIsDue()) return;
  const auto before =
      std::make_shared<Present>(Present{trainer_.sharedState(), document_.history, {}});
  Present after{nullptr, before->history, {}};
  std::string label;
  for (const std::string& words : trainer_.growIfScheduled()) {
    addEvent(after.history, {trainer_.stepsDone(), EventKind::Growth, words});
    label += (label.empty() ? "" : "; ") + words;
  }
  after.state = trainer_.sharedState();
  const Common common = keepChange(*before, after);
  document_.history = std::move(after.history);
  tellReplaced(common, {});
  const std::lock_guard lock(mutex_);
  news_.changes.push_back({std::move(label), before});
}

TrainingLoop::Common TrainingLoop::keepChange(Present& before, const Present& after) {
  kept_step_ = after.state->step;
  Common common{-1, -1};
  if (!after.training)
    common = {std::min(after.state->step, lastCommonStep(before.history, after.history)),
              commonEvents(before.history, after.history)};
  const std::lock_guard lock(mutex_);
  moments_.add({before.state, std::int64_t(before.history.events.size()), true});
  before.moments = moments_.takeAfter(common.step, common.events);
  for (const Moment& moment : after.moments)
    if (moments_.isNext(moment)) moments_.add(moment);
  moments_.add({after.state, std::int64_t(after.history.events.size()), true});
  moments_changed_ = true;
  return common;
}

Moment TrainingLoop::keep(bool landmark) {
  const double begin = now();
  Moment moment{trainer_.sharedState(), std::int64_t(document_.history.events.size()), landmark};
  {
    const std::lock_guard lock(mutex_);
    moments_.add(moment);
    moments_changed_ = true;
  }
  kept_at_ = now();
  kept_step_ = moment.step();
  next_keep_ = kept_at_ + kMaxKeeping * (kept_at_ - begin);
  return moment;
}

void TrainingLoop::keepIfDue() {
  const std::int64_t step = trainer_.stepsDone();
  const double begin = now();
  const bool worth = step - kept_step_ >= std::max<std::int64_t>(1, step / kKeepShare) ||
                     begin - kept_at_ >= kKeepSeconds;
  if (worth && begin >= next_keep_) keep(false);
}

void TrainingLoop::keepWhereItStands() {
  if (trainer_.stepsDone() != kept_step_) keep(false);
}

void TrainingLoop::keepMoment(std::function<void(const Moment&)> done) {
  enqueue([this, done = std::move(done)] { done(keep(false)); });
}

void TrainingLoop::tellReplaced(const Common& common, const std::optional<TrainConfig>& training) {
  document_.train.seed = trainer_.seed();
  seconds_ = trainedSeconds(document_.history);
  newlyMetRules();  // do not stop again
  snapshot_wanted_ = true;
  looks_.forgetPresent();
  auto replaced = std::make_shared<Replacement>(
      Replacement{trainer_.model(), trainer_.layout(), trainer_.stepsDone(), trainer_.seed(),
                  document_.history, training, common.step, common.events});
  const std::lock_guard lock(mutex_);
  if (const auto& unread = news_.replaced) {
    if (!training) replaced->training = unread->training;
    replaced->common_step = std::min(common.step, unread->common_step);
    replaced->common_events = std::min(common.events, unread->common_events);
  }
  // Earlier measurements are part of the new history.
  news_.replaced = std::move(replaced);
  news_.steps.clear();
  news_.evaluations.clear();
  news_.history_events.clear();
  news_.step = trainer_.stepsDone();
}

void TrainingLoop::note(EventKind kind, std::string text) {
  enqueue([this, kind, text = std::move(text)] {
    const HistoryEvent event{trainer_.stepsDone(), kind, text};
    addEvent(document_.history, event);
    const std::lock_guard lock(mutex_);
    news_.history_events.push_back(document_.history.events.back());
  });
}

}  // namespace tfm::train
