// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <functional>
#include <optional>

#include "core/base/error.h"
#include "ui/document/files.h"
#include "ui/document/interventions.h"
#include "ui/document/observing.h"

namespace tfm::ui {

/// Undoable changes of the open model. Each is made on the training thread at the next step
/// boundary; changes, undo and redo are made in the order requested.
class Changes : public QObject {
  Q_OBJECT

 public:
  /// What the document does for its changes.
  struct Hooks {
    std::function<void()> drain;                           ///< delivers pending news of the loop
    std::function<void(PreparedRun, const Run&)> install;  ///< switches to another run
    /// Of the open document, if that is its file.
    std::function<Content(const DocumentFile&)> content;
  };
  Changes(OpenRun& run, Training& training, Moments& moments, Interventions& interventions,
          Observing& observing, Files& files, Hooks hooks);

  /// Makes a new model state from the present one; throws Error to change nothing.
  using Change = std::function<ModelState(const ModelState&)>;
  /// Called when done, with the error if there was one; then nothing has changed.
  using Done = std::function<void(const std::optional<Error>&)>;
  /// Continues training with the result of `change`. `change` runs on the training thread, `done`
  /// on this one after all signals of the change. Adds a flag with `label` to Training::history().
  void apply(const QString& label, Change change, Done done = {});
  /// Starts a new run of this model without a file: the same initial weights, step 0.
  void reset();
  /// The same with another seed: other initial weights and data.
  void newSeed();
  /// Switches to the run in `prepared`; `run` says what else it has.
  void startRun(const QString& label, std::shared_ptr<PreparedRun> prepared, const Run& run,
                Done done);
  /// Continues training from the moment that is shown, with the history up to it.
  void continueFromMoment(Done done = {});
  void restoreLastGood();

  bool canUndo() const { return undo_.canUndo(); }
  bool canRedo() const { return undo_.canRedo(); }
  /// The labels of what undo() and redo() would do; "" if there is nothing.
  QString undoText() const { return undo_.undoText(); }
  QString redoText() const { return undo_.redoText(); }
  /// All labels of what can be undone or redone, the next one last.
  QStringList undoTexts() const { return undo_.undoTexts(); }
  QStringList redoTexts() const { return undo_.redoTexts(); }
  /// Goes back to the moment before the last change, with its history; redo() brings back what has
  /// been trained since. Does nothing if there is nothing to undo.
  void undo(Done done = {});
  void redo(Done done = {});
  /// Memory for undo; the oldest changes are dropped when it runs out.
  void setBudget(std::int64_t bytes);
  /// Whether the open run fits into that memory, so that it can be brought back.
  bool fitsBudget() const;
  /// Waits for changes, undo and redo in progress that wait for the running step.
  void settle();

  /// For the document: another one was opened that cannot be undone.
  void clear();
  /// The same, but earlier changes can still be undone.
  void giveUp();
  /// Makes changes by the training schedule undoable as well.
  void take(const std::vector<train::ScheduledChange>& changes);
  /// The same for a change of the list of interventions, which was `before`.
  void takeList(const QString& label, const std::shared_ptr<const InterventionList>& before);
  /// Makes an edit undoable that is no change of the model; with those before it of the same label
  /// and owner as one, unless it has no owner.
  void take(const QString& label, std::shared_ptr<const SmallEdit> edit);
  /// Drops the edits of an owner.
  void forget(const void* owner);

 signals:
  /// undoText(), redoText() or their availability changed.
  void undoChanged();
  /// The oldest `changes` were dropped because the memory for undo is used up.
  void undoDropped(int changes);
  /// `steps` of unsaved training were set aside; undo() brings them back.
  void stepsSetAside(std::int64_t steps);
  /// A change without a `done` callback failed.
  void failed(const QString& problem);

 private:
  using Before = std::shared_ptr<const train::Present>;
  /// One change, undo or redo.
  struct Operation {
    /// Starts what finish() ends; false if there is nothing to do.
    std::function<bool()> begin;
    std::function<void(const Before& before)> succeed;
    Done done;
  };
  void operate(Operation operation);
  void beginNext();
  /// Calls finish() from the training thread.
  std::function<void(const train::Exchange&)> finisher();
  void finish(const train::Exchange& exchange);
  /// Continues with the result of `next`; undoable.
  void change(const QString& label, std::function<train::Present(const train::Present&)> next,
              Done done);
  void startOver(const QString& label, std::uint64_t seed);
  /// An undo or redo in progress.
  struct Return;
  void bringBack(std::function<std::optional<UndoPlace>()> choose,
                 std::function<void(const Return&)> keep, Done done);
  bool beginReturn(const std::shared_ptr<Return>& back, const UndoPlace& target);
  std::shared_ptr<const SmallEdit> editOfList(std::shared_ptr<const InterventionList> before);
  void leaveLoop();
  /// The open run, without model, history and training.
  std::shared_ptr<Run> here() const;
  /// Reports the steps by which an unsaved run that was left is ahead of the present one.
  void reportLeft(const Run& run, const train::Present& before);
  void reportForgotten(int before);

  OpenRun& run_;
  Training& training_;
  Moments& moments_;
  Interventions& interventions_;
  Observing& observing_;
  Files& files_;
  const Hooks hooks_;
  UndoHistory undo_;
  std::deque<Operation> operations_;
  bool operating_ = false;  ///< the first one is in progress
  bool preparing_ = false;  ///< and another thread prepares it
};

}  // namespace tfm::ui
