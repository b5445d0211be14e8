// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/train/observer.h"

namespace tfm::train {

/// Looks inside copies of a model on a thread of its own, so that training waits for the copy only.
/// One look at a time; of those that wait, the newest comes next and the others are dropped.
class LookThread {
 public:
  /// A copy to look at; it needs no optimizer moments.
  struct Order {
    std::shared_ptr<const ModelState> state;
    Watch watch;
    AlignedVector<float> gradients;  ///< see Observer::look()
  };
  /// Called on the thread with each look that was not forgotten meanwhile.
  using Deliver = std::function<void(std::shared_ptr<const Snapshot>)>;

  LookThread(std::shared_ptr<const data::TextCodec> codec, Deliver deliver);
  /// Waits for the look under way.
  ~LookThread();
  LookThread(const LookThread&) = delete;
  LookThread& operator=(const LookThread&) = delete;

  void look(Order order);
  /// Delivers nothing of what was ordered so far.
  void forget();
  bool isIdle() const;
  /// How long the last look took.
  double seconds() const;

 private:
  void run();

  Observer observer_;  // touched by the thread only
  const Deliver deliver_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  std::optional<Order> next_;
  bool looking_ = false;
  bool wanted_ = false;  // the look under way was not forgotten
  bool stop_ = false;
  double seconds_ = 0.0;

  std::thread thread_;
};

}  // namespace tfm::train
