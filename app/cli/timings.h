// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <vector>

#include "core/base/median.h"

namespace tfm::cli {

/// Times of repeated work.
class Timings {
 public:
  template <class Work>
  void time(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    seconds_.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }

  /// The median in seconds of at least one time.
  double median() const { return tfm::median(seconds_); }

 private:
  std::vector<double> seconds_;
};

}  // namespace tfm::cli
