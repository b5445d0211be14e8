// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

#include "core/base/error.h"

namespace tfm::expand {

/// Receives how much of the work is done; returns false to cancel it. Called many times per second,
/// on the thread that started the work. May be empty.
using Progress = std::function<bool(std::int64_t done, std::int64_t all)>;

/// Thrown if a Progress returned false. Nothing has changed.
class Cancelled : public Error {
 public:
  Cancelled() : Error("growing was cancelled", {}, "The model is unchanged") {}
};

/// Reports the progress of work done by this thread and others.
class Work {
 public:
  /// `progress` must outlive this object. `all`: the sum of all advance().
  Work(const Progress& progress, std::int64_t all)
      : progress_(progress), all_(all), owner_(std::this_thread::get_id()) {}

  /// Adds to the work done. Throws Cancelled if it was cancelled.
  void advance(std::int64_t amount) {
    done_.fetch_add(amount, std::memory_order_relaxed);
    if (!isWanted()) throw Cancelled();
  }
  /// Whether the work was not cancelled. Thread-safe.
  bool isWanted() {
    const bool asks = progress_ && std::this_thread::get_id() == owner_;
    if (asks && !progress_(done_.load(std::memory_order_relaxed), all_))
      ended_.store(true, std::memory_order_relaxed);
    return !ended_.load(std::memory_order_relaxed);
  }

 private:
  const Progress& progress_;
  const std::int64_t all_;
  const std::thread::id owner_;
  std::atomic<std::int64_t> done_ = 0;
  std::atomic<bool> ended_ = false;
};

}  // namespace tfm::expand
