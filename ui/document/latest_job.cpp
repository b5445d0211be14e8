// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/latest_job.h"

#include <QThreadPool>
#include <algorithm>
#include <exception>

namespace tfm::ui {
namespace {

/// Qt's pool has as many threads as there are cores. With two, a growth's proof and the measurement
/// of a submodel would keep the outlines of another screen waiting for many seconds.
QThreadPool& pool() {
  static constexpr int kJobs = 32;  // more than there are
  static QThreadPool* const pool = [] {
    QThreadPool* all = QThreadPool::globalInstance();
    all->setMaxThreadCount(std::max(all->maxThreadCount(), kJobs));
    return all;
  }();
  return *pool;
}

}  // namespace

void LatestJob::startOn(Starter starter, Work work) {
  next_ = Job{std::move(starter), std::move(work)};
  if (!run_) begin();
}

void LatestJob::stop() {
  drop();
  if (run_) run_->stopped = true;
}

void LatestJob::forget() {
  stop();
  wanted_ = false;
}

void LatestJob::wait(std::chrono::milliseconds most) {
  if (run_ && wanted_ && run_->has_result_.try_acquire_for(most)) finish();
}

void LatestJob::begin() {
  Job job = *std::exchange(next_, std::nullopt);
  run_ = std::make_shared<Run>();
  wanted_ = true;
  // If the job is destroyed unstarted, the promise is too, which ends the run.
  const auto promise = std::make_shared<QPromise<News>>();
  auto* watcher = new QFutureWatcher<News>(owner_);
  QObject::connect(watcher, &QFutureWatcherBase::resultReadyAt, owner_,
                   [this, watcher, run = run_](int index) {
                     if (run == run_ && wanted_) watcher->resultAt(index)();
                   });
  QObject::connect(watcher, &QFutureWatcherBase::finished, owner_, [this, watcher, run = run_] {
    watcher->deleteLater();
    if (run == run_) finish();
  });
  watcher->setFuture(promise->future());
  auto all = [run = run_, promise, work = std::move(job.work)] {
    promise->start();
    run->promise_ = promise.get();
    try {
      run->result_ = work(*run);
    } catch (...) {  // thrown where the result would be delivered
      run->result_ = [problem = std::current_exception()] { std::rethrow_exception(problem); };
    }
    run->has_result_.release();
    promise->finish();
  };
  if (job.starter)
    job.starter(std::move(all));
  else
    pool().start(std::move(all));
}

void LatestJob::finish() {
  const std::shared_ptr<Run> run = std::exchange(run_, nullptr);
  if (wanted_ && run->result_) run->result_();
  if (!run_ && next_) begin();
}

}  // namespace tfm::ui
