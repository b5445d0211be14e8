// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent/QtConcurrentRun>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <utility>

namespace tfm::ui {

/// Runs `work` on another thread and `then` with its result on this one, unless `owner` is gone.
template <class Result>
QFuture<Result> inBackground(QObject* owner, std::function<Result()> work,
                             std::function<void(Result)> then) {
  const QFuture<Result> future = QtConcurrent::run(std::move(work));
  auto* watcher = new QFutureWatcher<Result>(owner);
  QObject::connect(watcher, &QFutureWatcher<Result>::finished, owner,
                   [watcher, then = std::move(then)] {
                     watcher->deleteLater();
                     then(watcher->result());
                   });
  watcher->setFuture(future);
  return future;
}

/// Runs jobs on another thread, one at a time, where only the newest matters: of those waiting, the
/// newest runs next and the others are dropped. Results are delivered on the thread of the owner,
/// of which this must be a member.
template <class Result>
class LatestJob {
 public:
  using Work = std::function<Result()>;
  using Then = std::function<void(Result)>;

  explicit LatestJob(QObject* owner) : owner_(owner) {}

  /// Calls `then` with the result of `work`, unless forget() is called first.
  void start(Work work, Then then) {
    next_ = Job{std::move(work), std::move(then)};
    if (!running_) begin();
  }
  /// Discards the results of the running and the waiting job. The next job starts when the running
  /// one has ended.
  void forget() {
    next_.reset();
    wanted_ = false;
  }
  /// Drops the waiting job.
  void drop() { next_.reset(); }
  /// Whether a result is still to come.
  bool isBusy() const { return (running_ && wanted_) || next_; }
  /// Waits at most this long for the running job and delivers its result at once if it finishes:
  /// most jobs take less than a frame, and two redraws in a row would flicker.
  void wait(std::chrono::milliseconds most) {
    if (!running_ || !wanted_ || !done_->try_acquire_for(most)) return;
    const Running job = *running_;
    finish(job, job.future.result());
  }

 private:
  struct Job {
    Work work;
    Then then;
  };
  struct Running {
    Then then;
    QFuture<Result> future;
  };

  void begin() {
    Job job = *std::exchange(next_, std::nullopt);
    done_ = std::make_shared<std::binary_semaphore>(0);
    wanted_ = true;
    running_ = Running{std::move(job.then), {}};
    running_->future = inBackground<Result>(
        owner_,
        [work = std::move(job.work), done = done_] {
          Result result = work();
          done->release();
          return result;
        },
        [this, done = done_](Result result) {
          if (running_ && done == done_) finish(*running_, std::move(result));
        });
  }
  void finish(Running job, Result result) {
    running_.reset();
    if (wanted_) job.then(std::move(result));
    if (!running_ && next_) begin();
  }

  QObject* owner_;
  std::optional<Job> next_;
  std::optional<Running> running_;
  std::shared_ptr<std::binary_semaphore> done_;  ///< of the running job
  bool wanted_ = false;                          ///< whether the running job's result is wanted
};

}  // namespace tfm::ui
