// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "core/backend/op.h"

// Building blocks of kernels. They are compiled by nvcc and, for tests, by a C++ compiler for a
// simulated device (tests/core/backend/simulated_cuda), so they keep to a part of the language:
// blocks and threads in one direction, shared memory from Shared only, __shfl_xor_sync() and the
// products of tensor_core.h as the only warp functions.
namespace tfm::cuda {

/// Ends the program on the simulated device where a contract is broken; nothing on a real one.
__device__ inline void expect([[maybe_unused]] bool holds) {
#ifndef __CUDACC__
  simulated::expect(holds);
#endif
}
/// The same for memory that is given to kernels.
inline void expectOnDevice([[maybe_unused]] const void* first, [[maybe_unused]] std::size_t bytes) {
#ifndef __CUDACC__
  simulated::expectOnDevice(first, bytes);
#endif
}

/// A matrix in the memory of the device: element (r, c) is data[r * row_stride + c * col_stride].
template <class T>
struct Matrix {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;

  Matrix() = default;
  Matrix(const MatrixView<T>& m) : data(m.data), rows(m.rows), cols(m.cols), row_stride(m.stride) {
    if (data != nullptr && m.size() > 0)
      expectOnDevice(data, std::size_t((rows - 1) * row_stride + cols) * sizeof(T));
  }

  __host__ __device__ explicit operator bool() const { return data != nullptr; }
  __device__ T& at(std::int64_t r, std::int64_t c) const {
    expect(r >= 0 && r < rows && c >= 0 && c < cols);
    return data[r * row_stride + c * col_stride];
  }
  /// The same numbers, which are only read.
  __host__ __device__ Matrix<const T> constant() const {
    Matrix<const T> m;
    m.data = data;
    m.rows = rows;
    m.cols = cols;
    m.row_stride = row_stride;
    m.col_stride = col_stride;
    return m;
  }
  __host__ __device__ Matrix transposed() const {
    Matrix m = *this;
    m.rows = cols;
    m.cols = rows;
    m.row_stride = col_stride;
    m.col_stride = row_stride;
    return m;
  }
  std::int64_t size() const { return rows * cols; }
};

/// A gradient: what is added to a fresh one overwrites it, so kernels add to each cell once.
template <class Real>
struct Sum {
  Matrix<Real> cells;
  bool fresh = false;

  Sum() = default;
  Sum(const GradientView<Real>& gradient) : cells(gradient.sum), fresh(gradient.fresh) {}
  /// A matrix that is overwritten.
  Sum(const Matrix<Real>& result) : cells(result), fresh(true) {}

  __host__ __device__ explicit operator bool() const { return bool(cells); }
  __device__ void add(std::int64_t r, std::int64_t c, Real value) const {
    Real& sum = cells.at(r, c);
    sum = fresh ? value : sum + value;
  }
};

/// Contiguous values in the memory of the device.
template <class T>
struct List {
  T* data = nullptr;
  std::int64_t size = 0;

  List() = default;
  List(std::span<T> list) : data(list.data()), size(std::int64_t(list.size())) {
    if (size > 0) expectOnDevice(data, list.size_bytes());
  }
  __host__ __device__ explicit operator bool() const { return size > 0; }
  __device__ T& at(std::int64_t i) const {
    expect(i >= 0 && i < size);
    return data[i];
  }
};
using Ids = List<const std::int32_t>;

/// An array in the shared memory of a block; its initial values are undefined.
template <class T>
class Shared {
 public:
  /// `first`: how many numbers of T other parts have before these.
  __device__ Shared(std::int64_t first, std::int64_t size) : size_(size) {
    extern __shared__ __align__(16) unsigned char shared_bytes[];
    numbers_ = reinterpret_cast<T*>(shared_bytes) + first;
#ifndef __CUDACC__
    simulated::expectShared(std::size_t(first + size) * sizeof(T));
#endif
  }
  __device__ T& operator[](std::int64_t i) const {
    expect(i >= 0 && i < size_);
    return numbers_[i];
  }

 private:
  T* numbers_;
  std::int64_t size_;
};

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xFFFFFFFF;

struct Add {
  template <class Real>
  __device__ Real operator()(Real a, Real b) const {
    return a + b;
  }
};
struct Larger {
  template <class Real>
  __device__ Real operator()(Real a, Real b) const {
    return a < b ? b : a;
  }
};

/// Reduces the numbers of `lanes` neighbouring threads; all of them get the result. Every thread of
/// the warp takes part.   lanes: a power of two, at most kWarp
template <class Real, class Join>
__device__ Real warpJoin(Real own, const Join& join, unsigned lanes = kWarp) {
  for (unsigned half = lanes / 2; half > 0; half /= 2)
    own = join(own, __shfl_xor_sync(kAllLanes, own, int(half)));
  return own;
}

/// Reduces one number of each thread of the block; all of them get the result. The threads are
/// whole warps.   room: a number for each warp
template <class Real, class Join>
__device__ Real blockJoin(const Shared<Real>& room, Real own, const Join& join) {
  own = warpJoin(own, join);
  __syncthreads();  // the room may still be read
  if (threadIdx.x % kWarp == 0) room[threadIdx.x / kWarp] = own;
  __syncthreads();
  Real all = room[0];
  for (unsigned warp = 1; warp < blockDim.x / kWarp; ++warp) all = join(all, room[warp]);
  return all;
}
template <class Real>
__device__ Real blockSum(const Shared<Real>& room, Real own) {
  return blockJoin(room, own, Add());
}
template <class Real>
__device__ Real blockMax(const Shared<Real>& room, Real own) {
  return blockJoin(room, own, Larger());
}

/// Dropout with the random numbers of the CPU (see Dropout and Random): the same elements.
class Keep {
 public:
  /// `position` is on the device, where it changes from step to step.
  Keep(const DropoutArguments& a, const RunPosition* position)
      : rate_(a.rate),
        stream_(a.stream & 0xFFFFFF),
        rows_per_sequence_(a.rows_per_sequence),
        position_(position) {
    if (rate_ > 0.0) expectOnDevice(position, sizeof(RunPosition));
  }

  /// The factor of an element: 0 or 1 / (1 - rate).
  template <class Real>
  __device__ Real factor(std::int64_t row, std::int64_t cols, std::int64_t col) const {
    if (rate_ == 0.0) return Real(1);
    const std::int64_t first_row = position_->first_sequence * rows_per_sequence_;
    return uniform(std::uint64_t((first_row + row) * cols + col)) >= rate_
               ? Real(1.0 / (1.0 - rate_))
               : Real(0);
  }

 private:
  /// Random::uniform(), Philox4x32-10.
  __device__ double uniform(std::uint64_t index) const {
    std::uint32_t c0 = std::uint32_t(index), c1 = std::uint32_t(index >> 32) << 24 | stream_;
    const std::uint64_t seed = position_->seed, step = position_->step;
    std::uint32_t c2 = std::uint32_t(step), c3 = std::uint32_t(step >> 32);
    std::uint32_t k0 = std::uint32_t(seed), k1 = std::uint32_t(seed >> 32);
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t a = std::uint64_t{0xD2511F53} * c0, b = std::uint64_t{0xCD9E8D57} * c2;
      c0 = std::uint32_t(b >> 32) ^ c1 ^ k0;
      c2 = std::uint32_t(a >> 32) ^ c3 ^ k1;
      c1 = std::uint32_t(b);
      c3 = std::uint32_t(a);
      k0 += 0x9E3779B9;
      k1 += 0xBB67AE85;
    }
    return double((std::uint64_t{c0} << 32 | c1) >> 11) * 0x1.0p-53;
  }

  double rate_;
  std::uint32_t stream_;
  std::int64_t rows_per_sequence_;
  const RunPosition* position_;
};

}  // namespace tfm::cuda
