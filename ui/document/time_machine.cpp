// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/time_machine.h"

#include <algorithm>
#include <utility>

namespace tfm::ui {

using train::Moment;
using train::Snapshot;

void TimeMachine::open(std::shared_ptr<const data::TextCodec> codec) {
  job_.forget();
  moments_.clear();
  moment_.reset();
  pins_ = {};
  pin_looks_ = {};
  left_.clear();
  comparison_ = Comparison::Now;
  observer_ = std::make_shared<train::Observer>(std::move(codec));
}

void TimeMachine::setMoments(std::vector<Moment> moments) {
  moments_ = std::move(moments);
  if (left_.empty()) return;
  for (const Moment& moment : moments_) std::erase(left_, moment.state);
}

void TimeMachine::leaveBranch(std::int64_t step, std::int64_t events) {
  const auto later = [&](const Moment& m) { return m.step() > step || m.events > events; };
  for (const auto& pin : pins_)
    if (pin && later(*pin)) left_.push_back(pin->state);
  if (!moment_ || !later(*moment_)) return;
  moment_.reset();
  if (comparison_ == Comparison::Now) showNow();
}

void TimeMachine::setWatch(const train::Watch& watch, bool beside_pin) {
  watch_ = watch;
  beside_pin_ = beside_pin;
  wish();
}

void TimeMachine::show(const Moment& moment) {
  if (showsNow() || !(shown()->state->config == moment.state->config)) job_.forget();
  comparison_ = Comparison::Now;
  moment_ = moment;
  wish();
}

void TimeMachine::showNow() {
  job_.forget();
  comparison_ = Comparison::Now;
  moment_.reset();
  wish();
}

void TimeMachine::pin(Pin pin, const Moment& moment) {
  slot(pin) = moment;
  pin_looks_[std::size_t(pin)].reset();
  job_.forget();
  wish();
}

void TimeMachine::unpin(Pin pin) {
  slot(pin).reset();
  pin_looks_[std::size_t(pin)].reset();
  const auto other = pin == Pin::A ? Comparison::B : Comparison::A;
  if (comparison_ != Comparison::Now && comparison_ != other) return compare(Comparison::Now);
  job_.forget();
  wish();
}

void TimeMachine::compare(Comparison comparison) {
  const bool a = comparison == Comparison::A || comparison == Comparison::Difference;
  const bool b = comparison == Comparison::B || comparison == Comparison::Difference;
  if ((a && !pinned(Pin::A)) || (b && !pinned(Pin::B))) return;
  job_.forget();
  comparison_ = comparison;
  wish();
}

const Moment* TimeMachine::shown() const {
  if (comparison_ == Comparison::Now) return moment_ ? &*moment_ : nullptr;
  if (comparison_ == Comparison::Difference) return &*pinned(later());
  return &*pinned(comparison_ == Comparison::B ? Pin::B : Pin::A);
}

Pin TimeMachine::later() const {
  const auto time = [this](Pin pin) {
    const Moment& moment = *pinned(pin);
    return std::pair(moment.step(), moment.events);
  };
  return time(Pin::A) > time(Pin::B) ? Pin::A : Pin::B;
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
  const bool difference = comparison_ == Comparison::Difference;
  Wish next;
  next.comparison = comparison_;
  next.watch = watch_;
  if (difference) {
    next.later = later();
    next.pins = pins_;
    next.watch.read = train::ReadAnswer::Right;
  } else {
    if (const Moment* moment = shown()) next.shown = *moment;
    const bool known = pin_looks_[0] && beside_ == watch_;
    if (comparison_ == Comparison::Now && beside_pin_ && !known) next.pins[0] = pinned(Pin::A);
  }
  const bool nothing = !next.shown && !next.pins[0] && !next.pins[1];
  if (nothing || watch_ == train::Watch{}) return job_.drop();
  job_.start([observer = observer_, next] { return look(*observer, next); },
             [this](const Look& look) { take(look); });
}

TimeMachine::Look TimeMachine::look(train::Observer& observer, const Wish& wish) {
  const auto keep = [&](Snapshot snapshot, const Moment& moment) {
    if (wish.watch.parameters) snapshot.state = moment.state;
    return std::make_shared<const Snapshot>(std::move(snapshot));
  };
  const auto see = [&](const Moment& moment) {
    return keep(observer.look(*moment.state, wish.watch), moment);
  };
  Look result;
  if (wish.comparison == Comparison::Difference) {
    const auto first = std::size_t(wish.later), second = 1 - first;
    const Moment& later = *wish.pins[first];
    const Moment& earlier = *wish.pins[second];
    result.pins[first] = see(later);
    // Both read the same input, so that they can be compared number by number.
    result.pins[second] =
        keep(observer.lookAlong(result.pins[first]->probe, *earlier.state, wish.watch), earlier);
    result.shown = std::make_shared<const Snapshot>(
        train::difference(*result.pins[first], *result.pins[second]));
    return result;
  }
  if (wish.shown) result.shown = see(*wish.shown);
  if (wish.comparison == Comparison::A) result.pins[0] = result.shown;
  if (wish.comparison == Comparison::B) result.pins[1] = result.shown;
  if (wish.pins[0]) {
    result.pins[0] = see(*wish.pins[0]);
    result.beside = wish.watch;
  }
  return result;
}

void TimeMachine::take(const Look& look) {
  for (std::size_t i = 0; i < pin_looks_.size(); ++i)
    if (look.pins[i]) pin_looks_[i] = look.pins[i];
  if (look.pins[0]) beside_ = look.beside;
  if (look.shown) emit looked(look.shown);
  if (look.beside) emit pinLooked();
}

}  // namespace tfm::ui
