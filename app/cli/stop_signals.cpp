// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stop_signals.h"

#include <ctime>

namespace tfm::cli {

StopSignals::StopSignals() {
  sigemptyset(&watched_);
  sigaddset(&watched_, SIGINT);
  sigaddset(&watched_, SIGTERM);
  struct sigaction hangup {};
  const bool detached = sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
  if (!detached) sigaddset(&watched_, SIGHUP);  // nohup: a closed terminal must not end this run
  pthread_sigmask(SIG_BLOCK, &watched_, &before_);
}

StopSignals::~StopSignals() {
  while (waitFor(std::chrono::milliseconds(0))) {
  }  // discard pending signals
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> StopSignals::waitFor(std::chrono::milliseconds time) const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time);
  const std::chrono::nanoseconds rest = time - seconds;
  const timespec timeout{std::time_t(seconds.count()), long(rest.count())};
  const int signal = sigtimedwait(&watched_, nullptr, &timeout);
  return signal > 0 ? std::optional(signal) : std::nullopt;
}

}  // namespace tfm::cli
