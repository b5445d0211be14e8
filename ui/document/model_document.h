// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QObject>
#include <QString>
#include <QTimer>
#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/train/training_loop.h"
#include "ui/document/time_machine.h"
#include "ui/document/undo_history.h"
#include "ui/document/wants.h"

namespace tfm::ui {

/// The views' only door to the engine: one model, its task, its training, its file. Lives on the
/// GUI thread; training runs on a thread of its own and is heard of through signals.
class ModelDocument : public QObject {
  Q_OBJECT

 public:
  /// `threads` for training. Opens nothing; call adopt() first.
  explicit ModelDocument(int threads, QObject* parent = nullptr);
  ~ModelDocument() override;

  /// Shows another document. What was open stays if this throws Error. `path` is empty for one
  /// without a file.
  void adopt(train::Document document, const QString& path = {});
  /// A new untrained model; the task's sizes are put into the config. Throws Error.
  void start(ModelConfig model, const data::TaskConfig& task, const train::TrainConfig& train);
  /// As start(), with the long part on another thread. `done` is called on this one, with what went
  /// wrong if something did; then what was open stays.
  void startInBackground(ModelConfig model, const data::TaskConfig& task,
                         const train::TrainConfig& train,
                         std::function<void(const std::optional<Error>&)> done);
  /// Throws Error; what was open stays.
  void open(const QString& path);
  /// Throws Error; the former file stays.
  void save(const QString& path);
  /// All parameters as .npz. Throws Error.
  void exportNpz(const QString& path);

  int threads() const { return threads_; }
  bool isOpen() const { return loop_ != nullptr; }
  const QString& path() const { return path_; }
  /// What the title bar says: the file's or the task's name.
  QString name() const;
  bool isModified() const { return modified_; }

  /// Of what is shown: the present, or a moment that showMoment() or setComparison() chose.
  const ModelConfig& model() const;
  const ParameterLayout& layout() const;
  /// Of what is trained, whatever is shown.
  const ModelConfig& presentModel() const { return model_; }
  const ParameterLayout& presentLayout() const { return layout_; }
  const data::Task& task() const { return *task_; }
  std::shared_ptr<const data::Task> sharedTask() const { return task_; }
  data::Framing framing() const { return framing_; }
  const train::TrainConfig& training() const { return training_; }
  /// Everything measured and done so far, whatever is shown.
  const train::History& history() const { return history_; }
  std::int64_t step() const { return step_; }
  bool isRunning() const { return running_; }
  /// Training steps a second over the last second; 0 while paused.
  double stepsPerSecond() const { return rate_; }

  void play();
  void pause();
  void togglePlay() { running_ ? pause() : play(); }
  void stepOnce();
  /// The same first weights again, step 0.
  void reset();
  /// Other first weights and data.
  void newSeed();
  /// 0: as fast as possible.
  void setSpeed(double steps_a_second);
  double speed() const { return speed_; }
  /// Takes effect with the next step. Throws Error for values that are not allowed or that memory
  /// cannot hold.
  void setTraining(const train::TrainConfig& config);
  /// Goes on with the same weights and another loss. Waits for the end of the step that is running.
  void setLossPositions(data::LossPositions positions);
  void restoreLastGood();
  /// Puts a flag into the history at the step that is done.
  void note(train::EventKind kind, const QString& text);

  /// Makes one state of the model from another; throws Error to change nothing.
  using Change = std::function<ModelState(const ModelState&)>;
  /// Called with what went wrong, if something did; then everything is as it was.
  using Done = std::function<void(const std::optional<Error>&)>;
  /// Lets training go on with what `change` makes of the model at the next step boundary. `change`
  /// runs on the training thread, `done` on this one after all signals of the change. It can be
  /// undone, and history() gets a flag with `label`. Changes, undo and redo happen in the order in
  /// which they are asked for.
  void changeModel(const QString& label, Change change, Done done = {});
  bool canUndo() const { return undo_.canUndo(); }
  bool canRedo() const { return undo_.canRedo(); }
  /// What undo() takes back, redo() makes again; "" where there is nothing.
  QString undoText() const { return undo_.undoText(); }
  QString redoText() const { return undo_.redoText(); }
  /// Goes back to the moment before the last change, with the history that it had; what was trained
  /// since comes back with redo(). Nothing happens where there is nothing to undo.
  void undo(Done done = {});
  void redo(Done done = {});
  /// Memory for undoing; the oldest changes are forgotten where it does not suffice.
  void setUndoBudget(std::int64_t bytes);

  /// The kept moments of the training, in the order of time; two at one step lie before and after a
  /// change.
  const std::vector<train::Moment>& moments() const { return time_.moments(); }
  /// Shows a kept moment: model(), layout() and snapshot() are of it from now on. Training goes on
  /// meanwhile, or stays paused: looking back changes nothing.
  void showMomentAt(std::size_t index);
  /// The newest kept moment that is not later than `step`.
  void showMoment(std::int64_t step);
  /// The kept moment so many before or after what is shown; after the last comes the present.
  void stepMoment(int by);
  void showNow();
  bool showsNow() const { return time_.showsNow(); }
  /// Of what is shown; of the present: step().
  std::int64_t shownStep() const;
  /// Lets training go on from what is shown, with the history up to there. It can be undone.
  void continueFromMoment(Done done = {});
  /// Not from a difference, nor from a pin of a training that was gone back behind.
  bool canContinue() const { return time_.canContinue(); }
  /// Keeps what is shown for comparison; pinsChanged() follows, soon where that is the present.
  void pin(Pin slot);
  /// Keeps the kept moment nearest to `step`.
  void pin(Pin slot, std::int64_t step);
  void unpin(Pin slot);
  std::optional<std::int64_t> pinnedStep(Pin slot) const;
  /// The newest looks at the pins, each null until setComparison() needed it.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const {
    return time_.pinnedSnapshot(slot);
  }
  /// Difference: snapshot() holds the numbers of A minus those of B and says what has no partner;
  /// see train::difference(). Nothing happens where a pin is missing.
  void setComparison(Comparison comparison);
  Comparison comparison() const { return time_.comparison(); }
  void setMomentBudget(std::int64_t bytes);

  /// The text whose inside is shown.
  const QString& question() const { return question_; }
  void setQuestion(const QString& question);
  /// Why the task cannot read the question; none where it can.
  std::optional<Error> questionProblem() const;
  /// Held-out questions that are answered again and again, with the right answers.
  const std::vector<data::Sample>& samples() const { return samples_; }
  /// Lets the model answer, between training steps; answering() follows token by token. An answer
  /// that is still being written is given up.
  void ask(const QString& question, const SamplingOptions& options);
  /// Ends the answer that is being written with what there is of it.
  void stopAnswer();

  /// Says what a view needs from now on; nothing, when it is hidden.
  void setWants(const QObject* view, const Wants& wants);
  /// The newest look inside, or null.
  const std::shared_ptr<const train::Snapshot>& snapshot() const { return snapshot_; }

 signals:
  /// Another model is here: everything may have changed.
  void replaced();
  /// model() and layout() are others, of the same document; snapshot() is null or of the new ones.
  void shapeChanged();
  /// moments() are others.
  void momentsChanged();
  /// Something else is shown: the present, a moment, a pin or a difference.
  void momentChanged();
  void pinsChanged();
  /// What can be undone or redone is something else.
  void undoChanged();
  /// So many of the oldest changes cannot be undone any more: memory for that is used up.
  void undoForgotten(int changes);
  /// history() grew by steps from index `first`, evaluations from index `first_evaluation`.
  void measured(int first, int first_evaluation);
  /// Training begins anew from step 0, or from an earlier one, or goes on with another model:
  /// history() is not what it was with more behind it.
  void rewound();
  /// history().events grew.
  void flagged();
  void snapshotChanged();
  void runningChanged(bool running);
  void trainingChanged();
  void questionChanged(const QString& question);
  /// What ask() has led to so far, until it is finished.
  void answering(const tfm::train::AnsweredQuestion& answer, bool finished);
  void askFailed(const tfm::Error& problem);
  void titleChanged();
  /// What was opened is there to be looked at, but broken.
  void foundBroken(const QString& note);
  /// Training stopped by itself.
  void stopped(const QString& reason);
  /// `can_go_back`: whether restoreLastGood() has a state.
  void diverged(const QString& problem, bool can_go_back);
  void failed(const QString& problem);

 private:
  struct Prepared;

  static Prepared prepare(train::Document document, int threads);
  void install(Prepared prepared, const QString& path);
  void drain();
  void sendWatch();
  void setModified(bool modified);
  void rewindTo(std::int64_t step);
  void takeReplacement(const train::Replacement& replacement);
  void tell(const train::LoopEvent& event);
  train::Document current();

  /// One change, undo or redo.
  struct Operation {
    /// Says what to go on with, or null where there is nothing to do.
    std::function<std::function<train::Present(const train::Present&)>()> begin;
    std::function<void(UndoHistory::Present before)> succeed;
    Done done;
  };
  void operate(Operation operation);
  void beginNext();
  void finish(const train::Exchange& exchange);
  void giveUpOperations();
  /// What training has changed by itself can be undone as well.
  void takeChanges(const std::vector<train::ScheduledChange>& changes);
  /// Does `move` and tells what is shown after it.
  void travel(const std::function<void()>& move);
  void pinMoment(Pin slot, const train::Moment& moment);
  void takeMoments(std::vector<train::Moment> moments);
  void takeLook(std::shared_ptr<const train::Snapshot> snapshot);

  const int threads_;
  QTimer feed_;
  std::unique_ptr<train::TrainingLoop> loop_;
  std::shared_ptr<const data::Task> task_;
  data::Framing framing_{};
  ModelConfig model_;  // of the present
  ParameterLayout layout_;
  train::TrainConfig training_;
  train::History history_;
  QString path_, question_;
  std::vector<data::Sample> samples_;
  std::map<const QObject*, Wants> wants_;
  std::shared_ptr<const train::Snapshot> snapshot_;
  std::shared_ptr<std::atomic<bool>> answer_stopped_;  // of the newest ask()
  QFuture<void> past_answer_;                          // of a moment that is shown
  TimeMachine time_;
  std::optional<std::int64_t> moment_bytes_;
  UndoHistory undo_;
  std::deque<Operation> operations_;  // the first one is under way
  std::int64_t openings_ = 0;         // of documents
  std::int64_t step_ = 0;
  std::int64_t saved_step_ = 0;
  bool running_ = false;
  bool modified_ = false;
  double speed_ = 0.0;
  double rate_ = 0.0;
  double rate_since_ = 0.0;
  std::int64_t rate_step_ = 0;
};

}  // namespace tfm::ui
