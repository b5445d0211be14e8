// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/signal_watch.h"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <QSocketNotifier>
#include <utility>

namespace tfm::ui {

SignalWatch::SignalWatch() {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGTERM);
  sigaddset(&watched, SIGINT);
  struct sigaction hangup {};
  const bool detached = sigaction(SIGHUP, nullptr, &hangup) == 0 && hangup.sa_handler == SIG_IGN;
  if (!detached) sigaddset(&watched, SIGHUP);
  descriptor_ = ::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  // If the signals cannot be read, they still end the program.
  if (descriptor_ < 0) sigemptyset(&watched);
  pthread_sigmask(SIG_BLOCK, &watched, &before_);
}

SignalWatch::~SignalWatch() {
  notifier_.reset();
  if (descriptor_ >= 0) ::close(descriptor_);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

void SignalWatch::listen(std::function<void(int signal)> handler) {
  if (descriptor_ < 0) return;
  notifier_ = std::make_unique<QSocketNotifier>(descriptor_, QSocketNotifier::Read);
  QObject::connect(notifier_.get(), &QSocketNotifier::activated, notifier_.get(),
                   [this, handler = std::move(handler)] {
                     signalfd_siginfo info{};
                     if (::read(descriptor_, &info, sizeof info) == ssize_t(sizeof info))
                       handler(int(info.ssi_signo));
                   });
}

}  // namespace tfm::ui
