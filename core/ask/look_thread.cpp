// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/look_thread.h"

#include <utility>

#include "core/train/clock.h"

namespace tfm::train {
namespace {

/// Whether a snapshot of `before` may still be shown in place of one of `now`: moments that
/// somebody walks through fast.
bool replaces(const Looking& now, const Looking& before) {
  return now.state && before.state && !now.minus && !before.minus &&
         now.state->config == before.state->config;
}

}  // namespace

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

void LookThread::look(const Looking& looking) {
  {
    const std::lock_guard lock(mutex_);
    if (!replaces(looking, looking_)) forget();
    looking_ = looking;
    next_.reset();
    if (!looking.state || looking.needsNothing()) return;
    next_ = Order{looking, {}, {}};
  }
  wake_.notify_all();
}

void LookThread::give(const Looking& looking, LateState present, LateDownload<float> gradients) {
  {
    const std::lock_guard lock(mutex_);
    if (!(looking == looking_)) return;
    next_ = Order{looking, std::move(present), std::move(gradients)};
  }
  wake_.notify_all();
}

void LookThread::forgetPresent() {
  const std::lock_guard lock(mutex_);
  if (!looking_.state) forget();
}

void LookThread::forget() {
  next_.reset();
  wanted_ = false;
  deliver_(nullptr);
}

bool LookThread::isIdle() const {
  const std::lock_guard lock(mutex_);
  return !busy_ && !next_;
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
    busy_ = wanted_ = true;
    lock.unlock();
    const double begin = now();
    const StatePtr state = order.looking.state ? order.looking.state : order.present.take();
    auto snapshot = observer_.look(order.looking, state, order.gradients.take());
    lock.lock();
    seconds_ = now() - begin;
    busy_ = false;
    if (wanted_)
      deliver_(std::move(snapshot));  // locked, so that nothing is delivered once forgotten
  }
}

}  // namespace tfm::train
