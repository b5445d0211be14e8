// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/ask/look_thread.h"
#include "core/base/error.h"
#include "core/document/document.h"
#include "core/live/moment_ring.h"
#include "core/live/profile.h"
#include "core/train/stop_check.h"
#include "core/train/trainer.h"

namespace tfm::train {

/// A model and its history at a step boundary.
struct Present {
  std::shared_ptr<const ModelState> state;
  History history;
  /// Saved moments after it diverged from the course that training continues with, in chronological
  /// order; restored with it.
  std::vector<Moment> moments;
  /// Set for another run, which shares no moment with the current one; nullopt: the same run
  /// continues.
  std::optional<TrainConfig> training = std::nullopt;
};

/// The result of replacing the model.
struct Exchange {
  std::shared_ptr<const Present> before;  ///< the model before; null if there is a problem
  std::optional<Error> problem;           ///< why nothing changed
};

/// Another model with which training continues.
struct Replacement {
  ModelConfig config;
  ParameterLayout layout;
  std::int64_t step = 0;
  std::uint64_t seed = 0;
  History history;
  std::optional<TrainConfig> training = std::nullopt;  ///< of another run; see Present
  /// Moments up to this step and number of events are part of its course too.
  std::int64_t common_step = 0, common_events = 0;
};

/// An automatic change: a scheduled growth, or going back to a good state.
struct ScheduledChange {
  std::string label;
  std::shared_ptr<const Present> before;
};

/// Why training stopped.
struct LoopEvent {
  /// DeviceFull: before the step; moveToDevice() continues on another device.
  enum class Kind { StopRule, Diverged, DeviceFull, Failed };
  Kind kind;
  std::string text;
  std::int64_t step = 0;
  /// Diverged: the step of the state that restoreLastGood() restores.
  std::optional<std::int64_t> good_step = std::nullopt;
};

/// Everything since the last drain().
struct LoopNews {
  /// Set if the model was replaced; the following is what was added to its history.
  std::shared_ptr<const Replacement> replaced;
  std::vector<StepMetrics> steps;
  std::vector<Evaluation> evaluations;
  std::vector<HistoryEvent> history_events;
  std::vector<ScheduledChange> changes;
  std::vector<LoopEvent> events;
  std::optional<std::vector<Moment>> moments;  ///< all moments, if they changed
  std::shared_ptr<const Snapshot> snapshot;    ///< the latest; null if there is no new one
  std::shared_ptr<const Profile> profile;      ///< the same
  bool running = false;
  std::int64_t step = 0;  ///< as of all of the above
  std::string device;     ///< where it trains
};

/// Trains on its own thread. Commands run between steps, so no lock guards the weights. drain()
/// returns all metrics and the latest snapshot; a slow reader does not slow down training.
class TrainingLoop {
 public:
  /// Starts paused. `task`: what the document learns, where it was made already. Takes over the
  /// moments of its window, and forgets the rest of that. A document without a task can do anything
  /// but train: that ends in a LoopEvent. Calls setSameNumbers(). Throws what Trainer throws.
  TrainingLoop(Document document, int threads, std::shared_ptr<const data::Task> task = {});
  ~TrainingLoop();
  TrainingLoop(const TrainingLoop&) = delete;
  TrainingLoop& operator=(const TrainingLoop&) = delete;

  void play();
  void pause();
  /// Runs one more step, then pauses.
  void stepOnce();
  /// At most this many steps per second; 0: as fast as possible.
  void setSpeed(double steps_a_second);
  /// Takes effect with the next step. Throws Error for invalid values.
  void setConfig(const TrainConfig& config);
  /// Starts another run: initial weights of a seed (for that of this run, the weights it began
  /// with, which fine-tuning takes from another model), step 0, empty history. `done` as in
  /// exchange().
  void reset(std::uint64_t seed, const std::function<void(const Exchange&)>& done = {});
  /// Goes back to the last good state, reported as a ScheduledChange, or as a LoopEvent if there is
  /// none.
  void restoreLastGood();
  /// Continues with the model that `next` returns, of the same task, at the next step boundary.
  /// `next` and `done` are called on the loop's thread. Exceptions of `next` or of restoring are
  /// passed to `done`, and the current model is kept.
  void exchange(std::function<Present(const Present&)> next,
                std::function<void(const Exchange&)> done);
  /// Pauses at the next step boundary and calls `done` on the loop's thread with the run and its
  /// moments.
  void leave(std::function<void(const std::shared_ptr<const Present>&)> done);
  /// Saves the moment of the next step boundary and calls `done` with it on the loop's thread.
  void keepMoment(std::function<void(const Moment&)> done);
  /// `call` is called on the loop's thread after each step and its evaluation, with the trainer and
  /// the document, whose state is empty. Training waits for it.
  void onStep(std::function<void(const Trainer& trainer, const Document& rest)> call);
  /// Adds an event to the history at the current step.
  void note(EventKind kind, std::string text);
  /// Sets what snapshots are of. Of the present, one is published at once and then at most
  /// `snapshots_a_second` during training, which waits only for a copy of the model; another thread
  /// looks at that. Of a kept state, one is published, whatever training does.
  void look(const Looking& looking, double snapshots_a_second = 15.0);

  /// Starts or stops measuring the ops of each step; a Profile is reported about once per second
  /// and when training pauses.
  void setProfiled(bool profiled);

  /// Continues on the default device; see chooseDevice().
  void moveToDevice();

  LoopNews drain();
  /// The document as of the next step boundary.
  std::future<Document> document();
  /// The same; `done` is called on the loop's thread with a copy and the seconds that copying took.
  void copy(std::function<void(Document document, double seconds)> done);
  /// Runs on the loop's thread between steps.
  void post(std::function<void(Trainer&)> command);

 private:
  using Command = std::function<void()>;
  /// The last common moment of two courses.
  struct Common {
    std::int64_t step;
    std::int64_t events;
  };

  void run();
  void enqueue(Command command);
  void trainOneStep();
  void growIfScheduled();
  void afterStep(const StepMetrics& metrics);
  void addToProfile(double seconds);
  void evaluateNow();
  std::vector<std::string> newlyMetRules();
  void stopIfAsked();
  void publishIfDue(bool force);
  std::shared_ptr<const ModelState> firstState(const ModelConfig& config, std::uint64_t seed);
  Exchange exchangeNow(const std::function<Present(const Present&)>& next);
  void tellReplaced(const Common& common, const std::optional<TrainConfig>& training);
  Common keepChange(Present& before, const Present& after);
  void keepIfDue();
  /// Always saves the moment at which training stops, even if the budget is used up.
  void keepWhereItStands();
  Moment keep(bool landmark);
  void say(LoopEvent event);

  // Used by the loop's thread only.
  Trainer trainer_;
  Document document_;  // without the state, which the trainer owns
  double seconds_ = 0.0;
  Looking looking_;
  double snapshot_interval_ = 1.0 / 15.0;
  bool snapshot_wanted_ = false;
  double next_snapshot_ = 0.0;
  double speed_ = 0.0;  // steps per second; 0: unlimited
  double next_step_ = 0.0;
  std::function<void(const Trainer&, const Document&)> on_step_;
  StopCheck stop_check_;
  std::optional<Profile> profile_;  // of the steps since the last report; none if not measured
  double next_profile_ = 0.0;
  double next_keep_ = 0.0;  // earliest time to save a moment
  double kept_at_ = 0.0;    // when the newest moment was saved
  std::int64_t kept_step_ = 0;
  std::int64_t steps_left_ = 0;  // -1: unlimited

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Command> commands_;
  LoopNews news_;
  MomentRing moments_;
  bool moments_changed_ = false;
  bool stop_ = false;

  LookThread looks_;
  std::thread thread_;
};

}  // namespace tfm::train
