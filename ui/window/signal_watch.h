// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <functional>
#include <memory>

#include "ui/forward.h"

namespace tfm::ui {

/// Delivers termination signals (SIGTERM, SIGINT, and SIGHUP unless ignored, as by nohup) in the
/// event loop instead of ending the program. Must be created before any other thread.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// Calls `handler` with the signal number on this thread. Needs the QApplication.
  void listen(std::function<void(int signal)> handler);

 private:
  sigset_t before_;
  int descriptor_;
  std::unique_ptr<QSocketNotifier> notifier_;
};

}  // namespace tfm::ui
