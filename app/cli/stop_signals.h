// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace tfm::cli {

/// Holds Ctrl-C, requests to terminate and the end of the terminal back, in this thread and those
/// that it starts, as long as it lives: they can be waited for instead, and do not cost what is
/// still to be saved.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came within that time, if any.
  std::optional<int> waitFor(std::chrono::milliseconds time) const;

 private:
  sigset_t watched_;
  sigset_t before_;
};

}  // namespace tfm::cli
