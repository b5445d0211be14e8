// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "core/io/file_identity.h"
#include "core/train/training_loop.h"

namespace tfm::ui {

/// The file that a document was opened from or saved to.
struct DocumentFile {
  QString path = {};            ///< empty: none
  io::FileIdentity known = {};  ///< as it was then
};

/// What a run has beside its model, history and training.
struct Run {
  std::shared_ptr<const data::TextCodec> codec = nullptr;  ///< null: the run that is there anyway
  std::shared_ptr<const data::Task> task = nullptr;        ///< null: none
  std::optional<data::MissingTexts> missing = std::nullopt;
  QString question = {};  ///< that is looked into
  DocumentFile file = {};
  bool modified = false;
};

/// Where undoing or redoing leads to.
struct UndoPlace {
  std::shared_ptr<const train::Present> present;
  std::shared_ptr<const Run> run = nullptr;  ///< null: the run that is there anyway
};

/// What can be undone and redone, in one line, within a memory budget. An entry holds the model,
/// and the run where that is another one, that undoing (or redoing) it leads to; undo and redo are
/// the same swap of it with the present. QUndoStack does not fit: its undo() must be done when it
/// returns and cannot fail, while a change here waits for the training thread; and it forgets by
/// count, not by memory.
class UndoHistory {
 public:
  explicit UndoHistory(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  /// `before`: where undoing leads to. What could be redone cannot be any more.
  void push(const QString& label, UndoPlace before);
  void clear();
  /// Forgets what does not fit any more.
  void setBudget(std::int64_t bytes);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// What the next undo takes back; "" where there is nothing.
  QString undoText() const { return canUndo() ? undo_.back().label : QString(); }
  QString redoText() const { return canRedo() ? redo_.back().label : QString(); }
  /// Where it leads to. Only where there is something.
  const UndoPlace& undoTarget() const { return undo_.back().place; }
  const UndoPlace& redoTarget() const { return redo_.back().place; }
  /// Undoing, or redoing, has led to `target`; `before`: what it was done to. What was pushed after
  /// the target was chosen is left out, and a redo whose target a push has taken is a change.
  void undone(const UndoPlace& target, UndoPlace before);
  void redone(const QString& label, const UndoPlace& target, UndoPlace before);

  std::int64_t bytes() const { return bytes_; }
  std::int64_t budget() const { return budget_; }
  /// Entries that were forgotten, the oldest first, to stay within the budget.
  int forgotten() const { return forgotten_; }

 private:
  struct Entry {
    QString label;
    UndoPlace place;
    std::int64_t bytes;
  };
  using Entries = std::deque<Entry>;

  void add(Entries& entries, const QString& label, UndoPlace place);
  /// Whether the target was among them.
  bool move(Entries& from, Entries& to, const UndoPlace& target, UndoPlace before);
  void keepBudget();

  std::int64_t budget_;
  std::int64_t bytes_ = 0;
  int forgotten_ = 0;
  Entries undo_, redo_;  ///< the next one last
};

}  // namespace tfm::ui
