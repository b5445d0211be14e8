// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/live/training_loop.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "core/document/history.h"
#include "core/train/clock.h"

namespace tfm::train {
namespace {

// Observing takes at most one part in this many of the time, so that it hardly slows down training
// even if that uses all cores.
constexpr double kMaxLooking = 20.0;
constexpr double kProfileSeconds = 1.0;

std::chrono::duration<double> seconds(double value) { return std::chrono::duration<double>(value); }

/// Null without a task.
std::shared_ptr<const data::Task> taskOf(const Document& document,
                                         std::shared_ptr<const data::Task> made) {
  return made || !document.task ? std::move(made) : makeTask(document);
}

/// How the model reads texts.
std::shared_ptr<const data::TextCodec> codecOf(const Trainer& trainer, const Document& document) {
  return trainer.hasTask() ? trainer.sharedTask() : document.codec;
}

}  // namespace

TrainingLoop::TrainingLoop(Document document, int threads, std::shared_ptr<const data::Task> task)
    : trainer_{taskOf(document, std::move(task)), std::move(document.state), document.train,
               threads},  // in this order
      document_(std::move(document)),
      looks_(codecOf(trainer_, document_), [this](std::shared_ptr<const Snapshot> snapshot) {
        const std::lock_guard lock(mutex_);
        news_.snapshot = std::move(snapshot);
      }) {
  setSameNumbers(document_.train.same_numbers);
  document_.state = {};
  seconds_ = trainedSeconds(document_.history);
  news_.step = trainer_.stepsDone();
  news_.device = trainer_.backend().name();
  for (const Moment& moment : std::exchange(document_.window, {}).moments) moments_.add(moment);
  keep(true);
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
    newlyMetRules();  // do not stop again
  });
}
void TrainingLoop::pause() {
  enqueue([this] {
    steps_left_ = 0;
    keepWhereItStands();
    snapshot_wanted_ = true;  // show the weights at the pause
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
    setSameNumbers(config.same_numbers);
    document_.train = config;
    document_.train.seed = trainer_.seed();
  });
}

void TrainingLoop::look(const Looking& looking, double snapshots_a_second) {
  looks_.look(looking);
  enqueue([this, looking, snapshots_a_second] {
    looking_ = looking;
    snapshot_interval_ = 1.0 / snapshots_a_second;
    snapshot_wanted_ = true;
  });
}

void TrainingLoop::setProfiled(bool profiled) {
  enqueue([this, profiled] {
    trainer_.setTraced(profiled);
    profile_ = profiled ? std::optional(Profile{}) : std::nullopt;
    next_profile_ = now() + kProfileSeconds;
  });
}

void TrainingLoop::moveToDevice() {
  enqueue([this] { trainer_.moveTo(makeBackend<float>()); });
}

void TrainingLoop::post(std::function<void(Trainer&)> command) {
  enqueue([this, command = std::move(command)] {
    command(trainer_);
    snapshot_wanted_ = true;
  });
}

void TrainingLoop::onStep(std::function<void(const Trainer&, const Document&)> call) {
  enqueue([this, call = std::move(call)] { on_step_ = call; });
}

std::future<Document> TrainingLoop::document() {
  auto promise = std::make_shared<std::promise<Document>>();
  copy([promise](Document document, double) { promise->set_value(std::move(document)); });
  return promise->get_future();
}

void TrainingLoop::copy(std::function<void(Document document, double seconds)> done) {
  enqueue([this, done = std::move(done)] {
    const double begin = now();
    Document copy = document_;
    copy.state = trainer_.state();
    done(std::move(copy), now() - begin);
  });
}

LoopNews TrainingLoop::drain() {
  const std::lock_guard lock(mutex_);
  LoopNews news = std::exchange(news_, {});
  if (std::exchange(moments_changed_, false)) news.moments = moments_.moments();
  news_.running = news.running;
  news_.step = news.step;
  news_.device = news.device;
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
      news_.step = trainer_.stepsDone();
      news_.device = trainer_.backend().name();
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
        say({LoopEvent::Kind::Failed, problem.what(), trainer_.stepsDone()});
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
    if (!trainer_.hasTask()) requireTask(document_);
    growIfScheduled();
    const double begin = now();
    StepMetrics metrics = trainer_.step();
    const double passed = now() - begin;
    seconds_ += passed;
    metrics.seconds = seconds_;
    afterStep(metrics);
    if (profile_) addToProfile(passed);
  } catch (const Diverged& problem) {
    steps_left_ = 0;
    say({LoopEvent::Kind::Diverged, problem.what(), problem.step(), problem.goodStep()});
  } catch (const DeviceFull& problem) {
    steps_left_ = 0;
    say({LoopEvent::Kind::DeviceFull, problem.what(), trainer_.stepsDone()});
  } catch (const std::exception& problem) {
    steps_left_ = 0;
    say({LoopEvent::Kind::Failed, problem.what(), trainer_.stepsDone()});
  }
}

void TrainingLoop::afterStep(const StepMetrics& metrics) {
  document_.history.steps.push_back(metrics);
  {
    const std::lock_guard lock(mutex_);
    news_.steps.push_back(metrics);
    news_.step = metrics.step;
  }
  const std::int64_t every = trainer_.config().evaluate_every;
  if (every > 0 && metrics.step % every == 0) evaluateNow();
  if (on_step_) on_step_(trainer_, document_);
  if (steps_left_ > 0) --steps_left_;
  stopIfAsked();
  if (steps_left_ != 0) return keepIfDue();
  keepWhereItStands();
  snapshot_wanted_ = true;  // show the final weights
}

void TrainingLoop::addToProfile(double seconds) {
  ++profile_->steps;
  profile_->seconds += seconds;
  if (now() < next_profile_ && steps_left_ != 0) return;
  next_profile_ = now() + kProfileSeconds;
  profile_->ops = trainer_.takeCosts();
  profile_->details = trainer_.backend().details();
  const std::lock_guard lock(mutex_);
  news_.profile = std::make_shared<const Profile>(std::exchange(*profile_, {}));
}

void TrainingLoop::evaluateNow() {
  const Evaluation evaluation = trainer_.evaluate(trainer_.config().evaluation_size);
  document_.history.evaluations.push_back(evaluation);
  const std::lock_guard lock(mutex_);
  news_.evaluations.push_back(evaluation);
}

std::vector<std::string> TrainingLoop::newlyMetRules() {
  const data::TaskForm form = trainer_.hasTask() ? trainer_.task().form() : data::TaskForm::None;
  return stop_check_.newlyMet(trainer_.config().stop, trainer_.stepsDone(),
                              document_.history.evaluations, form);
}

void TrainingLoop::stopIfAsked() {
  for (const std::string& words : newlyMetRules()) {
    steps_left_ = 0;
    say({LoopEvent::Kind::StopRule, words, trainer_.stepsDone()});
  }
}

void TrainingLoop::publishIfDue(bool force) {
  const double begin = now();
  const bool due = steps_left_ != 0 && begin >= next_snapshot_ && looks_.isIdle();
  if (looking_.state || looking_.needsNothing() || !(force || due)) return;
  {
    // A reader of the final weights also reads that training has ended.
    const std::lock_guard lock(mutex_);
    news_.running = steps_left_ != 0;
  }
  looks_.give(looking_, trainer_.lateState(looking_.moments),
              looking_.norms ? trainer_.lateGradients() : LateDownload<float>());
  const double end = now();
  next_snapshot_ =
      std::max(begin + snapshot_interval_, end + kMaxLooking * (end - begin + looks_.seconds()));
}

}  // namespace tfm::train
