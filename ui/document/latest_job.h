// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QFutureWatcher>
#include <QObject>
#include <QPromise>
#include <QtConcurrent/QtConcurrentRun>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <semaphore>
#include <type_traits>
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

/// What a job and its owner, on two threads, share.
struct JobState {
  std::atomic<bool> stopped = false;  ///< the job should end soon
  std::atomic<double> done = 0.0;     ///< of 1
};

/// Runs jobs on another thread, one at a time, where only the newest matters: of those waiting, the
/// newest runs next and the others are dropped. Jobs of others do not keep one waiting. Results are
/// delivered on the thread of the owner, of which this must be a member. Destroying it forgets the
/// running job.
class LatestJob {
 public:
  /// What to do on the owner's thread; may be empty.
  using News = std::function<void()>;

  /// A running job, for the thread that works on it.
  class Run : public JobState {
   public:
    /// Calls `news` on the owner's thread, unless forget() is called first.
    void tell(News news) { promise_->addResult(std::move(news)); }

   private:
    friend class LatestJob;

    QPromise<News>* promise_ = nullptr;  ///< while it runs
    News result_;
    std::binary_semaphore has_result_{0};
  };
  /// Returns the last news.
  using Work = std::function<News(Run&)>;
  /// Starts its argument on another thread. If it cannot, it destroys it.
  using Starter = std::function<void(std::function<void()>)>;

  explicit LatestJob(QObject* owner) : owner_(owner) {}
  ~LatestJob() { forget(); }
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  /// Runs `work` by means of `starter`.
  void startOn(Starter starter, Work work);
  /// Runs `work`, which may take a Run&, on a thread of the pool, and calls `then` with its result.
  template <class Call, class Then>
  void start(Call work, Then then) {
    startOn({}, [work = std::move(work), then = std::move(then)](Run& run) -> News {
      const auto call = [&] {
        if constexpr (std::is_invocable_v<const Call&, Run&>)
          return work(run);
        else
          return work();
      };
      return
          [then, result = std::make_shared<decltype(call())>(call())] { then(std::move(*result)); };
    });
  }

  /// Asks the running job to end soon and drops the waiting one. The result still comes.
  void stop();
  /// The same, and no news come any more. The next job starts when the running one has ended.
  void forget();
  /// Drops the waiting job.
  void drop() { next_.reset(); }

  /// Whether a result is still to come.
  bool isBusy() const { return (run_ && wanted_) || next_; }
  /// Whether the pending result is from a stopped job.
  bool isEnding() const { return run_ && wanted_ && run_->stopped; }
  /// Of the running job, from 0 to 1.
  double progress() const { return run_ && wanted_ ? run_->done.load() : 0.0; }
  /// Waits at most this long for the running job and delivers its result at once if it finishes:
  /// most jobs take less than a frame, and two redraws in a row would flicker.
  void wait(std::chrono::milliseconds most);

 private:
  struct Job {
    Starter starter;
    Work work;
  };

  void begin();
  void finish();

  QObject* owner_;
  std::optional<Job> next_;
  std::shared_ptr<Run> run_;  ///< null if none is running
  bool wanted_ = false;       ///< whether its news are wanted
};

}  // namespace tfm::ui
