// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace tfm::cli {

/// Holds Ctrl-C and requests to terminate back, in this thread and those that it starts, until
/// release(): they can be waited for instead. From then on they end the program as usual.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came within that time, if any.
  std::optional<int> waitFor(std::chrono::milliseconds time) const;
  void release();

 private:
  sigset_t watched_;
  sigset_t before_;
  bool holding_ = true;
};

}  // namespace tfm::cli
