// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <span>
#include <tuple>

#include "core/backend/cuda/device.h"
#include "core/backend/cuda/stream.h"
#include "core/base/check.h"

// How the host launches kernels. All kernels of a backend run in one stream, in order.
namespace tfm::cuda {

struct Grid {
  std::int64_t blocks = 1;  ///< nothing runs if there are none
  unsigned threads = 1;
  std::size_t shared_bytes = 0;
};

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Grid& grid, const Arguments&... arguments) {
  if (grid.blocks == 0) return;
  std::tuple<Parameters...> values(arguments...);
  std::apply(
      [&](auto&... value) {
        void* addresses[] = {static_cast<void*>(&value)..., nullptr};  // a kernel may have none
        require(cudaLaunchKernel(kernel, dim3(unsigned(grid.blocks)), dim3(grid.threads), addresses,
                                 grid.shared_bytes, current_place.stream));
      },
      values);
}

/// As much of a list as a launch can pass as an argument.
template <class T>
struct Handful {
  static constexpr std::int64_t kMost = std::int64_t(2048 / sizeof(T));
  T items[kMost];
  std::int64_t count;
};
template <class T>
__global__ void storeHandful(Handful<T> handful, List<T> list, std::int64_t first) {
  for (std::int64_t i = threadIdx.x; i < handful.count; i += blockDim.x)
    list.at(first + i) = handful.items[i];
}

/// Memory for the kernels of one call, of a backend; see Place.
template <class T>
class Scratch {
 public:
  /// The initial values are undefined.
  explicit Scratch(std::int64_t size) : size_(size) {
    if (size == 0) return;
    check(arena_ != nullptr, "scratch memory is that of a backend");
    const std::size_t bytes = std::size_t(size) * sizeof(T);
    numbers_ = static_cast<T*>(arena_->take(bytes));
#ifndef __CUDACC__
    require(cudaMemsetAsync(numbers_, 0xFF, bytes, current_place.stream));  // NaN, which is noticed
#endif
  }
  /// A copy of host data, which a recording keeps.
  explicit Scratch(std::span<const T> items) : Scratch(std::int64_t(items.size())) {
    for (std::int64_t first = 0; first < size_; first += Handful<T>::kMost) {
      Handful<T> some;
      some.count = std::min(Handful<T>::kMost, size_ - first);
      std::copy_n(items.data() + first, some.count, some.items);
      launch(storeHandful<T>, {1, 32}, some, list(), first);
    }
  }
  ~Scratch() {
    if (numbers_ != nullptr) arena_->giveBack(numbers_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return numbers_; }
  List<T> list() const { return std::span(numbers_, std::size_t(size_)); }

 private:
  Arena* arena_ = current_place.scratch;
  T* numbers_ = nullptr;
  std::int64_t size_;
};

constexpr unsigned kCellThreads = 256;

/// The number of threads that sum `count` numbers together: a power of two.
inline unsigned sumThreads(std::int64_t count) { return count <= 32 ? 32 : count <= 64 ? 64 : 128; }

template <class Work>
__global__ void runCells(Work work, std::int64_t rows, std::int64_t cols) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < rows * cols) work(i / cols, i % cols);
}

/// Calls work(row, col) for each cell, in any order.
template <class Work>
void overCells(std::int64_t rows, std::int64_t cols, const Work& work) {
  launch(runCells<Work>, {(rows * cols + kCellThreads - 1) / kCellThreads, kCellThreads}, work,
         rows, cols);
}

/// The sum, cleared first if it is fresh; for kernels that do not add to every cell.
template <class Real>
Matrix<Real> cleared(const Sum<Real>& sum) {
  const Matrix<Real> cells = sum.cells;
  if (sum.fresh)
    overCells(cells.rows, cells.cols,
              [=] __device__(std::int64_t r, std::int64_t j) { cells.at(r, j) = Real(0); });
  return cells;
}

template <class Real, class Term, class Result>
__global__ void runSums(Term term, Result result, std::int64_t count) {
  const Shared<Real> room(0, blockDim.x);
  Real own = 0;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) own += term(blockIdx.x, i);
  const Real sum = blockSum(room, own);
  if (threadIdx.x == 0) result(blockIdx.x, sum);
}

/// Calls result(s, term(s, 0) + ... + term(s, count - 1)) for each of `sums` sums. Each is added up
/// in the same order every time.
template <class Real, class Term, class Result>
void overSums(std::int64_t sums, std::int64_t count, const Term& term, const Result& result) {
  const unsigned threads = sumThreads(count);
  launch(runSums<Real, Term, Result>, {sums, threads, threads * sizeof(Real)}, term, result, count);
}

}  // namespace tfm::cuda
