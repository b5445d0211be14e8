// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/look_thread.h"

#include <utility>

#include "core/train/clock.h"

namespace tfm::train {

LookThread::LookThread(std::shared_ptr<const data::TextCodec> codec, Deliver deliver)
    : observer_(std::move(codec)), deliver_(std::move(deliver)), thread_([this] { run(); }) {}

LookThread::~LookThread() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void LookThread::look(Order order) {
  {
    const std::lock_guard lock(mutex_);
    next_ = std::move(order);
  }
  wake_.notify_all();
}

void LookThread::forget() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  wanted_ = false;
}

bool LookThread::isIdle() const {
  const std::lock_guard lock(mutex_);
  return !looking_ && !next_;
}

double LookThread::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

void LookThread::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stop_ || next_; });
    if (stop_) return;
    Order order = *std::exchange(next_, std::nullopt);
    looking_ = wanted_ = true;
    lock.unlock();
    const double begin = now();
    const auto state = std::make_shared<const ModelState>(order.state.take());
    auto snapshot =
        std::make_shared<Snapshot>(observer_.look(*state, order.watch, order.gradients.take()));
    if (order.watch.parameters) snapshot->state = state;
    lock.lock();
    seconds_ = now() - begin;
    looking_ = false;
    if (wanted_)
      deliver_(std::move(snapshot));  // locked, so that nothing is delivered after forget()
  }
}

}  // namespace tfm::train
