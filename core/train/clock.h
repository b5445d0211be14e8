// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace tfm::train {

/// Seconds on a monotonic clock.
inline double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Limits something to ten times a second: responsive for users at negligible cost.
class RateLimiter {
 public:
  /// Whether 0.1 s have passed since it last returned true.
  bool isDue() {
    const double time = now();
    if (time < next_) return false;
    next_ = time + 0.1;
    return true;
  }

 private:
  double next_ = 0.0;
};

}  // namespace tfm::train
