// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/ask/observer.h"
#include "core/train/trainer.h"

namespace tfm::train {

/// Looks at models on its own thread, so that training waits only for a copy. One look at a time;
/// of the pending ones only the newest is kept. Callable on any thread.
class LookThread {
 public:
  /// Called on the thread with each snapshot; with null, on the caller's thread, where those
  /// delivered so far are of something else.
  using Deliver = std::function<void(std::shared_ptr<const Snapshot>)>;

  LookThread(std::shared_ptr<const data::TextCodec> codec, Deliver deliver);
  /// Waits for the current look.
  ~LookThread();
  LookThread(const LookThread&) = delete;
  LookThread& operator=(const LookThread&) = delete;

  /// What to look at from now on: a kept state at once, the present whenever it is given. The
  /// current look is still delivered if it is of another kept state of the same config.
  void look(const Looking& looking);
  /// Gives a copy of the present, whose download is awaited on this thread. Ignored if `looking` is
  /// no longer what is looked at.
  void give(const Looking& looking, LateState present, LateDownload<float> gradients);
  /// Another model is the present: drops looks at the one before.
  void forgetPresent();
  bool isIdle() const;
  /// The duration of the last look.
  double seconds() const;

 private:
  struct Order {
    Looking looking;
    LateState present;  ///< if Looking::state is null
    LateDownload<float> gradients;
  };

  void run();
  void forget();

  Observer observer_;  // used by the thread only
  const Deliver deliver_;

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable wake_;
  Looking looking_;
  std::optional<Order> next_;
  bool busy_ = false;
  bool wanted_ = false;  // the current look was not forgotten
  bool stop_ = false;
  double seconds_ = 0.0;

  std::thread thread_;
};

}  // namespace tfm::train
