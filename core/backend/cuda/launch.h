// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <new>
#include <span>
#include <string>
#include <tuple>

#include "core/backend/cuda/device.h"
#include "core/base/error.h"

// How the host starts kernels. All run in one stream, so one after the other.
namespace tfm::cuda {

/// Throws std::bad_alloc if the device has no memory left, Error for what else went wrong.
inline void require(cudaError_t status) {
  if (status == cudaSuccess) return;
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw Error("the GPU failed: " + std::string(cudaGetErrorString(status)), "cuda",
              "Train on the CPU with --device cpu");
}

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
                                 grid.shared_bytes, nullptr));
      },
      values);
}

/// Memory for the kernels of one call.
template <class T>
class Scratch {
 public:
  /// Begins with numbers that mean nothing.
  explicit Scratch(std::int64_t size) : size_(size) {
    if (size == 0) return;
    void* memory = nullptr;
    require(cudaMallocAsync(&memory, std::size_t(size) * sizeof(T), nullptr));
    numbers_ = static_cast<T*>(memory);
  }
  /// A copy of what the host has.
  explicit Scratch(std::span<const T> list) : Scratch(std::int64_t(list.size())) {
    if (!list.empty())
      require(cudaMemcpy(numbers_, list.data(), list.size_bytes(), cudaMemcpyHostToDevice));
  }
  ~Scratch() {
    if (numbers_ != nullptr) cudaFreeAsync(numbers_, nullptr);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() const { return numbers_; }
  List<T> list() const { return std::span(numbers_, std::size_t(size_)); }

 private:
  T* numbers_ = nullptr;
  std::int64_t size_;
};

constexpr unsigned kCellThreads = 256;

/// As many threads as add up `count` numbers together: a power of two.
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
