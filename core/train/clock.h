// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace tfm::train {

/// Seconds on a clock that never goes back, for differences.
inline double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

/// Ten times a second: often enough for a person who watches or cancels, too rare to cost anything.
class Pace {
 public:
  /// Whether a tenth of a second has passed since it last was.
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
