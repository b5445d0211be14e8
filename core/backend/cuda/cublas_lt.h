// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "core/backend/cuda/precision.h"

namespace tfm::cuda {

/// c = a b + bias, or c += a b: a: rows x depth, b: depth x cols. The rows or the columns of a and
/// b are contiguous, and so are the rows of c and the bias.
struct LargeProduct {
  const float *a, *b;
  std::int64_t rows, cols, depth;
  bool a_by_columns, b_by_columns;  ///< whether columns are contiguous, not rows
  std::int64_t a_stride, b_stride;  ///< to the next row, or the next column
  float* c;
  std::int64_t c_stride;
  const float* bias;  ///< null: none
  bool adds;
  Precision precision;
};

/// NVIDIA's library for matrix products, if this machine has it. It is looked up on first use, by
/// its usual names or the one in the environment variable TFM_CUBLASLT ("": not at all).
/// Thread-safe.
class CublasLt {
 public:
  CublasLt() = default;
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  bool isThere();
  /// Its name, or why there is none.
  const std::string& report();
  /// Runs the product in the stream and returns true, or returns false and does nothing.
  ///   workspace: kWorkspace bytes
  bool multiply(const LargeProduct& product, void* workspace, cudaStream_t stream);
  static constexpr std::size_t kWorkspace = std::size_t{32} << 20;  // as NVIDIA advises for sm_90

 private:
  struct Functions;
  void load();
  bool open(const std::string& name);

  std::once_flag once_;
  void* library_ = nullptr;
  void* handle_ = nullptr;
  std::shared_ptr<const Functions> functions_;
  std::string report_;
};

}  // namespace tfm::cuda
