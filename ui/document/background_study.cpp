// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/background_study.h"

namespace tfm::ui {

void BackgroundStudy::giveUp() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
}

void BackgroundStudy::abandon() {
  problem_.reset();
  cancelled_ = abandoned_ = running_;
  emit advanced();
}

void BackgroundStudy::begin(std::function<Take(const Tell&)> work) {
  problem_.reset();
  progress_ = 0.0;
  cancelled_ = abandoned_ = false;
  running_ = true;
  clock_.start();
  thread_ = std::thread([this, work = std::move(work)] { this->work(work); });
}

std::optional<double> BackgroundStudy::secondsLeft() const {
  if (!running_ || progress_ <= 0.0) return std::nullopt;
  return double(clock_.nsecsElapsed()) / 1e9 * (1.0 - progress_) / progress_;
}

void BackgroundStudy::work(const std::function<Take(const Tell&)>& work) {
  const auto tell = [this](double share, Take take) {
    const auto news = [this, share, take = std::move(take)] {
      if (abandoned_) return;
      progress_ = share;
      take();
      emit advanced();
    };
    QMetaObject::invokeMethod(this, news, Qt::QueuedConnection);
    return !cancelled_;
  };
  Take take = [] {};
  const std::optional<Error> problem = problemOf([&] { take = work(tell); });
  QMetaObject::invokeMethod(
      this, [this, take, problem] { finish(take, problem); }, Qt::QueuedConnection);
}

void BackgroundStudy::finish(const Take& take, const std::optional<Error>& problem) {
  thread_.join();
  running_ = false;
  if (!abandoned_) {
    take();
    problem_ = problem;
  }
  emit finished();
}

}  // namespace tfm::ui
