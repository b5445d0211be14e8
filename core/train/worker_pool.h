// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tfm::train {

/// A fixed set of threads that runs numbered pieces of work. The caller is worker 0.
class WorkerPool {
 public:
  explicit WorkerPool(int threads);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int size() const { return int(threads_.size()) + 1; }

  /// Calls work(piece, worker) once for each piece in [0, pieces) and returns when all are done.
  /// Pieces are assigned to workers dynamically. Rethrows the first exception.
  void run(std::int64_t pieces, const std::function<void(std::int64_t piece, int worker)>& work);

 private:
  void serve(int worker);
  void takePieces(int worker);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> round_{0};
  std::atomic<std::int64_t> next_{0};
  std::atomic<int> busy_{0};
  std::int64_t pieces_ = 0;
  const std::function<void(std::int64_t, int)>* work_ = nullptr;
  std::exception_ptr failure_;
  bool stop_ = false;
};

}  // namespace tfm::train
