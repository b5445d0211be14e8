// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>

#include "core/base/error.h"

namespace tfm::expand {

/// Told how much of the work is done; false ends it with Cancelled. Called on the thread that asked
/// for the work, many times a second. Empty: nobody wants to know.
using Progress = std::function<bool(std::int64_t done, std::int64_t all)>;

/// What a Progress has ended. Everything is as it was.
class Cancelled : public Error {
 public:
  Cancelled() : Error("growing was cancelled", {}, "The model is as it was") {}
};

/// Work whose progress is told, done by this thread and others.
class Work {
 public:
  /// `progress` must outlive the work. `all`: what did() will add up to.
  Work(const Progress& progress, std::int64_t all)
      : progress_(progress), all_(all), owner_(std::this_thread::get_id()) {}

  /// So much more is done. Throws Cancelled where the rest is not wanted.
  void did(std::int64_t amount) {
    done_.fetch_add(amount, std::memory_order_relaxed);
    if (!isWanted()) throw Cancelled();
  }
  /// Whether the rest is still wanted; once it is not, no thread is told otherwise.
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
