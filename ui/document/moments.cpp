// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/moments.h"

#include <algorithm>
#include <utility>

namespace tfm::ui {

using train::Moment;

using Shown = train::WindowState::Shown;

void Moments::open(const train::WindowState& window) {
  moments_ = window.moments;
  moment_.reset();
  if (window.shown == Shown::Moment) moment_ = window.moments[std::size_t(window.moment)];
  pins_ = window.pins;
  left_.clear();
  for (std::size_t slot = 0; slot < pins_.size(); ++slot)
    if (window.left[slot] && pins_[slot]) left_.push_back(pins_[slot]->state);
  comparison_ = Comparison::Now;
  if (window.shown == Shown::A) setComparison(Comparison::A);
  if (window.shown == Shown::B) setComparison(Comparison::B);
  if (window.shown == Shown::Difference) setComparison(Comparison::Difference);
}

void Moments::keepIn(train::WindowState& window) const {
  window.moments = moments_;
  window.pins = pins_;
  for (const Pin slot : kPins)
    window.left[std::size_t(slot)] = pinned(slot) && isLeft(*pinned(slot));
  const std::array shown{moment_ ? Shown::Moment : Shown::Present, Shown::A, Shown::B,
                         Shown::Difference};
  window.shown = shown[std::size_t(comparison_)];
  if (window.shown != Shown::Moment) return;
  const auto same = [&](const Moment& m) { return m.state == moment_->state; };
  const auto found = std::ranges::find_if(window.moments, same);
  window.moment = found - window.moments.begin();
  if (found == window.moments.end()) window.shown = Shown::Present;  // it was thinned out since
}

const ModelConfig& Moments::model() const {
  return showsNow() ? training_.model() : shown()->state->config;
}

const ParameterLayout& Moments::layout() const {
  return showsNow() ? training_.layout() : shown()->state->layout;
}

std::int64_t Moments::shownStep() const { return showsNow() ? training_.step() : shown()->step(); }

std::optional<std::int64_t> Moments::pinnedStep(Pin slot) const {
  const auto& moment = pinned(slot);
  return moment ? std::optional(moment->step()) : std::nullopt;
}

void Moments::travel(const std::function<void()>& move) {
  const ModelConfig before = model();
  move();
  if (!(model() == before)) emit shapeChanged();
  emit momentChanged();
}

void Moments::continueWith(const train::Replacement& replacement,
                           const std::function<void()>& replace) {
  travel([&] {
    replace();
    leaveBranch(replacement.common_step, replacement.common_events);
  });
}

void Moments::showAt(std::size_t index) {
  if (index >= all().size()) return;
  const Moment moment = all()[index];
  const bool same =
      comparison() == Comparison::Now && !showsNow() && shown()->state == moment.state;
  if (same) return;
  travel([&] {
    comparison_ = Comparison::Now;
    moment_ = moment;
  });
}

void Moments::show(std::int64_t step) {
  if (all().empty()) return;
  const auto later = [](std::int64_t s, const Moment& m) { return s < m.step(); };
  const auto after = std::upper_bound(all().begin(), all().end(), step, later);
  // Where none is kept so early, the first one; if that is the present itself, it has no past.
  if (after == all().begin() && all().front().step() == training_.step()) return showNow();
  showAt(after == all().begin() ? 0 : std::size_t(after - all().begin()) - 1);
}

void Moments::moveBy(int moments) {
  if (all().empty()) return;
  std::int64_t at = std::int64_t(all().size());  // the present, after all moments
  if (shown() != nullptr) {
    const auto later = [this](const Moment& m) {
      return std::pair(m.step(), m.events) > std::pair(shown()->step(), shown()->events);
    };
    at = std::find_if(all().begin(), all().end(), later) - all().begin() - 1;
  } else if (all().back().step() == training_.step()) {
    --at;  // the newest moment is the present itself
  }
  if (at + moments >= std::int64_t(all().size())) return showNow();
  showAt(std::size_t(std::max<std::int64_t>(0, at + moments)));
}

void Moments::showNow() {
  if (showsNow()) return;
  travel([this] {
    moment_.reset();
    setComparison(Comparison::Now);
  });
}

void Moments::pin(Pin slot) {
  if (shown() != nullptr) return pin(slot, Moment(*shown()));
  run_.loop->keepMoment(
      run_.passed<Moment>(this, [this, slot](const Moment& moment) { pin(slot, moment); }));
}

void Moments::pin(Pin slot, std::int64_t step) {
  const auto distance = [step](const Moment& m) { return std::abs(m.step() - step); };
  const auto nearest = std::ranges::min_element(all(), {}, distance);
  if (nearest != all().end()) pin(slot, Moment(*nearest));
}

void Moments::pin(Pin slot, const Moment& moment) {
  travel([&] { pins_[std::size_t(slot)] = moment; });
  emit pinsChanged();
}

void Moments::unpin(Pin slot) {
  travel([&] {
    pins_[std::size_t(slot)].reset();
    const Comparison other = slot == Pin::A ? Comparison::B : Comparison::A;
    setComparison(comparison_ == other ? other : Comparison::Now);
  });
  emit pinsChanged();
}

void Moments::compare(Comparison comparison) {
  if (comparison != comparison_) travel([&] { setComparison(comparison); });
}

void Moments::take(std::vector<Moment> moments) {
  moments_ = std::move(moments);
  // Moments of another branch belong to this training again if they are among these.
  if (!left_.empty())
    for (const Moment& moment : moments_) std::erase(left_, moment.state);
  emit momentsChanged();
}

void Moments::leaveBranch(std::int64_t step, std::int64_t events) {
  const auto later = [&](const Moment& m) { return m.step() > step || m.events > events; };
  for (const auto& pin : pins_)
    if (pin && later(*pin)) left_.push_back(pin->state);
  if (!moment_ || !later(*moment_)) return;
  moment_.reset();
  if (comparison_ == Comparison::Now) setComparison(Comparison::Now);
}

void Moments::setComparison(Comparison comparison) {
  const bool a = comparison == Comparison::A || comparison == Comparison::Difference;
  const bool b = comparison == Comparison::B || comparison == Comparison::Difference;
  if ((a && !pinned(Pin::A)) || (b && !pinned(Pin::B))) return;
  comparison_ = comparison;
}

const Moment* Moments::shown() const {
  if (comparison_ == Comparison::Now) return moment_ ? &*moment_ : nullptr;
  if (comparison_ == Comparison::Difference) return &*pinned(laterPin());
  return &*pinned(comparison_ == Comparison::B ? Pin::B : Pin::A);
}

const Moment* Moments::subtracted() const {
  if (comparison_ != Comparison::Difference) return nullptr;
  return &*pinned(laterPin() == Pin::A ? Pin::B : Pin::A);
}

Pin Moments::laterPin() const {
  const auto time = [this](Pin pin) {
    const Moment& moment = *pinned(pin);
    return std::pair(moment.step(), moment.events);
  };
  return time(Pin::A) > time(Pin::B) ? Pin::A : Pin::B;
}

bool Moments::canContinue() const {
  const Moment* moment = shown();
  return moment != nullptr && comparison_ != Comparison::Difference && !isLeft(*moment);
}

bool Moments::isLeft(const Moment& moment) const {
  return std::find(left_.begin(), left_.end(), moment.state) != left_.end();
}

}  // namespace tfm::ui
