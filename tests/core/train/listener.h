// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDeadlineTimer>
#include <QThread>
#include <algorithm>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/live/training_loop.h"

namespace tfm::test {

/// Reads what a loop says and keeps it, as a window does.
class Listener {
 public:
  explicit Listener(train::TrainingLoop& loop) : loop_(loop) {}

  /// Reads until `done()` holds; false where that takes longer than a minute.
  template <class Done>
  bool until(const Done& done) {
    const QDeadlineTimer deadline(60'000);
    for (;;) {
      read();
      if (done()) return true;
      if (deadline.hasExpired()) return false;
      QThread::msleep(1);
    }
  }
  /// Reads until all commands so far are done.
  bool untilCommandsAreDone() {
    bool done = false;
    auto document = loop_.document();
    document.wait();
    return until([&] { return std::exchange(done, true); });
  }

  void read() {
    train::LoopNews news = loop_.drain();
    if (news.replaced) {
      history = news.replaced->history;
      replaced = news.replaced;
    }
    append(news.steps, history.steps);
    append(news.evaluations, history.evaluations);
    append(news.history_events, history.events);
    append(news.events, events);
    if (news.moments) moments = std::move(*news.moments);
    if (news.snapshot) {
      snapshot = std::move(news.snapshot);
      ++snapshots;
    }
    if (news.profile) profile = std::move(news.profile);
    step = news.step;
    running = news.running;
  }

  train::History history;
  std::vector<train::LoopEvent> events;
  std::vector<train::Moment> moments;
  std::shared_ptr<const train::Replacement> replaced;  ///< the newest
  std::shared_ptr<const train::Snapshot> snapshot;     ///< the newest
  std::shared_ptr<const train::Profile> profile;       ///< the newest
  int snapshots = 0;                                   ///< that were read
  std::int64_t step = 0;
  bool running = false;

 private:
  template <class Item>
  static void append(const std::vector<Item>& news, std::vector<Item>& all) {
    all.insert(all.end(), news.begin(), news.end());
  }

  train::TrainingLoop& loop_;
};

/// Continues with another model; `history`: by default the current one.
inline std::future<train::Exchange> replaceModel(train::TrainingLoop& loop, ModelState state,
                                                 std::optional<train::History> history = {}) {
  const auto next = [shared = std::make_shared<const ModelState>(std::move(state)),
                     history = std::move(history)](const train::Present& before) {
    return train::Present{shared, history.value_or(before.history), {}};
  };
  const auto done = std::make_shared<std::promise<train::Exchange>>();
  loop.exchange(next, [done](const train::Exchange& exchange) { done->set_value(exchange); });
  return done->get_future();
}

}  // namespace tfm::test
