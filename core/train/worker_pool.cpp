// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/worker_pool.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "core/base/error.h"

namespace tfm::train {
namespace {

// A step of a small model takes well under a millisecond: spinning that long is cheaper than being
// woken.
constexpr int kSpins = 4000;

/// Ends the threads of a pool.
void end(std::vector<std::thread>& threads, std::mutex& mutex, bool& stop,
         std::atomic<std::uint64_t>& round, std::condition_variable& wake) {
  {
    const std::lock_guard lock(mutex);
    stop = true;
    round.fetch_add(1);
  }
  wake.notify_all();
  for (std::thread& thread : threads) thread.join();
  threads.clear();
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

}  // namespace

WorkerPool::WorkerPool(int threads) {
  try {
    for (int worker = 1; worker < std::max(1, threads); ++worker)
      threads_.emplace_back([this, worker] { serve(worker); });
  } catch (const std::system_error& problem) {
    const std::size_t started = threads_.size() + 1;
    end(threads_, mutex_, stop_, round_,
        wake_);  // no destructor runs if the constructor throws
    throw Error("only " + std::to_string(started) + " of " + std::to_string(threads) +
                    " threads can be started: " + problem.code().message(),
                "this machine", "Choose fewer threads, or end other programs");
  }
}

WorkerPool::~WorkerPool() { end(threads_, mutex_, stop_, round_, wake_); }

void WorkerPool::serve(int worker) {
  std::uint64_t seen = 0;
  for (;;) {
    for (int i = 0; i < kSpins && round_.load(std::memory_order_acquire) == seen; ++i) relax();
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return round_.load() != seen; });
      seen = round_.load();
      if (stop_) return;
    }
    takePieces(worker);
    busy_.fetch_sub(1, std::memory_order_release);
  }
}

void WorkerPool::takePieces(int worker) {
  for (;;) {
    const std::int64_t piece = next_.fetch_add(1);
    if (piece >= pieces_) return;
    try {
      (*work_)(piece, worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }
}

void WorkerPool::run(std::int64_t pieces, const std::function<void(std::int64_t, int)>& work) {
  if (pieces == 1) return work(0, 0);  // no need to wake a thread
  {
    const std::lock_guard lock(mutex_);
    pieces_ = pieces;
    work_ = &work;
    failure_ = nullptr;
    next_.store(0);
    busy_.store(int(threads_.size()));
    round_.fetch_add(1, std::memory_order_release);
  }
  wake_.notify_all();
  takePieces(0);
  for (int spins = 0; busy_.load(std::memory_order_acquire) != 0;) {
    if (spins < kSpins) {
      ++spins;
      relax();
    } else {
      std::this_thread::yield();  // let others run if there are fewer cores than threads
    }
  }
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace tfm::train
