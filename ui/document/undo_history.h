// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <deque>
#include <memory>

#include "core/train/training_loop.h"

namespace tfm::ui {

/// What can be undone and redone, in one line, within a memory budget. An entry holds the model
/// that undoing (or redoing) it leads to; undo and redo are the same swap of it with the present.
class UndoHistory {
 public:
  using Present = std::shared_ptr<const train::Present>;

  explicit UndoHistory(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  /// `before`: where undoing leads to. What could be redone cannot be any more.
  void push(const QString& label, Present before);
  void clear();
  /// Forgets what does not fit any more.
  void setBudget(std::int64_t bytes);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// What the next undo takes back; "" where there is nothing.
  QString undoText() const { return canUndo() ? undo_.back().label : QString(); }
  QString redoText() const { return canRedo() ? redo_.back().label : QString(); }
  /// Where it leads to. Only where there is something.
  const Present& undoTarget() const { return undo_.back().present; }
  const Present& redoTarget() const { return redo_.back().present; }
  /// Undoing, or redoing, has led to `target`; `before`: what it was done to. What was pushed after
  /// the target was chosen is left out, and a redo whose target a push has taken is a change.
  void undone(const Present& target, Present before);
  void redone(const QString& label, const Present& target, Present before);

  std::int64_t bytes() const { return bytes_; }
  /// Entries that were forgotten, the oldest first, to stay within the budget.
  int forgotten() const { return forgotten_; }

 private:
  struct Entry {
    QString label;
    Present present;
    std::int64_t bytes;
  };
  using Entries = std::deque<Entry>;

  /// Whether the target was among them.
  bool move(Entries& from, Entries& to, const Present& target, Present before);
  void keepBudget();

  std::int64_t budget_;
  std::int64_t bytes_ = 0;
  int forgotten_ = 0;
  Entries undo_, redo_;  ///< the next one last
};

}  // namespace tfm::ui
