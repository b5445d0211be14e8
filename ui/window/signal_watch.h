// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <functional>
#include <memory>

class QSocketNotifier;

namespace tfm::ui {

/// Tells of requests to end (SIGTERM, SIGINT, and SIGHUP unless it is ignored, as nohup does)
/// between two events instead of ending the program. Made before any other thread is.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  /// `told` is called with the signal's number on this thread. Needs the application.
  void listen(std::function<void(int signal)> told);

 private:
  sigset_t before_;
  int descriptor_;
  std::unique_ptr<QSocketNotifier> notifier_;
};

}  // namespace tfm::ui
