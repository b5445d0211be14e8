// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDeadlineTimer>
#include <QFutureWatcher>
#include <QObject>
#include <QThread>
#include <QtConcurrent>
#include <chrono>
#include <functional>
#include <utility>

namespace tfm::ui {

/// Runs `work` on another thread and `then` with its result on this one, unless `owner` is gone.
/// With patience, work that is done so soon is waited for, and `then` runs before this returns.
template <class Result>
QFuture<Result> inBackground(QObject* owner, std::function<Result()> work,
                             std::function<void(Result)> then,
                             std::chrono::milliseconds patience = {}) {
  const QFuture<Result> future = QtConcurrent::run(std::move(work));
  if (patience.count() > 0) {
    for (const QDeadlineTimer end(patience); !future.isFinished() && !end.hasExpired();)
      QThread::usleep(100);
    if (future.isFinished()) {
      then(future.result());
      return future;
    }
  }
  auto* watcher = new QFutureWatcher<Result>(owner);
  QObject::connect(watcher, &QFutureWatcher<Result>::finished, owner,
                   [watcher, then = std::move(then)] {
                     watcher->deleteLater();
                     then(watcher->result());
                   });
  watcher->setFuture(future);
  return future;
}

}  // namespace tfm::ui
