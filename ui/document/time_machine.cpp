// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/time_machine.h"

#include <QFutureWatcher>
#include <QtConcurrent>
#include <algorithm>
#include <utility>

namespace tfm::ui {

using train::Moment;
using train::Snapshot;

void TimeMachine::open(std::shared_ptr<const data::Task> task) {
  ++epoch_;
  moments_.clear();
  moment_.reset();
  pins_ = {};
  pin_looks_ = {};
  left_.clear();
  wish_.reset();
  comparison_ = Comparison::Now;
  // A look that is under way keeps its observer.
  observer_ = std::make_shared<train::Observer>(std::move(task));
  looking_ = false;
}

void TimeMachine::setMoments(std::vector<Moment> moments) {
  moments_ = std::move(moments);
  if (left_.empty()) return;
  for (const Moment& moment : moments_) std::erase(left_, moment.state);
}

bool TimeMachine::leaveCourse(std::int64_t step, std::int64_t events) {
  const auto later = [&](const Moment& m) { return m.step() > step || m.events > events; };
  for (const auto& pin : pins_)
    if (pin && later(*pin)) left_.push_back(pin->state);
  if (!moment_ || !later(*moment_)) return false;
  const bool seen = comparison_ == Comparison::Now;
  moment_.reset();
  if (seen) showNow();
  return seen;
}

void TimeMachine::setWatch(const train::Watch& watch) {
  watch_ = watch;
  wish();
}

void TimeMachine::show(const Moment& moment) {
  if (showsNow() || !(shown()->state->config == moment.state->config)) ++epoch_;
  comparison_ = Comparison::Now;
  moment_ = moment;
  wish();
}

void TimeMachine::showNow() {
  ++epoch_;
  comparison_ = Comparison::Now;
  moment_.reset();
  wish_.reset();
}

void TimeMachine::pin(Pin pin, const Moment& moment) {
  slot(pin) = moment;
  pin_looks_[std::size_t(pin)].reset();
  if (comparison_ == Comparison::Now) return;
  ++epoch_;
  wish();
}

void TimeMachine::unpin(Pin pin) {
  slot(pin).reset();
  pin_looks_[std::size_t(pin)].reset();
  const auto other = pin == Pin::A ? Comparison::B : Comparison::A;
  if (comparison_ != Comparison::Now && comparison_ != other) compare(Comparison::Now);
}

void TimeMachine::compare(Comparison comparison) {
  const bool a = comparison == Comparison::A || comparison == Comparison::Difference;
  const bool b = comparison == Comparison::B || comparison == Comparison::Difference;
  if ((a && !pinned(Pin::A)) || (b && !pinned(Pin::B))) return;
  ++epoch_;
  comparison_ = comparison;
  wish();
}

const Moment* TimeMachine::shown() const {
  if (comparison_ == Comparison::Now) return moment_ ? &*moment_ : nullptr;
  return &*pinned(comparison_ == Comparison::B ? Pin::B : Pin::A);
}

const std::optional<Moment>& TimeMachine::pinned(Pin slot) const {
  return pins_[std::size_t(slot)];
}

bool TimeMachine::canContinue() const {
  const Moment* moment = shown();
  return moment != nullptr && comparison_ != Comparison::Difference &&
         std::find(left_.begin(), left_.end(), moment->state) == left_.end();
}

std::shared_ptr<const Snapshot> TimeMachine::pinnedSnapshot(Pin slot) const {
  return pin_looks_[std::size_t(slot)];
}

void TimeMachine::wish() {
  const Moment* moment = shown();
  if (moment == nullptr || watch_ == train::Watch{}) {
    wish_.reset();
    return;
  }
  wish_ = Wish{{*moment}, watch_};
  if (comparison_ == Comparison::Difference) wish_->moments.push_back(*pinned(Pin::B));
  if (!looking_) begin();
}

void TimeMachine::begin() {
  looking_ = true;
  auto* watcher = new QFutureWatcher<Look>(this);
  connect(watcher, &QFutureWatcher<Look>::finished, this,
          [this, watcher, epoch = epoch_, comparison = comparison_, observer = observer_] {
            watcher->deleteLater();
            if (observer != observer_) return;  // of a document that is closed
            looking_ = false;
            finish(epoch, comparison, watcher->result());
            if (wish_ && !looking_) begin();
          });
  const auto work = [observer = observer_, wish = *std::exchange(wish_, std::nullopt)] {
    return look(*observer, wish);
  };
  watcher->setFuture(QtConcurrent::run(work));
}

TimeMachine::Look TimeMachine::look(train::Observer& observer, const Wish& wish) {
  Look result;
  const auto keep = [&](Snapshot snapshot, const Moment& moment) {
    if (wish.watch.parameters) snapshot.state = moment.state;
    return std::make_shared<const Snapshot>(std::move(snapshot));
  };
  const Moment& first = wish.moments.front();
  result.each[0] = keep(observer.look(*first.state, wish.watch), first);
  result.shown = result.each[0];
  if (wish.moments.size() < 2) return result;
  const Moment& second = wish.moments[1];
  result.each[1] =
      keep(observer.lookAlong(result.each[0]->probe, *second.state, wish.watch), second);
  result.shown =
      std::make_shared<const Snapshot>(train::difference(*result.each[0], *result.each[1]));
  return result;
}

void TimeMachine::finish(std::int64_t epoch, Comparison comparison, const Look& look) {
  if (epoch != epoch_) return;
  if (comparison == Comparison::Difference) {
    pin_looks_ = look.each;
  } else if (comparison != Comparison::Now) {
    pin_looks_[comparison == Comparison::A ? 0 : 1] = look.each[0];
  }
  emit looked(look.shown);
}

}  // namespace tfm::ui
