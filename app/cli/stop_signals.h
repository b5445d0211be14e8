// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace tfm::cli {

/// Blocks SIGINT (Ctrl-C), SIGTERM and SIGHUP (closed terminal) during its lifetime, in this thread
/// and those it starts, so that they can be waited for and results saved.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// Waits up to `time` for a signal and returns it, if any.
  std::optional<int> waitFor(std::chrono::milliseconds time) const;

 private:
  sigset_t watched_;
  sigset_t before_;
};

}  // namespace tfm::cli
