// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/io/file_identity.h"
#include "core/live/training_loop.h"
#include "ui/document/asked_texts.h"

namespace tfm::ui {

using InterventionList = std::vector<train::ListedIntervention>;

/// What of a document is worth saving. Equal ones need no saving.
struct Content {
  std::shared_ptr<const data::TextCodec> codec;  ///< the task, if there is one
  std::int64_t step = 0;
  std::size_t measured = 0;  ///< steps and evaluations
  std::vector<train::HistoryEvent> events;
  ModelConfig model;
  train::TrainConfig train;
  InterventionList interventions;
  // Of a document with a file: what was prepared in it.
  AskedTexts texts;
  std::array<std::optional<std::int64_t>, 2> pins;  ///< their steps
  bool operator==(const Content&) const = default;
};

/// The file that a document was opened from or saved to.
struct DocumentFile {
  QString path = {};            ///< empty: none
  io::FileIdentity known = {};  ///< the version opened or saved
  /// In the file, or made by the program and no loss; none: nothing has been saved.
  std::optional<Content> saved = {};
};

/// What a run has besides its model, history and training.
struct Run {
  std::shared_ptr<const data::TextCodec> codec = nullptr;  ///< null: the current run
  std::shared_ptr<const data::Task> task = nullptr;        ///< null: none
  std::optional<data::MissingTexts> missing = std::nullopt;
  AskedTexts texts = {};
  DocumentFile file = {};
  bool modified = false;  ///< when it was left
  InterventionList interventions = {};
};

/// An edit of something beside the model, such as the list of interventions or a plan of growth.
struct SmallEdit {
  /// Takes it back, and returns the edit that this was.
  std::function<std::shared_ptr<const SmallEdit>()> undo;
  const void* owner = nullptr;  ///< see UndoHistory::forget()
};

/// The target of an undo or redo: a model, or a small edit.
struct UndoPlace {
  std::shared_ptr<const train::Present> present;    ///< null: an edit
  std::shared_ptr<const Run> run = nullptr;         ///< null: the current run
  std::shared_ptr<const SmallEdit> edit = nullptr;  ///< without a model
};

/// A linear undo history within a memory budget. An entry holds the model (and the run, if another
/// one) that undoing or redoing it leads to; both swap it with the present. QUndoStack does not
/// fit: its undo() must finish before it returns and cannot fail, while a change here waits for the
/// training thread; and it limits the count, not the memory.
class UndoHistory {
 public:
  explicit UndoHistory(std::int64_t budget_bytes) : budget_(budget_bytes) {}

  /// `before`: where undoing leads to. Clears the redo entries.
  void push(const QString& label, UndoPlace before);
  /// Whether the newest entry is an edit of this owner with this label: then another one, as while
  /// a size is dragged, needs no entry.
  bool continues(const QString& label, const void* owner) const;
  void clear();
  /// Drops all edits of an owner, for which they no longer mean anything.
  void forget(const void* owner);
  /// Drops what no longer fits.
  void setBudget(std::int64_t bytes);

  bool canUndo() const { return !undo_.empty(); }
  bool canRedo() const { return !redo_.empty(); }
  /// The label of the next undo; "" if there is none.
  QString undoText() const { return canUndo() ? undo_.back().label : QString(); }
  QString redoText() const { return canRedo() ? redo_.back().label : QString(); }
  /// All labels, the next one last.
  QStringList undoTexts() const { return labels(undo_); }
  QStringList redoTexts() const { return labels(redo_); }
  /// Where it leads to. Requires canUndo() or canRedo().
  const UndoPlace& undoTarget() const { return undo_.back().place; }
  const UndoPlace& redoTarget() const { return redo_.back().place; }
  /// Undo or redo has reached `target`; `before`: the present before that. Entries pushed since the
  /// target was chosen are skipped; a redo whose target was cleared by a push counts as a change.
  void undone(const UndoPlace& target, UndoPlace before);
  void redone(const QString& label, const UndoPlace& target, UndoPlace before);

  std::int64_t bytes() const { return bytes_; }
  std::int64_t budget() const { return budget_; }
  /// Number of oldest entries dropped to stay within the budget.
  int forgotten() const { return forgotten_; }

 private:
  struct Entry {
    QString label;
    UndoPlace place;
    std::int64_t bytes;
  };
  using Entries = std::deque<Entry>;

  static QStringList labels(const Entries& entries);
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
