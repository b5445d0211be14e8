// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/changes.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <algorithm>
#include <future>
#include <utility>

#include "core/document/history.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kUndoBytes = std::int64_t{512} << 20;

}  // namespace

using train::Present;

Changes::Changes(OpenRun& run, Training& training, Moments& moments, Interventions& interventions,
                 Observing& observing, Files& files, Hooks hooks)
    : run_(run),
      training_(training),
      moments_(moments),
      interventions_(interventions),
      observing_(observing),
      files_(files),
      hooks_(std::move(hooks)),
      undo_(kUndoBytes) {}

void Changes::apply(const QString& label, Change change, Done done) {
  const auto next = [change = std::move(change),
                     text = label.toStdString()](const Present& before) {
    const auto state = std::make_shared<const ModelState>(change(*before.state));
    Present after{state, before.history, {}};
    truncateAfter(after.history, state->step);
    addEvent(after.history, {state->step, train::EventKind::Growth, text});
    return after;
  };
  this->change(label, next, std::move(done));
}

void Changes::change(const QString& label, std::function<Present(const Present&)> next, Done done) {
  const auto begin = [this, next = std::move(next)] {
    run_.loop->exchange(next, finisher());
    return true;
  };
  const auto succeed = [this, label](const Before& before) {
    undo_.push(label, {before});
    const std::int64_t left = before->state->step - training_.step();
    if (canUndo() && left > 0) emit stepsSetAside(left);
  };
  operate({begin, succeed, std::move(done)});
}

void Changes::reset() { startOver(tr("Start over"), training_.config().seed); }

void Changes::newSeed() {
  startOver(tr("New seed"), QRandomGenerator::global()->bounded(1'000'000U));
}

void Changes::startOver(const QString& label, std::uint64_t seed) {
  if (!run_.task) return training_.wantTask();
  const auto left = std::make_shared<Run>();
  const auto begin = [this, left, seed] {
    *left = *here();
    left->codec.reset();
    run_.loop->reset(seed, finisher());
    return true;
  };
  const auto succeed = [this, left, label](const Before& before) {
    files_.set({}, hooks_.content({}));
    undo_.push(label, {before, left});
    emit files_.titleChanged();
    reportLeft(*left, *before);
  };
  operate({begin, succeed, {}});
}

void Changes::startRun(const QString& label, std::shared_ptr<PreparedRun> prepared, const Run& run,
                       Done done) {
  const auto begin = [this] {
    leaveLoop();
    return true;
  };
  const auto succeed = [this, label, run, prepared = std::move(prepared)](const Before& before) {
    const std::shared_ptr<Run> left = here();
    hooks_.install(std::move(*prepared), run);
    undo_.push(label, {before, left});
    reportLeft(*left, *before);
  };
  operate({begin, succeed, std::move(done)});
}

void Changes::continueFromMoment(Done done) {
  if (!moments_.canContinue()) return;
  const train::Moment moment = *moments_.shown();
  const QString label = tr("Go back to step %1").arg(moment.step());
  const auto next = [moment, text = label.toStdString()](const Present& before) {
    Present after{moment.state, before.history, {}};
    truncateAfter(after.history, moment.step());
    auto& events = after.history.events;
    events.resize(std::min(events.size(), std::size_t(moment.events)));
    addEvent(after.history, {moment.step(), train::EventKind::Restored, text});
    return after;
  };
  moments_.showNow();
  change(label, next, std::move(done));
}

void Changes::restoreLastGood() { run_.loop->restoreLastGood(); }

void Changes::reportLeft(const Run& run, const Present& before) {
  const std::int64_t steps = before.state->step - training_.step();
  if (run.modified && canUndo() && steps > 0) emit stepsSetAside(steps);
}

std::shared_ptr<Run> Changes::here() const {
  return std::make_shared<Run>(Run{run_.codec, run_.task, run_.missing, observing_.texts(),
                                   files_.file(), files_.isModified() || training_.isRunning(),
                                   interventions_.list()});
}

struct Changes::Return {
  UndoPlace target;
  UndoPlace left;                         ///< the present when it was chosen
  std::shared_ptr<PreparedRun> prepared;  ///< if it is of another task
};

void Changes::undo(Done done) {
  const auto choose = [this] {
    return canUndo() ? std::optional(undo_.undoTarget()) : std::nullopt;
  };
  bringBack(
      choose, [this](const Return& back) { undo_.undone(back.target, back.left); },
      std::move(done));
}

void Changes::redo(Done done) {
  const auto label = std::make_shared<QString>();
  const auto choose = [this, label] {
    *label = redoText();
    return canRedo() ? std::optional(undo_.redoTarget()) : std::nullopt;
  };
  bringBack(
      choose, [this, label](const Return& back) { undo_.redone(*label, back.target, back.left); },
      std::move(done));
}

void Changes::bringBack(std::function<std::optional<UndoPlace>()> choose,
                        std::function<void(const Return&)> keep, Done done) {
  const auto back = std::make_shared<Return>();
  const auto begin = [this, back, choose = std::move(choose), keep, done] {
    const std::optional<UndoPlace> target = choose();
    if (!target) return false;
    back->target = *target;
    if (target->present) return beginReturn(back, *target);
    back->left.edit = target->edit->undo();
    keep(*back);
    emit undoChanged();
    // Later, as this operation is still in progress.
    if (done)
      QMetaObject::invokeMethod(
          this, [done] { done(std::nullopt); }, Qt::QueuedConnection);
    return false;
  };
  const auto succeed = [this, back, keep = std::move(keep)](const Before& before) {
    back->left.present = before;
    const std::shared_ptr<const Run> run = back->target.run;
    if (back->prepared) {
      back->left.run = here();
      hooks_.install(std::move(*back->prepared), *run);
    }
    keep(*back);
    if (!run || back->prepared) return;
    files_.set(run->file, hooks_.content(run->file));
    emit files_.titleChanged();
  };
  operate({begin, succeed, std::move(done)});
}

bool Changes::beginReturn(const std::shared_ptr<Return>& back, const UndoPlace& target) {
  if (!target.run || !target.run->codec) {
    if (target.run) {
      const std::shared_ptr<Run> run = here();
      run->codec.reset();
      back->left.run = run;
    }
    const auto next = [target](const Present&) {
      Present after = *target.present;
      if (!target.run) after.training.reset();
      return after;
    };
    run_.loop->exchange(next, finisher());
    return true;
  }
  const auto make = [target, threads = training_.threads()] {
    const Present& present = *target.present;
    const Run& run = *target.run;
    train::Document document{{},        *present.training, *present.state, present.history,
                             run.codec, run.missing};
    if (run.task) {
      document.task = run.task->config();
      document.codec = nullptr;
    }
    document.interventions = run.interventions;
    document.window = windowOf(run.texts);
    document.window.moments = present.moments;
    return prepareRun(std::move(document), threads, run.task);
  };
  preparing_ = true;
  const auto go_on = [this, back, life = std::weak_ptr(run_.life)](const Preparation& result) {
    if (life.expired()) return;
    preparing_ = false;
    if (result.problem) return finish({nullptr, result.problem});
    back->prepared = result.prepared;
    leaveLoop();
  };
  prepareInBackground(this, make, go_on);
  return true;
}

void Changes::leaveLoop() {
  run_.loop->leave([finish = finisher()](const Before& before) { finish({before, {}}); });
}

void Changes::take(const std::vector<train::ScheduledChange>& changes) {
  if (changes.empty()) return;
  const int forgotten = undo_.forgotten();
  for (const train::ScheduledChange& change : changes)
    undo_.push(QString::fromStdString(change.label), {change.before});
  reportForgotten(forgotten);
}

void Changes::takeList(const QString& label,
                       const std::shared_ptr<const InterventionList>& before) {
  take(label, editOfList(before));
}

std::shared_ptr<const SmallEdit> Changes::editOfList(
    std::shared_ptr<const InterventionList> before) {
  return std::make_shared<const SmallEdit>(SmallEdit{[this, before = std::move(before)] {
    auto now = interventions_.shared();
    interventions_.set(before);
    return editOfList(std::move(now));
  }});
}

void Changes::take(const QString& label, std::shared_ptr<const SmallEdit> edit) {
  if (edit->owner != nullptr && undo_.continues(label, edit->owner)) return;
  undo_.push(label, {nullptr, nullptr, std::move(edit)});
  emit undoChanged();
}

void Changes::forget(const void* owner) {
  undo_.forget(owner);
  emit undoChanged();
}

void Changes::reportForgotten(int before) {
  emit undoChanged();
  if (undo_.forgotten() > before) emit undoDropped(undo_.forgotten() - before);
}

bool Changes::fitsBudget() const {
  constexpr std::int64_t kNumbers = 3;  // the value and two optimizer moments
  const std::int64_t state = kNumbers * std::int64_t(sizeof(float)) * training_.layout().total;
  return state + train::byteCount(training_.history()) <= undo_.budget();
}

void Changes::setBudget(std::int64_t bytes) {
  undo_.setBudget(bytes);
  emit undoChanged();
}

void Changes::operate(Operation operation) {
  operations_.push_back(std::move(operation));
  if (!operating_) beginNext();
}

void Changes::beginNext() {
  operating_ = true;
  while (!operations_.empty()) {
    if (operations_.front().begin()) return;
    operations_.pop_front();
  }
  operating_ = false;
}

std::function<void(const train::Exchange&)> Changes::finisher() {
  return run_.passed<train::Exchange>(
      this, [this](const train::Exchange& exchange) { finish(exchange); });
}

void Changes::finish(const train::Exchange& exchange) {
  std::weak_ptr life = run_.life;
  hooks_.drain();              // deliver the news of the exchange before its end
  if (life.expired()) return;  // a slot connected to them opened another document
  const Operation operation = std::move(operations_.front());
  operations_.pop_front();
  const int forgotten = undo_.forgotten();
  if (exchange.before) operation.succeed(exchange.before);
  life = run_.life;
  reportForgotten(forgotten);
  if (!life.expired()) beginNext();
  if (operation.done)
    operation.done(exchange.problem);
  else if (exchange.problem)
    emit failed(QString::fromUtf8(exchange.problem->what()));
}

void Changes::settle() {
  while (operating_ && !preparing_) {
    const auto reached = std::make_shared<std::promise<void>>();
    run_.loop->post([reached](train::Trainer&) { reached->set_value(); });
    reached->get_future().wait();
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
  }
}

void Changes::clear() {
  undo_.clear();
  emit undoChanged();
  giveUp();
}

void Changes::giveUp() {
  operating_ = preparing_ = false;
  for (const Operation& operation : std::exchange(operations_, {}))
    if (operation.done)
      operation.done(Error("another model has been opened", {}, "Repeat it with this model"));
}

}  // namespace tfm::ui
