// SPDX-License-Identifier: GPL-3.0-or-later
// How a document's model is changed or left for another run, and how that is undone.
#include <QCoreApplication>
#include <QRandomGenerator>
#include <future>
#include <utility>

#include "core/train/history.h"
#include "ui/document/model_document.h"
#include "ui/document/prepared_document.h"

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
  this->change(label, next, std::move(done));
}

void ModelDocument::change(const QString& label, std::function<Present(const Present&)> next,
                           Done done) {
  const auto begin = [this, next = std::move(next)] {
    loop_->exchange(next, finisher());
    return true;
  };
  const auto succeed = [this, label](const Before& before) {
    undo_.push(label, {before});
    if (canUndo() && step_ < before->state->step) emit stepsLeft(before->state->step - step_);
  };
  operate({begin, succeed, std::move(done)});
}

void ModelDocument::reset() { startOver(tr("Starting over"), training_.seed); }

void ModelDocument::newSeed() {
  startOver(tr("New seed"), QRandomGenerator::global()->bounded(1'000'000U));
}

void ModelDocument::startOver(const QString& label, std::uint64_t seed) {
  const auto left = std::make_shared<Run>();
  const auto begin = [this, left, seed] {
    *left = *here();
    left->task.reset();
    loop_->reset(seed, finisher());
    return true;
  };
  const auto succeed = [this, left, label](const Before& before) {
    setFile({});
    undo_.push(label, {before, left});
    emit titleChanged();
    tellLeft(*left, *before);
  };
  operate({begin, succeed, {}});
}

void ModelDocument::tellLeft(const Run& run, const Present& before) {
  if (run.modified && canUndo() && before.state->step > 0) emit stepsLeft(before.state->step);
}

std::shared_ptr<Run> ModelDocument::here() const {
  return std::make_shared<Run>(Run{task_, question_, file_, modified_ || running_});
}

/// On the way to a place that undo or redo has chosen.
struct ModelDocument::Return {
  UndoPlace target;
  UndoPlace left;                      ///< where it was chosen
  std::shared_ptr<Prepared> prepared;  ///< where it is of another task
};

void ModelDocument::undo(Done done) {
  const auto choose = [this] {
    return canUndo() ? std::optional(undo_.undoTarget()) : std::nullopt;
  };
  bringBack(
      choose, [this](const Return& back) { undo_.undone(back.target, back.left); },
      std::move(done));
}

void ModelDocument::redo(Done done) {
  const auto label = std::make_shared<QString>();
  const auto choose = [this, label] {
    *label = redoText();
    return canRedo() ? std::optional(undo_.redoTarget()) : std::nullopt;
  };
  bringBack(
      choose, [this, label](const Return& back) { undo_.redone(*label, back.target, back.left); },
      std::move(done));
}

void ModelDocument::bringBack(std::function<std::optional<UndoPlace>()> choose,
                              std::function<void(const Return&)> keep, Done done) {
  const auto back = std::make_shared<Return>();
  const auto begin = [this, back, choose = std::move(choose)] {
    const std::optional<UndoPlace> target = choose();
    return target && beginReturn(back, *target);
  };
  const auto succeed = [this, back, keep = std::move(keep)](const Before& before) {
    back->left.present = before;
    const std::shared_ptr<const Run> run = back->target.run;
    if (back->prepared) {
      back->left.run = here();
      install(std::move(*back->prepared), *run);
    }
    keep(*back);
    if (!run || back->prepared) return;
    setFile(run->file);
    modified_ = run->modified;
    emit titleChanged();
  };
  operate({begin, succeed, std::move(done)});
}

bool ModelDocument::beginReturn(const std::shared_ptr<Return>& back, const UndoPlace& target) {
  back->target = target;
  if (!target.run || !target.run->task) {
    if (target.run) {
      const std::shared_ptr<Run> run = here();
      run->task.reset();
      back->left.run = run;
    }
    const auto next = [target](const Present&) {
      Present after = *target.present;
      if (!target.run) after.training.reset();
      return after;
    };
    loop_->exchange(next, finisher());
    return true;
  }
  const auto make = [target, threads = threads_] {
    const Present& present = *target.present;
    return prepare({target.run->task->config(), *present.training, *present.state, present.history},
                   threads, target.run->task, present.moments);
  };
  preparing_ = true;
  prepareInBackground(make,
                      [this, back, opening = openings_](const std::shared_ptr<Prepared>& prepared,
                                                        const std::optional<Error>& problem) {
                        if (opening != openings_) return;
                        preparing_ = false;
                        if (problem) return finish({nullptr, problem});
                        back->prepared = prepared;
                        leaveLoop();
                      });
  return true;
}

void ModelDocument::leaveLoop() {
  loop_->leave([finish = finisher()](const Before& before) { finish({before, {}}); });
}

void ModelDocument::takeChanges(const std::vector<train::ScheduledChange>& changes) {
  if (changes.empty()) return;
  const int forgotten = undo_.forgotten();
  for (const train::ScheduledChange& change : changes)
    undo_.push(QString::fromStdString(change.label), {change.before});
  emit undoChanged();
  if (undo_.forgotten() > forgotten) emit undoForgotten(undo_.forgotten() - forgotten);
}

bool ModelDocument::fitsUndo() const {
  constexpr std::int64_t kNumbers = 3;  // a value and two moments
  const std::int64_t state = kNumbers * std::int64_t(sizeof(float)) * layout_.total;
  return state + train::byteCount(history_) <= undo_.budget();
}

void ModelDocument::copy(std::function<void(train::Document document, double seconds)> done) {
  loop_->copy(std::move(done));
}

void ModelDocument::setUndoBudget(std::int64_t bytes) {
  undo_.setBudget(bytes);
  emit undoChanged();
}

void ModelDocument::operate(Operation operation) {
  operations_.push_back(std::move(operation));
  if (!operating_) beginNext();
}

void ModelDocument::beginNext() {
  operating_ = true;
  while (!operations_.empty()) {
    if (operations_.front().begin()) return;
    operations_.pop_front();
  }
  operating_ = false;
}

std::function<void(const train::Exchange&)> ModelDocument::finisher() {
  // Called on the loop's thread, which ends before this object does.
  return [this, opening = openings_](const train::Exchange& exchange) {
    const auto pass = [this, opening, exchange] {
      if (opening == openings_) finish(exchange);
    };
    QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
  };
}

void ModelDocument::finish(const train::Exchange& exchange) {
  std::int64_t opening = openings_;
  drain();                           // the news of the exchange come before its end
  if (opening != openings_) return;  // somebody who heard them opened another document
  const Operation operation = std::move(operations_.front());
  operations_.pop_front();
  const int forgotten = undo_.forgotten();
  if (exchange.before) operation.succeed(exchange.before);
  opening = openings_;
  emit undoChanged();
  if (undo_.forgotten() > forgotten) emit undoForgotten(undo_.forgotten() - forgotten);
  if (opening == openings_) beginNext();
  if (operation.done)
    operation.done(exchange.problem);
  else if (exchange.problem)
    emit failed(QString::fromUtf8(exchange.problem->what()));
}

void ModelDocument::settle() {
  while (operating_ && !preparing_) {
    const auto reached = std::make_shared<std::promise<void>>();
    loop_->post([reached](train::Trainer&) { reached->set_value(); });
    reached->get_future().wait();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
  }
}

void ModelDocument::giveUpOperations() {
  operating_ = preparing_ = false;
  for (const Operation& operation : std::exchange(operations_, {}))
    if (operation.done)
      operation.done(Error("another model was opened", {}, "Do it again with this model"));
}

void ModelDocument::takeReplacement(const train::Replacement& replacement) {
  travel([&] {
    model_ = replacement.config;
    layout_ = replacement.layout;
    history_ = replacement.history;
    step_ = rate_step_ = replacement.step;
    time_.leaveCourse(replacement.common_step, replacement.common_events);
  });
  setModified(true);
  train::TrainConfig training = replacement.training.value_or(training_);
  training.seed = replacement.seed;
  if (!(training == training_)) {
    training_ = training;
    emit trainingChanged();
  }
  emit rewound();
}

}  // namespace tfm::ui
