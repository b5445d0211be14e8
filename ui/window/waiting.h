// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QString>
#include <QWidget>
#include <QtConcurrent/QtConcurrentRun>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace tfm::ui {

/// Waits for work on another thread while the window is drawn and takes no click. Where it takes
/// long, a dialog says `what` is done and for how long. False: the user no longer waits for it.
bool waitFor(QWidget& window, const QString& what, const QFuture<void>& work);

/// Runs `work` on another thread and waits for it as above. Returns its result, or nothing if it
/// was not waited for: then the result is thrown away. Throws what `work` throws.
template <class Result>
std::optional<Result> waitedFor(QWidget& window, const QString& what,
                                std::function<Result()> work) {
  struct Outcome {
    std::optional<Result> result;
    std::exception_ptr problem;
  };
  const auto outcome = std::make_shared<Outcome>();
  const auto run = [outcome, work = std::move(work)] {
    try {
      outcome->result = work();
    } catch (...) {
      outcome->problem = std::current_exception();
    }
  };
  if (!waitFor(window, what, QtConcurrent::run(run))) return {};
  if (outcome->problem) std::rethrow_exception(outcome->problem);
  return std::move(outcome->result);
}

}  // namespace tfm::ui
