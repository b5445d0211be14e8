// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/background_study.h"

namespace tfm::ui {

void BackgroundStudy::abandon() {
  abandoned_ = isRunning();
  job_.stop();
  problem_.reset();
  emit advanced();
}

void BackgroundStudy::begin(std::function<Take(const Tell&)> work) {
  problem_.reset();
  progress_ = 0.0;
  abandoned_ = false;
  clock_.start();
  const auto run = [this, work = std::move(work)](LatestJob::Run& job) -> Take {
    const auto tell = [&](double share, Take take) {
      job.tell([this, share, take = std::move(take)] {
        if (abandoned_) return;
        progress_ = share;
        take();
        emit advanced();
      });
      return !job.stopped;
    };
    Take take = [] {};
    const std::optional<Error> problem = problemOf([&] { take = work(tell); });
    return [this, take, problem] {
      if (!abandoned_) {
        take();
        problem_ = problem;
      }
      emit finished();
    };
  };
  job_.startOn([this](std::function<void()> job) { thread_.start(std::move(job)); }, run);
}

std::optional<double> BackgroundStudy::secondsLeft() const {
  if (!isRunning() || progress_ <= 0.0) return std::nullopt;
  return double(clock_.nsecsElapsed()) / 1e9 * (1.0 - progress_) / progress_;
}

}  // namespace tfm::ui
