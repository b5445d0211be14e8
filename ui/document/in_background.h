// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent/QtConcurrentRun>
#include <functional>
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

}  // namespace tfm::ui
