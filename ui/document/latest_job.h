// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QObject>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <utility>

#include "ui/document/in_background.h"

namespace tfm::ui {

/// Work on another thread of which only the newest counts: one job at a time, and of those that
/// wait for its end, the newest comes next and the others are dropped. Results come to the thread
/// of the owner, whose member this is.
template <class Result>
class LatestJob {
 public:
  using Work = std::function<Result()>;
  using Then = std::function<void(Result)>;

  explicit LatestJob(QObject* owner) : owner_(owner) {}

  /// `then` is called with what `work` returns, unless forget() is called before.
  void start(Work work, Then then) {
    next_ = Job{std::move(work), std::move(then)};
    if (!running_) begin();
  }
  /// The job under way and the one that waits tell nothing. What is begun next waits for its end.
  void forget() {
    next_.reset();
    wanted_ = false;
  }
  /// The one that waits is not needed any more.
  void drop() { next_.reset(); }
  /// Whether a result is still to come.
  bool isBusy() const { return (running_ && wanted_) || next_; }
  /// Waits so long for the job under way and tells its result at once if that suffices: most are
  /// done sooner than the screen is drawn, and two pictures in a row would flicker.
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
  std::shared_ptr<std::binary_semaphore> done_;  ///< of the job under way
  bool wanted_ = false;                          ///< the job under way
};

}  // namespace tfm::ui
