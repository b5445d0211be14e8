// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/ask/observer.h"
#include "core/train/trainer.h"

namespace tfm::train {

/// Observes copies of a model on its own thread, so that training waits only for the copy. One look
/// at a time; of the pending ones only the newest is kept.
class LookThread {
 public:
  /// A copy to observe. Its download is awaited on the look thread, not by the caller.
  struct Order {
    LateState state;
    Watch watch;
    LateDownload<float> gradients;  ///< see Observer::look()
  };
  /// Called on the thread with each result that was not forgotten.
  using Deliver = std::function<void(std::shared_ptr<const Snapshot>)>;

  LookThread(std::shared_ptr<const data::TextCodec> codec, Deliver deliver);
  /// Waits for the current look.
  ~LookThread();
  LookThread(const LookThread&) = delete;
  LookThread& operator=(const LookThread&) = delete;

  void look(Order order);
  /// Drops all looks ordered so far.
  void forget();
  bool isIdle() const;
  /// The duration of the last look.
  double seconds() const;

 private:
  void run();

  Observer observer_;  // used by the thread only
  const Deliver deliver_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::optional<Order> next_;
  bool looking_ = false;
  bool wanted_ = false;  // the current look was not forgotten
  bool stop_ = false;
  double seconds_ = 0.0;

  std::thread thread_;
};

}  // namespace tfm::train
