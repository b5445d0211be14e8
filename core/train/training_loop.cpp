// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/training_loop.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <utility>

#include "core/data/task_table.h"

namespace tfm::train {
namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Looking inside takes at most one part in this many of the time, so that a watched training is
// hardly slower.
constexpr double kMostLooking = 20.0;

/// At most four significant digits.
std::string text(double value) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(),
                value < 1e6 && value == std::floor(value) ? "%.0f" : "%.4g", value);
  return digits.data();
}

std::chrono::duration<double> seconds(double value) { return std::chrono::duration<double>(value); }

}  // namespace

TrainingLoop::TrainingLoop(Document document, int threads)
    : trainer_(data::makeTask(document.task), document.state, document.train, threads),
      document_(std::move(document)) {
  document_.state = {};
  if (!document_.history.steps.empty()) seconds_ = document_.history.steps.back().seconds;
  news_.step = trainer_.state().step;
  thread_ = std::thread([this] { run(); });
}

TrainingLoop::~TrainingLoop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void TrainingLoop::enqueue(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  wake_.notify_all();
}

void TrainingLoop::play() {
  enqueue([this] {
    steps_left_ = -1;
    rememberMet(metRules());
  });
}
void TrainingLoop::pause() {
  enqueue([this] {
    steps_left_ = 0;
    snapshot_wanted_ = true;  // the views show the weights that training paused with
  });
}
void TrainingLoop::stepOnce() {
  enqueue([this] {
    steps_left_ = std::max<std::int64_t>(steps_left_, 0) + 1;
    next_step_ = 0.0;
  });
}

void TrainingLoop::setSpeed(double steps_a_second) {
  enqueue([this, steps_a_second] {
    speed_ = steps_a_second;
    next_step_ = 0.0;
  });
}

void TrainingLoop::setConfig(const TrainConfig& config) {
  validate(config);
  enqueue([this, config] {
    trainer_.setConfig(config);
    document_.train = config;
    document_.train.seed = trainer_.state().seed;
  });
}

void TrainingLoop::reset(std::uint64_t seed) {
  enqueue([this, seed] {
    document_.train.seed = seed;
    rewind(initialState(trainer_.state().config, seed));
  });
}

void TrainingLoop::restoreLastGood() {
  enqueue([this] {
    const std::shared_ptr<const ModelState> good = trainer_.lastGood();
    rewind(*good);
  });
}

void TrainingLoop::rewind(const ModelState& state) {
  const auto later = [step = state.step](const auto& point) { return point.step > step; };
  trainer_.restore(state);
  History& history = document_.history;
  std::erase_if(history.steps, later);
  std::erase_if(history.evaluations, later);
  seconds_ = history.steps.empty() ? 0.0 : history.steps.back().seconds;
  snapshot_wanted_ = true;
  const std::lock_guard lock(mutex_);
  std::erase_if(news_.steps, later);
  std::erase_if(news_.evaluations, later);
  news_.rewound_to = std::min(state.step, news_.rewound_to.value_or(state.step));
}

void TrainingLoop::watch(Watch watch, double snapshots_a_second) {
  enqueue([this, watch = std::move(watch), snapshots_a_second]() mutable {
    if (watch.question != watch_.question) probe_.reset();
    watch_ = std::move(watch);
    snapshot_interval_ = 1.0 / snapshots_a_second;
    snapshot_wanted_ = true;
  });
}

void TrainingLoop::post(std::function<void(Trainer&)> command) {
  enqueue([this, command = std::move(command)] {
    command(trainer_);
    snapshot_wanted_ = true;
  });
}

std::future<Document> TrainingLoop::document() {
  auto promise = std::make_shared<std::promise<Document>>();
  enqueue([this, promise] {
    Document copy = document_;
    copy.state = trainer_.state();
    promise->set_value(std::move(copy));
  });
  return promise->get_future();
}

LoopNews TrainingLoop::drain() {
  const std::lock_guard lock(mutex_);
  LoopNews news = std::exchange(news_, {});
  news_.running = news.running;
  news_.step = news.step;
  return news;
}

void TrainingLoop::say(LoopEvent event) {
  const std::lock_guard lock(mutex_);
  news_.events.push_back(std::move(event));
}

void TrainingLoop::run() {
  for (;;) {
    std::deque<Command> commands;
    {
      std::unique_lock lock(mutex_);
      news_.running = steps_left_ != 0;
      news_.step = trainer_.state().step;
      const auto due = [this] { return stop_ || !commands_.empty(); };
      if (steps_left_ == 0)
        wake_.wait(lock, due);
      else if (speed_ > 0.0 && next_step_ > now())
        wake_.wait_for(lock, seconds(next_step_ - now()), due);
      if (stop_) return;
      commands.swap(commands_);
    }
    for (const Command& command : commands) {
      try {
        command();
      } catch (const std::exception& problem) {
        say({LoopEvent::Kind::Failed, problem.what(), trainer_.state().step});
      }
    }
    if (steps_left_ != 0 && (speed_ <= 0.0 || now() >= next_step_)) {
      next_step_ = now() + (speed_ > 0.0 ? 1.0 / speed_ : 0.0);
      trainOneStep();
    }
    publishIfDue(std::exchange(snapshot_wanted_, false));
  }
}

void TrainingLoop::trainOneStep() {
  try {
    const double begin = now();
    StepMetrics metrics = trainer_.step();
    seconds_ += now() - begin;
    metrics.seconds = seconds_;
    afterStep(metrics);
  } catch (const Diverged& problem) {
    steps_left_ = 0;
    say({LoopEvent::Kind::Diverged, problem.what(), problem.step()});
  } catch (const std::exception& problem) {
    steps_left_ = 0;
    say({LoopEvent::Kind::Failed, problem.what(), trainer_.state().step});
  }
}

void TrainingLoop::afterStep(const StepMetrics& metrics) {
  document_.history.steps.push_back(metrics);
  {
    const std::lock_guard lock(mutex_);
    news_.steps.push_back(metrics);
  }
  const std::int64_t every = trainer_.config().evaluate_every;
  if (every > 0 && metrics.step % every == 0) evaluateNow();
  if (steps_left_ > 0) --steps_left_;
  stopIfAsked();
  // The last picture must show the weights that training ended with.
  if (steps_left_ == 0) snapshot_wanted_ = true;
}

void TrainingLoop::evaluateNow() {
  const Evaluation evaluation = trainer_.evaluate(trainer_.config().evaluation_size);
  document_.history.evaluations.push_back(evaluation);
  const std::lock_guard lock(mutex_);
  news_.evaluations.push_back(evaluation);
}

std::map<TrainingLoop::Rule, std::string> TrainingLoop::metRules() const {
  const StopRules& rules = trainer_.config().stop;
  const std::int64_t step = trainer_.state().step;
  const auto asked = [step](double value) {
    return " on held-out examples at step " + text(double(step)) + "; asked for " + text(value);
  };
  std::map<Rule, std::string> met;
  if (rules.steps > 0 && step >= rules.steps)
    met[Rule::Steps] = "step " + text(double(step)) + " is done, as asked for";
  if (!evaluatedNow()) return met;
  const Evaluation& last = document_.history.evaluations.back();
  if (rules.loss > 0.0 && last.loss <= rules.loss)
    met[Rule::Loss] = "loss " + text(last.loss) + asked(rules.loss);
  if (rules.accuracy > 0.0 && last.accuracy >= rules.accuracy)
    met[Rule::Accuracy] =
        "accuracy " + text(100.0 * last.accuracy) + " %" + asked(100.0 * rules.accuracy) + " %";
  return met;
}

bool TrainingLoop::evaluatedNow() const {
  const auto& evaluations = document_.history.evaluations;
  return !evaluations.empty() && evaluations.back().step == trainer_.state().step;
}

void TrainingLoop::stopIfAsked() {
  const std::map<Rule, std::string> met = metRules();
  // Whoever plays on after a rule is met wants to go on: only a rule that was not met before stops.
  for (const auto& [rule, words] : met) {
    if (passed_.contains(rule)) continue;
    steps_left_ = 0;
    say({LoopEvent::Kind::StopRule, words, trainer_.state().step});
  }
  rememberMet(met);
}

void TrainingLoop::rememberMet(const std::map<Rule, std::string>& met) {
  // What an evaluation said holds until the next one.
  std::erase_if(passed_, [&](Rule rule) { return rule == Rule::Steps || evaluatedNow(); });
  for (const auto& [rule, words] : met) passed_.insert(rule);
}

void TrainingLoop::publishIfDue(bool force) {
  const double begin = now();
  const bool due = steps_left_ != 0 && begin >= next_snapshot_;
  if (watch_ == Watch{} || !(force || due)) return;
  std::shared_ptr<Snapshot> snapshot = look();
  const double end = now();
  next_snapshot_ = end + std::max(snapshot_interval_ - (end - begin), kMostLooking * (end - begin));
  const std::lock_guard lock(mutex_);
  news_.snapshot = std::move(snapshot);
}

std::shared_ptr<Snapshot> TrainingLoop::look() {
  const ModelState& state = trainer_.state();
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->step = state.step;
  if (watch_.parameters) snapshot->state = std::make_shared<const ModelState>(state);
  if (watch_.norms)
    snapshot->norms = observe::parameterNorms(state.layout, state.parameters, trainer_.gradients());
  try {
    if (!watch_.question.empty()) {
      snapshot->probe = probeInput(state, trainer_.task(), trainer_.framing(), watch_.question,
                                   trainer_.backend());
      const Batch& batch = snapshot->probe.batch;
      const BatchShape shape{batch.size, batch.source_length, batch.target_length};
      if (probe_ == nullptr || !(probe_->program().shape == shape))
        probe_ = std::make_unique<observe::Probe>(state.config, batch, trainer_.backend());
      snapshot->sites = observe::attentionSites(probe_->program());
      snapshot->observed = probe_->run(state.parameters, batch, watch_.pattern);
    }
    if (!watch_.samples.empty()) {
      SamplingOptions greedy;
      greedy.most_tokens =
          std::min<std::int64_t>(64, std::max(state.config.target_length, std::int64_t{1}));
      snapshot->samples = answer(state, trainer_.task(), trainer_.framing(), watch_.samples, greedy,
                                 trainer_.backend());
    }
  } catch (const std::exception& problem) {
    snapshot->problem = problem.what();
  }
  return snapshot;
}

}  // namespace tfm::train
