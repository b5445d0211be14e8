// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "core/base/error.h"
#include "ui/document/files.h"
#include "ui/document/observing.h"

namespace tfm::ui {

/// Changes of the open model that can be undone. Each happens on the training thread at the next
/// step boundary; changes, undo and redo happen in the order in which they are asked for.
class Changes : public QObject {
  Q_OBJECT

 public:
  /// What the document does for its changes.
  struct Hooks {
    std::function<void()> drain;                           ///< tells the news of the loop
    std::function<void(PreparedRun, const Run&)> install;  ///< goes on with another run
  };
  Changes(OpenRun& run, Training& training, Moments& moments, Observing& observing, Files& files,
          Hooks hooks);

  /// Makes one state of the model from another; throws Error to change nothing.
  using Change = std::function<ModelState(const ModelState&)>;
  /// Called with what went wrong, if something did; then everything is as it was.
  using Done = std::function<void(const std::optional<Error>&)>;
  /// Lets training go on with what `change` makes of the model. `change` runs on the training
  /// thread, `done` on this one after all signals of the change. Training::history() gets a flag
  /// with `label`.
  void apply(const QString& label, Change change, Done done = {});
  /// Another run of this model without a file: the same first weights again, step 0.
  void reset();
  /// The same with other first weights and data.
  void newSeed();
  /// Goes on with another run, which `prepared` holds.
  void startRun(std::shared_ptr<PreparedRun> prepared, Done done);
  /// Lets training go on from the moment that is shown, with the history up to there.
  void continueFromMoment(Done done = {});
  void restoreLastGood();

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
  void setBudget(std::int64_t bytes);
  /// Whether that suffices to bring back what is open now.
  bool fitsBudget() const;
  /// Waits for changes, undo and redo that are under way, as far as they wait for the step that is
  /// running.
  void settle();

  /// For the document: another one was opened, to which nothing leads back.
  void clear();
  /// The same where what was done before can still be undone.
  void giveUp();
  /// What training has changed by itself can be undone as well.
  void take(const std::vector<train::ScheduledChange>& changes);

 signals:
  /// What can be undone or redone is something else.
  void undoChanged();
  /// So many of the oldest changes cannot be undone any more: memory for that is used up.
  void undoForgotten(int changes);
  /// So many steps of training that no file holds were left; undo() brings them back.
  void stepsLeft(std::int64_t steps);
  /// A change without a `done` could not be made.
  void failed(const QString& problem);

 private:
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
  /// Goes on with what `next` makes of the model, which can be undone.
  void change(const QString& label, std::function<train::Present(const train::Present&)> next,
              Done done);
  void startOver(const QString& label, std::uint64_t seed);
  /// On the way to a place that undo or redo has chosen.
  struct Return;
  void bringBack(std::function<std::optional<UndoPlace>()> choose,
                 std::function<void(const Return&)> keep, Done done);
  bool beginReturn(const std::shared_ptr<Return>& back, const UndoPlace& target);
  void leaveLoop();
  /// The run that is open, without model, history and training.
  std::shared_ptr<Run> here() const;
  /// Tells that a run was left, where no file holds it.
  void tellLeft(const Run& run, const train::Present& before);
  void tellForgotten(int before);

  OpenRun& run_;
  Training& training_;
  Moments& moments_;
  Observing& observing_;
  Files& files_;
  const Hooks hooks_;
  UndoHistory undo_;
  std::deque<Operation> operations_;
  bool operating_ = false;  ///< the first one is under way
  bool preparing_ = false;  ///< and another thread prepares it
};

}  // namespace tfm::ui
