// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>

#include "app/cli/stop_signals.h"
#include "core/train/metrics.h"

namespace tfm::cli {

/// "12 s", "3 min 20 s", "2 h 05 min".
std::string durationText(double seconds);

/// A line with the progress of training. Silent if standard error is not a terminal.
class ProgressLine {
 public:
  /// `last_step`: the last possible step of training.
  explicit ProgressLine(std::int64_t last_step);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void clear();
  void show(std::span<const train::StepMetrics> new_steps);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_;
  std::int64_t last_step_;
  std::int64_t steps_ = 0;  // since begin_
  Clock::time_point begin_ = Clock::now();
};

/// A line with the share of a long task that is done and the time left.
class ShareLine {
 public:
  void clear() const;
  void show(double share);

 private:
  using Clock = std::chrono::steady_clock;

  double first_ = 0.0;  ///< what had been done before, or at once
  Clock::time_point begin_ = Clock::now();
};

/// A long work whose share is shown, and which a signal ends.
class LongWork {
 public:
  explicit LongWork(const StopSignals& signals) : signals_(signals) {}

  /// To be called with the share that is done. False once a signal has come.
  bool goOn(double share);
  /// Which signal has ended it; 0: none.
  int signal() const { return signal_; }
  void clearLine() const { line_.clear(); }

 private:
  const StopSignals& signals_;
  ShareLine line_;
  int signal_ = 0;
};

}  // namespace tfm::cli
