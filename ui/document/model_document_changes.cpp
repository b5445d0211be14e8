// SPDX-License-Identifier: GPL-3.0-or-later
// How a document's model is changed, and how that is undone.
#include <utility>

#include "core/train/history.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

using train::Present;

void ModelDocument::changeModel(const QString& label, Change change, Done done) {
  const auto next = [change = std::move(change),
                     text = label.toStdString()](const Present& before) {
    const auto state = std::make_shared<const ModelState>(change(*before.state));
    Present after{state, before.history, {}};
    forgetAfter(after.history, state->step);
    addEvent(after.history, {state->step, train::EventKind::Growth, text});
    return after;
  };
  operate({[next] { return next; },
           [this, label](UndoHistory::Present before) { undo_.push(label, std::move(before)); },
           std::move(done)});
}

void ModelDocument::undo(Done done) {
  const auto target = std::make_shared<UndoHistory::Present>();
  const auto begin = [this, target]() -> std::function<Present(const Present&)> {
    if (!canUndo()) return nullptr;
    *target = undo_.undoTarget();
    return [target = *target](const Present&) { return *target; };
  };
  const auto succeed = [this, target](UndoHistory::Present before) {
    undo_.undone(*target, std::move(before));
  };
  operate({begin, succeed, std::move(done)});
}

void ModelDocument::redo(Done done) {
  const auto target = std::make_shared<UndoHistory::Present>();
  const auto label = std::make_shared<QString>();
  const auto begin = [this, target, label]() -> std::function<Present(const Present&)> {
    if (!canRedo()) return nullptr;
    *target = undo_.redoTarget();
    *label = redoText();
    return [target = *target](const Present&) { return *target; };
  };
  const auto succeed = [this, target, label](UndoHistory::Present before) {
    undo_.redone(*label, *target, std::move(before));
  };
  operate({begin, succeed, std::move(done)});
}

void ModelDocument::takeChanges(const std::vector<train::ScheduledChange>& changes) {
  if (changes.empty()) return;
  const int forgotten = undo_.forgotten();
  for (const train::ScheduledChange& change : changes)
    undo_.push(QString::fromStdString(change.label), change.before);
  emit undoChanged();
  if (undo_.forgotten() > forgotten) emit undoForgotten(undo_.forgotten() - forgotten);
}

void ModelDocument::setUndoBudget(std::int64_t bytes) {
  undo_.setBudget(bytes);
  emit undoChanged();
}

void ModelDocument::operate(Operation operation) {
  operations_.push_back(std::move(operation));
  if (operations_.size() == 1) beginNext();
}

void ModelDocument::beginNext() {
  while (!operations_.empty()) {
    auto next = operations_.front().begin();
    if (!next) {
      operations_.pop_front();
      continue;
    }
    // Called on the loop's thread, which ends before this object does.
    loop_->exchange(std::move(next), [this, opening = openings_](const train::Exchange& exchange) {
      const auto pass = [this, opening, exchange] {
        if (opening == openings_) finish(exchange);
      };
      QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
    });
    return;
  }
}

void ModelDocument::finish(const train::Exchange& exchange) {
  const std::int64_t opening = openings_;
  drain();                           // the news of the exchange come before its end
  if (opening != openings_) return;  // somebody who heard them opened another document
  const Operation operation = std::move(operations_.front());
  operations_.pop_front();
  const int forgotten = undo_.forgotten();
  if (exchange.before) operation.succeed(exchange.before);
  emit undoChanged();
  if (undo_.forgotten() > forgotten) emit undoForgotten(undo_.forgotten() - forgotten);
  beginNext();
  if (operation.done)
    operation.done(exchange.problem);
  else if (exchange.problem)
    emit failed(QString::fromUtf8(exchange.problem->what()));
}

void ModelDocument::giveUpOperations() {
  for (const Operation& operation : std::exchange(operations_, {}))
    if (operation.done)
      operation.done(Error("another model was opened", {}, "Do it again with this model"));
}

void ModelDocument::takeReplacement(const train::Replacement& replacement) {
  const std::int64_t common = train::commonEvents(history_, replacement.history);
  travel([&] {
    model_ = replacement.config;
    layout_ = replacement.layout;
    history_ = replacement.history;
    step_ = rate_step_ = replacement.step;
    time_.leaveCourse(replacement.step, common);
  });
  setModified(true);
  if (training_.seed != replacement.seed) {
    training_.seed = replacement.seed;
    emit trainingChanged();
  }
  emit rewound();
}

}  // namespace tfm::ui
