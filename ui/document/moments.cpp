// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/moments.h"

#include <algorithm>
#include <utility>

namespace tfm::ui {

using train::Moment;

Moments::Moments(OpenRun& run, Training& training) : run_(run), training_(training) {
  connect(&time_, &TimeMachine::looked, this, &Moments::looked);
  connect(&time_, &TimeMachine::pinLooked, this, &Moments::pinLooked);
}

void Moments::open() {
  time_.open(run_.codec);
  if (budget_) run_.loop->setMomentBudget(*budget_);
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
    time_.leaveBranch(replacement.common_step, replacement.common_events);
  });
}

void Moments::showAt(std::size_t index) {
  if (index >= all().size()) return;
  const Moment moment = all()[index];
  const bool same =
      comparison() == Comparison::Now && !showsNow() && shown()->state == moment.state;
  if (!same) travel([&] { time_.show(moment); });
}

void Moments::show(std::int64_t step) {
  if (all().empty()) return;
  const auto later = [](std::int64_t s, const Moment& m) { return s < m.step(); };
  const auto after = std::upper_bound(all().begin(), all().end(), step, later);
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
  if (!showsNow()) travel([this] { time_.showNow(); });
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
  travel([&] { time_.pin(slot, moment); });
  emit pinsChanged();
}

void Moments::unpin(Pin slot) {
  travel([&] { time_.unpin(slot); });
  emit pinsChanged();
}

void Moments::compare(Comparison comparison) {
  if (comparison != time_.comparison()) travel([&] { time_.compare(comparison); });
}

void Moments::setBudget(std::int64_t bytes) {
  budget_ = bytes;
  if (run_.loop) run_.loop->setMomentBudget(bytes);
}

void Moments::take(std::vector<Moment> moments) {
  time_.setMoments(std::move(moments));
  emit momentsChanged();
}

}  // namespace tfm::ui
