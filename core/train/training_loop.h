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

#include "core/base/error.h"
#include "core/train/document.h"
#include "core/train/look_thread.h"
#include "core/train/moment_ring.h"
#include "core/train/stop_check.h"
#include "core/train/trainer.h"

namespace tfm::train {

/// A model and its history at a step boundary.
struct Present {
  std::shared_ptr<const ModelState> state;
  History history;
  /// Kept moments of its course, after it has parted from the one that training goes on with, in
  /// the order of time: they come back with it.
  std::vector<Moment> moments;
  /// How it is trained, where it is another run than the one so far, with which it shares no
  /// moment; none: the same run goes on as it is trained.
  std::optional<TrainConfig> training = std::nullopt;
};

/// What an exchange of models has led to.
struct Exchange {
  std::shared_ptr<const Present> before;  ///< what training was at; null where there is a problem
  std::optional<Error> problem;           ///< why everything is as it was
};

/// Another model that training goes on with.
struct Replacement {
  ModelConfig config;
  ParameterLayout layout;
  std::int64_t step = 0;
  std::uint64_t seed = 0;
  History history;
  std::optional<TrainConfig> training = std::nullopt;  ///< of another run; see Present
  /// Moments up to this step and after at most so many events are of its course too.
  std::int64_t common_step = 0, common_events = 0;
};

/// A change that training has made by itself: a growth that was due, going back to a good state.
struct ScheduledChange {
  std::string label;
  std::shared_ptr<const Present> before;
};

/// Why training stopped by itself.
struct LoopEvent {
  enum class Kind { StopRule, Diverged, Failed };
  Kind kind;
  std::string text;
  std::int64_t step = 0;
  /// Diverged: of the state that restoreLastGood() goes to.
  std::optional<std::int64_t> good_step = std::nullopt;
};

/// What happened since the last drain.
struct LoopNews {
  /// Training went on with another model before what follows, which counts from its history.
  std::shared_ptr<const Replacement> replaced;
  std::vector<StepMetrics> steps;
  std::vector<Evaluation> evaluations;
  std::vector<HistoryEvent> history_events;
  std::vector<ScheduledChange> changes;
  std::vector<LoopEvent> events;
  std::optional<std::vector<Moment>> moments;  ///< all that are kept, where they are others
  std::shared_ptr<const Snapshot> snapshot;    ///< the latest; null if there is no new one
  bool running = false;
  std::int64_t step = 0;  ///< as of all of the above
};

/// Trains on a thread of its own. Commands run between steps, so no lock guards the weights. Out go
/// all metrics, of which none is lost, and the latest snapshot; a slow reader slows nothing.
class TrainingLoop {
 public:
  /// Starts paused. `task`: what the document learns, where it was made already; `moments`: those
  /// that were kept of its course, in the order of time. A document without a task can do anything
  /// but train: that ends in a LoopEvent. Throws what Trainer throws.
  TrainingLoop(Document document, int threads, std::shared_ptr<const data::Task> task = {},
               const std::vector<Moment>& moments = {});
  ~TrainingLoop();
  TrainingLoop(const TrainingLoop&) = delete;
  TrainingLoop& operator=(const TrainingLoop&) = delete;

  void play();
  void pause();
  /// One step, or one more where steps are still to be done, then pause.
  void stepOnce();
  /// At most this many steps a second; 0: as fast as possible.
  void setSpeed(double steps_a_second);
  /// Takes effect with the next step. Throws Error for values that are not allowed.
  void setConfig(const TrainConfig& config);
  /// Another run of the model: the first weights of a seed, step 0, empty history. `done` as in
  /// exchange().
  void reset(std::uint64_t seed, const std::function<void(const Exchange&)>& done = {});
  /// Goes back to the last state with a finite loss, which is a ScheduledChange; where none is
  /// known, a LoopEvent.
  void restoreLastGood();
  /// Goes on with another model of the same task; `history`: of that model, if not the one so far.
  /// A model that cannot be trained is told as a LoopEvent, and the old one stays.
  void become(ModelState state, std::optional<History> history = {});
  /// Goes on with what `next` makes of the model at the next step boundary. `next` and `done` are
  /// called on the loop's thread; what `next` or restoring throws, `done` is told.
  void exchange(std::function<Present(const Present&)> next,
                std::function<void(const Exchange&)> done);
  /// Pauses at the next step boundary and hands out the run that is left there, kept moments and
  /// all. `done` is called on the loop's thread.
  void leave(std::function<void(const std::shared_ptr<const Present>&)> done);
  /// Keeps the moment of the next step boundary; `done` is called with it on the loop's thread.
  void keepMoment(std::function<void(const Moment&)> done);
  /// Memory for moments.
  void setMomentBudget(std::int64_t bytes);
  /// Called on the loop's thread after each step and what is measured at it, with the trainer and
  /// the rest of its document, whose own state is empty. Training waits for it.
  void onStep(std::function<void(const Trainer& trainer, const Document& rest)> call);
  /// Puts an event into the history at the step that is done.
  void note(EventKind kind, std::string text);
  /// A new snapshot follows at once and then at most `snapshots_a_second` times while training.
  /// Training waits for a copy of the model only; another thread looks inside that.
  void watch(Watch watch, double snapshots_a_second = 15.0);

  LoopNews drain();
  /// The document as of the next step boundary.
  std::future<Document> document();
  /// The same; `done` is called on the loop's thread with a copy and the seconds that copying took
  /// from training.
  void copy(std::function<void(Document document, double seconds)> done);
  /// Runs on the loop's thread between steps.
  void post(std::function<void(Trainer&)> command);

 private:
  using Command = std::function<void()>;
  /// The last moment that two courses share.
  struct Common {
    std::int64_t step;
    std::int64_t events;
  };

  void run();
  void enqueue(Command command);
  void trainOneStep();
  void growIfScheduled();
  void afterStep(const StepMetrics& metrics);
  void evaluateNow();
  std::vector<std::string> newlyMetRules();
  void stopIfAsked();
  void publishIfDue(bool force);
  LookThread::Order copyToLookAt() const;
  Exchange exchangeNow(const std::function<Present(const Present&)>& next);
  void tellReplaced(const Common& common, const std::optional<TrainConfig>& training);
  Common keepChange(Present& before, const Present& after);
  void keepIfDue();
  /// Whoever stops a training must be able to come back to where it stood, whatever keeping costs.
  void keepWhereItStands();
  Moment keep(bool landmark);
  void say(LoopEvent event);

  // Touched by the loop's thread only.
  Trainer trainer_;
  Document document_;  // all but the state, which the trainer owns
  double seconds_ = 0.0;
  Watch watch_;
  double snapshot_interval_ = 1.0 / 15.0;
  bool snapshot_wanted_ = false;
  double next_snapshot_ = 0.0;
  double speed_ = 0.0;  // steps a second; 0: without limit
  double next_step_ = 0.0;
  std::function<void(const Trainer&, const Document&)> on_step_;
  StopCheck stop_check_;
  double next_keep_ = 0.0;  // keeping a moment before this would cost too much time
  double kept_at_ = 0.0;    // when the newest moment was kept
  std::int64_t kept_step_ = 0;
  std::int64_t steps_left_ = 0;  // -1: without end

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
