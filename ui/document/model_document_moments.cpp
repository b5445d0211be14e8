// SPDX-License-Identifier: GPL-3.0-or-later
// What a document shows of other moments than the present, which training goes on with meanwhile.
#include <algorithm>
#include <utility>

#include "core/train/history.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

using train::Moment;

const ModelConfig& ModelDocument::model() const {
  return time_.showsNow() ? model_ : time_.shown()->state->config;
}

const ParameterLayout& ModelDocument::layout() const {
  return time_.showsNow() ? layout_ : time_.shown()->state->layout;
}

std::int64_t ModelDocument::shownStep() const {
  return time_.showsNow() ? step_ : time_.shown()->step();
}

std::optional<std::int64_t> ModelDocument::pinnedStep(Pin slot) const {
  const auto& moment = time_.pinned(slot);
  return moment ? std::optional(moment->step()) : std::nullopt;
}

void ModelDocument::travel(const std::function<void()>& move) {
  const ModelConfig before = model();
  const bool was_now = time_.showsNow();
  move();
  if (!(model() == before)) {
    snapshot_.reset();
    emit shapeChanged();
  }
  if (was_now != time_.showsNow()) sendWatch();
  emit momentChanged();
}

void ModelDocument::showMomentAt(std::size_t index) {
  if (index >= moments().size()) return;
  const Moment moment = moments()[index];
  const bool same =
      comparison() == Comparison::Now && !time_.showsNow() && time_.shown()->state == moment.state;
  if (!same) travel([&] { time_.show(moment); });
}

void ModelDocument::showMoment(std::int64_t step) {
  const auto& all = moments();
  if (all.empty()) return;
  const auto later = [](std::int64_t s, const Moment& m) { return s < m.step(); };
  const auto after = std::upper_bound(all.begin(), all.end(), step, later);
  showMomentAt(after == all.begin() ? 0 : std::size_t(after - all.begin()) - 1);
}

void ModelDocument::stepMoment(int by) {
  const auto& all = moments();
  if (all.empty()) return;
  std::int64_t at = std::int64_t(all.size());  // the present, behind all moments
  if (const Moment* shown = time_.shown()) {
    const auto later = [&](const Moment& m) {
      return std::pair(m.step(), m.events) > std::pair(shown->step(), shown->events);
    };
    at = std::find_if(all.begin(), all.end(), later) - all.begin() - 1;
  } else if (all.back().step() == step_) {
    --at;  // the newest moment is the present itself
  }
  if (at + by >= std::int64_t(all.size())) return showNow();
  showMomentAt(std::size_t(std::max<std::int64_t>(0, at + by)));
}

void ModelDocument::showNow() {
  if (time_.showsNow()) return;
  travel([this] { time_.showNow(); });
}

void ModelDocument::pin(Pin slot) {
  if (const Moment* shown = time_.shown()) return pinMoment(slot, *shown);
  // Called on the loop's thread, which ends before this object does.
  loop_->keepMoment([this, slot, opening = openings_](const Moment& moment) {
    const auto pass = [this, slot, opening, moment] {
      if (opening == openings_) pinMoment(slot, moment);
    };
    QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
  });
}

void ModelDocument::pin(Pin slot, std::int64_t step) {
  const auto distance = [step](const Moment& m) { return std::abs(m.step() - step); };
  const auto nearest =
      std::min_element(moments().begin(), moments().end(),
                       [&](const Moment& a, const Moment& b) { return distance(a) < distance(b); });
  if (nearest != moments().end()) pinMoment(slot, Moment(*nearest));
}

void ModelDocument::pinMoment(Pin slot, const Moment& moment) {
  travel([&] { time_.pin(slot, moment); });
  sendWatch();
  emit pinsChanged();
}

void ModelDocument::unpin(Pin slot) {
  travel([&] { time_.unpin(slot); });
  sendWatch();
  emit pinsChanged();
}

void ModelDocument::setComparison(Comparison comparison) {
  if (comparison == time_.comparison()) return;
  travel([&] { time_.compare(comparison); });
}

void ModelDocument::continueFromMoment(Done done) {
  if (!time_.canContinue()) return;
  const Moment moment = *time_.shown();
  const QString label = tr("Going back to step %1").arg(moment.step());
  const auto next = [moment, text = label.toStdString()](const train::Present& before) {
    train::Present after{moment.state, before.history, {}};
    forgetAfter(after.history, moment.step());
    auto& events = after.history.events;
    events.resize(std::min(events.size(), std::size_t(moment.events)));
    addEvent(after.history, {moment.step(), train::EventKind::Restored, text});
    return after;
  };
  showNow();
  change(label, next, std::move(done));
}

void ModelDocument::setMomentBudget(std::int64_t bytes) {
  moment_bytes_ = bytes;
  if (loop_) loop_->setMomentBudget(bytes);
}

void ModelDocument::takeMoments(std::vector<Moment> moments) {
  time_.setMoments(std::move(moments));
  emit momentsChanged();
}

void ModelDocument::takeLook(std::shared_ptr<const train::Snapshot> snapshot) {
  snapshot_ = std::move(snapshot);
  emit snapshotChanged();
}

}  // namespace tfm::ui
