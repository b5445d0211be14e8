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
#include "core/io/file_lock.h"
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

  /// Shows another document. What was open stays if this throws Error; else it cannot be brought
  /// back. `path` is empty for one without a file.
  void adopt(train::Document document, const QString& path = {});
  /// The same with one that was not saved, and the file that it has.
  void recover(train::Document document, const DocumentFile& file);
  /// As adopt(), of a new untrained model; the task's sizes are put into the config. Throws Error.
  void start(ModelConfig model, const data::TaskConfig& task, const train::TrainConfig& train);
  /// The same with the long part on another thread, and undo() brings back what was open. `done` is
  /// called on this one, with what went wrong if something did; then what was open stays.
  void startInBackground(ModelConfig model, const data::TaskConfig& task,
                         const train::TrainConfig& train,
                         std::function<void(const std::optional<Error>&)> done);
  /// Throws Error; what was open stays.
  void open(const QString& path);
  /// Throws Error; the former file stays. Unless `replace`, also io::FileReplaced where another
  /// program has changed the document's file since it was opened or saved, or has the file open.
  void save(const QString& path, bool replace = false);
  /// Whether another program has changed the document's file since it was opened or saved.
  bool fileChanged() const;
  /// Which other program has the document's file open, e.g. "process 4711 on lab-pc-3"; else "".
  QString otherWriter() const { return QString::fromStdString(lock_.holder()); }
  /// All parameters as .npz. Throws Error.
  void exportNpz(const QString& path);

  int threads() const { return threads_; }
  bool isOpen() const { return loop_ != nullptr; }
  const QString& path() const { return file_.path; }
  const DocumentFile& file() const { return file_; }
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
  /// Another run of this model without a file: the same first weights again, step 0. It can be
  /// undone.
  void reset();
  /// The same with other first weights and data.
  void newSeed();
  /// 0: as fast as possible.
  void setSpeed(double steps_a_second);
  double speed() const { return speed_; }
  /// Takes effect with the next step. Throws Error for values that are not allowed or that memory
  /// cannot hold.
  void setTraining(const train::TrainConfig& config);
  /// Goes on with the same weights and another loss. Waits for the end of the step that is running.
  void setLossPositions(data::LossPositions positions);
  /// It can be undone.
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
  /// Whether that suffices to bring back what is open now.
  bool fitsUndo() const;
  /// Waits for changes, undo and redo that are under way, as far as they wait for the step that is
  /// running.
  void settle();
  /// A copy as of the next step boundary; `done` is called with it, and with the seconds that it
  /// took from training, on the training thread.
  void copy(std::function<void(train::Document document, double seconds)> done);

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
  /// Of what is shown; of the present: step(); of a difference: that of the later pin.
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
  /// Which of two pins is the later one, from which the other is subtracted.
  Pin laterPin() const { return time_.later(); }
  /// The newest looks at the pins, each null until setComparison() or Wants::beside_pin needed it.
  std::shared_ptr<const train::Snapshot> pinnedSnapshot(Pin slot) const {
    return time_.pinnedSnapshot(slot);
  }
  /// Difference: snapshot() holds the numbers of the later pin minus those of the earlier one and
  /// says what has no partner; see train::difference(). Both read the right answer to the question,
  /// where the task knows it, else that of the later one. Nothing happens where a pin is missing.
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
  /// Lets the model answer, between training steps; answering() follows while it writes. An answer
  /// that is still being written is given up. `written`: what a decoder has written of the answer
  /// already; only what follows is told.
  void ask(const QString& question, const SamplingOptions& options, const data::Ids& written = {});
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
  /// pinnedSnapshot(Pin::A) is a new look, for Wants::beside_pin.
  void pinLooked();
  /// What can be undone or redone is something else.
  void undoChanged();
  /// So many of the oldest changes cannot be undone any more: memory for that is used up.
  void undoForgotten(int changes);
  /// So many steps of training that no file holds were left; undo() brings them back.
  void stepsLeft(std::int64_t steps);
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

  static Prepared prepare(train::Document document, int threads,
                          std::shared_ptr<const data::Task> task = {},
                          const std::vector<train::Moment>& moments = {});
  static Prepared prepareNew(ModelConfig model, const data::TaskConfig& task,
                             const train::TrainConfig& train, int threads);
  /// Prepares on another thread; `then` is called on this one, with null where that fails.
  void prepareInBackground(
      std::function<Prepared()> make,
      std::function<void(std::shared_ptr<Prepared>, const std::optional<Error>&)> then);
  /// Goes on with another document; all but what can be undone is of that from now on.
  void install(Prepared prepared, const Run& run);
  /// The same where nothing leads back.
  void installAlone(Prepared prepared, const Run& run);
  void setFile(const DocumentFile& file);
  bool isOwnFile(const QString& path) const;
  void drain();
  void sendWatch();
  void setModified(bool modified);
  void takeReplacement(const train::Replacement& replacement);
  void tell(const train::LoopEvent& event);
  train::Document current();

  using Before = std::shared_ptr<const train::Present>;
  /// One change, undo or redo.
  struct Operation {
    /// Starts what finish() ends; false where there is nothing to do.
    std::function<bool()> begin;
    std::function<void(const Before& before)> succeed;
    Done done;
  };
  void operate(Operation operation);
  void beginNext();
  /// Passes on to finish() from the training thread.
  std::function<void(const train::Exchange&)> finisher();
  void finish(const train::Exchange& exchange);
  void giveUpOperations();
  /// Goes on with what `next` makes of the model, which can be undone.
  void change(const QString& label, std::function<train::Present(const train::Present&)> next,
              Done done);
  void startOver(const QString& label, std::uint64_t seed);
  /// Goes to a place that undo or redo has chosen.
  struct Return;
  void bringBack(std::function<std::optional<UndoPlace>()> choose,
                 std::function<void(const Return&)> keep, Done done);
  bool beginReturn(const std::shared_ptr<Return>& back, const UndoPlace& target);
  void leaveLoop();
  /// The run that is open, without model, history and training.
  std::shared_ptr<Run> here() const;
  /// Tells that a run was left, where no file holds it.
  void tellLeft(const Run& run, const train::Present& before);
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
  DocumentFile file_;
  io::FileLock lock_;  // of the file
  QString question_;
  std::vector<data::Sample> samples_;
  std::map<const QObject*, Wants> wants_;
  std::shared_ptr<const train::Snapshot> snapshot_;
  std::shared_ptr<std::atomic<bool>> answer_stopped_;  // of the newest ask()
  QFuture<void> past_answer_;                          // of a moment that is shown
  TimeMachine time_;
  std::optional<std::int64_t> moment_bytes_;
  UndoHistory undo_;
  std::deque<Operation> operations_;
  bool operating_ = false;     // the first one is under way
  bool preparing_ = false;     // and another thread prepares it
  std::int64_t openings_ = 0;  // of documents
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
