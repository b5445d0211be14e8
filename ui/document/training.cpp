// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/training.h"

#include <algorithm>
#include <utility>

#include "core/document/history.h"
#include "core/train/clock.h"

namespace tfm::ui {

void Training::open(train::Document document) {
  model_ = document.state.config;
  layout_ = document.state.layout;
  config_ = document.train;
  history_ = std::move(document.history);
  step_ = rate_step_ = document.state.step;
  running_ = false;
  rate_ = 0.0;
  run_.loop->setSpeed(speed_);
  setProfiled(profiled_);
}

void Training::play() { run_.task ? run_.loop->play() : wantTask(); }
void Training::moveToDevice() { run_.loop->moveToDevice(); }
void Training::pause() { run_.loop->pause(); }
void Training::stepOnce() { run_.task ? run_.loop->stepOnce() : wantTask(); }

void Training::note(train::EventKind kind, const QString& text) {
  run_.loop->note(kind, text.toStdString());
}

void Training::setSpeed(double steps_a_second) {
  speed_ = steps_a_second;
  if (run_.loop) run_.loop->setSpeed(steps_a_second);
}

void Training::setProfiled(bool profiled) {
  profile_.reset();
  if (run_.loop && (profiled || profiled_)) run_.loop->setProfiled(profiled);
  profiled_ = profiled;
}

void Training::setConfig(const train::TrainConfig& config) {
  train::validate(config);
  if (run_.task && (config.batch_size != config_.batch_size || config.nesting != config_.nesting))
    train::Trainer::requireMemory(model_, *run_.task, config.batch_size, threads_, config.nesting);
  run_.loop->setConfig(config);
  config_ = config;
  emit edited();
  emit configChanged();
}

void Training::replace(const train::Replacement& replacement) {
  model_ = replacement.config;
  layout_ = replacement.layout;
  history_ = replacement.history;
  step_ = rate_step_ = replacement.step;
}

void Training::emitReplaced(const train::Replacement& replacement) {
  emit edited();
  train::TrainConfig config = replacement.training.value_or(config_);
  config.seed = replacement.seed;
  if (!(config == config_)) {
    config_ = config;
    emit configChanged();
  }
  emit rewound();
}

void Training::takeSteps(const train::LoopNews& news) {
  const auto first = int(history_.steps.size());
  const auto first_evaluation = int(history_.evaluations.size());
  history_.steps.insert(history_.steps.end(), news.steps.begin(), news.steps.end());
  history_.evaluations.insert(history_.evaluations.end(), news.evaluations.begin(),
                              news.evaluations.end());
  step_ = news.step;
  device_ = QString::fromStdString(news.device);
  if (const double passed = train::now() - rate_since_; passed >= 0.5) {
    rate_ = news.running ? double(std::max<std::int64_t>(0, step_ - rate_step_)) / passed : 0.0;
    rate_since_ = train::now();
    rate_step_ = step_;
  }
  if (!news.steps.empty() || !news.evaluations.empty()) {
    emit edited();
    emit measured(first, first_evaluation);
  }
  if (news.profile && profiled_) {
    profile_ = news.profile;
    emit profileChanged();
  }
  if (news.running == running_) return;
  running_ = news.running;
  if (!running_) rate_ = 0.0;
  emit runningChanged(running_);
}

void Training::takeEvents(const train::LoopNews& news) {
  for (const train::HistoryEvent& event : news.history_events) addEvent(history_, event);
  if (!news.history_events.empty()) {
    emit edited();
    emit flagged();
  }
  for (const train::LoopEvent& event : news.events) handle(event);
}

void Training::handle(const train::LoopEvent& event) {
  const QString text = QString::fromStdString(event.text);
  switch (event.kind) {
    case train::LoopEvent::Kind::StopRule:
      emit stopped(text);
      break;
    case train::LoopEvent::Kind::Diverged:
      emit diverged(text, event.good_step.has_value());
      break;
    case train::LoopEvent::Kind::DeviceFull:
      emit deviceFull(text);
      break;
    case train::LoopEvent::Kind::Failed:
      emit failed(text);
      break;
  }
}

}  // namespace tfm::ui
