// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/observe/parameter_norms.h"
#include "core/observe/probe.h"
#include "core/train/answering.h"
#include "core/train/document.h"
#include "core/train/trainer.h"

namespace tfm::train {

/// What the visible views want to see. Nothing that is not asked for is computed.
struct Watch {
  bool parameters = false;
  bool norms = false;                ///< of parameters and gradients
  std::string question;              ///< whose inside is looked at; empty: nothing
  std::string pattern;               ///< of the tensors to be read; see observe/selector.h
  std::vector<std::string> samples;  ///< questions to be answered
  bool operator==(const Watch&) const = default;
};

/// What a watch saw at one moment. Never changed once published.
struct Snapshot {
  std::int64_t step = 0;
  std::shared_ptr<const ModelState> state;  ///< parameters wanted, or null
  std::vector<observe::ParameterNorm> norms;
  ProbeInput probe;
  std::vector<observe::AttentionSite> sites;
  observe::Observations observed;
  std::vector<AnsweredQuestion> samples;
  std::string problem;  ///< why the question could not be read; empty: none
};

/// Why training stopped by itself.
struct LoopEvent {
  enum class Kind { StopRule, Diverged, Failed };
  Kind kind;
  std::string text;
  std::int64_t step = 0;
};

/// What happened since the last drain.
struct LoopNews {
  /// Training went back to this step before what follows; all later measurements are gone.
  std::optional<std::int64_t> rewound_to;
  std::vector<StepMetrics> steps;
  std::vector<Evaluation> evaluations;
  std::vector<LoopEvent> events;
  std::shared_ptr<const Snapshot> snapshot;  ///< the latest; null if there is no new one
  bool running = false;
  std::int64_t step = 0;
};

/// Trains on a thread of its own. Commands run between steps, so no lock guards the weights. Out go
/// all metrics, of which none is lost, and the latest snapshot; a slow reader slows nothing.
class TrainingLoop {
 public:
  /// Starts paused. Throws what Trainer throws.
  TrainingLoop(Document document, int threads);
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
  /// Forgets: the first weights of a seed, step 0, empty history.
  void reset(std::uint64_t seed);
  /// Goes back to the last state with a finite loss.
  void restoreLastGood();
  /// A new snapshot follows at once and then at most `snapshots_a_second` times while training.
  void watch(Watch watch, double snapshots_a_second = 15.0);

  LoopNews drain();
  /// The document as of the next step boundary.
  std::future<Document> document();
  /// Runs on the loop's thread between steps.
  void post(std::function<void(Trainer&)> command);

 private:
  using Command = std::function<void()>;
  enum class Rule { Steps, Loss, Accuracy };

  void run();
  void enqueue(Command command);
  void trainOneStep();
  void afterStep(const StepMetrics& metrics);
  void evaluateNow();
  /// The stop rules that hold now, in words.
  std::map<Rule, std::string> metRules() const;
  void rememberMet(const std::map<Rule, std::string>& met);
  bool evaluatedNow() const;
  void stopIfAsked();
  void publishIfDue(bool force);
  std::shared_ptr<Snapshot> look();
  void say(LoopEvent event);
  void rewind(const ModelState& state);

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
  std::unique_ptr<observe::Probe> probe_;
  std::set<Rule> passed_;        // rules that were met when training was started or went on
  std::int64_t steps_left_ = 0;  // -1: without end

  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::deque<Command> commands_;
  LoopNews news_;
  bool stop_ = false;

  std::thread thread_;
};

}  // namespace tfm::train
