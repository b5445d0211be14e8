// SPDX-License-Identifier: GPL-3.0-or-later
// The functions of cuBLASLt that the plugin calls, for matrices in the memory of the simulated
// device: what its documentation says of layouts by columns, operations, epilogues and strides.
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace {

struct Layout {
  std::uint64_t rows, cols;
  std::int64_t stride;
};
struct Description {
  std::int32_t transposes_a = 0, transposes_b = 0;
  std::uint32_t epilogue = 1;
  const float* bias = nullptr;
};
struct Heuristic {
  std::uint64_t algorithm[8];
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
enum Status { kSuccess = 0, kInvalidValue = 7, kNotSupported = 15 };
int multiplied = 0;

/// Element (r, c) of a matrix that is stored by columns, or of its transpose.
float at(const float* m, const Layout& layout, bool transposed, std::uint64_t r, std::uint64_t c) {
  return transposed ? m[r * std::uint64_t(layout.stride) + c]
                    : m[c * std::uint64_t(layout.stride) + r];
}

}  // namespace

extern "C" {

int tfmFakeProducts() { return multiplied; }

int cublasLtCreate(void** handle) {
  *handle = &multiplied;
  return kSuccess;
}
int cublasLtDestroy(void*) { return kSuccess; }

int cublasLtMatmulDescCreate(void** description, int compute, int scale) {
  if ((compute != 68 && compute != 75 && compute != 77) || scale != 0) return kInvalidValue;
  *description = new Description;
  return kSuccess;
}
int cublasLtMatmulDescDestroy(void* description) {
  delete static_cast<Description*>(description);
  return kSuccess;
}
int cublasLtMatmulDescSetAttribute(void* of, int attribute, const void* value, std::size_t bytes) {
  Description& d = *static_cast<Description*>(of);
  void* to = attribute == 3   ? static_cast<void*>(&d.transposes_a)
             : attribute == 4 ? static_cast<void*>(&d.transposes_b)
             : attribute == 7 ? static_cast<void*>(&d.epilogue)
             : attribute == 8 ? static_cast<void*>(&d.bias)
                              : nullptr;
  if (to == nullptr || bytes != (attribute == 8 ? sizeof(void*) : 4U)) return kInvalidValue;
  std::memcpy(to, value, bytes);
  return kSuccess;
}

int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t cols,
                               std::int64_t stride) {
  if (type != 0 || stride < std::int64_t(rows)) return kInvalidValue;
  *layout = new Layout{rows, cols, stride};
  return kSuccess;
}
int cublasLtMatrixLayoutDestroy(void* layout) {
  delete static_cast<Layout*>(layout);
  return kSuccess;
}

int cublasLtMatmulPreferenceCreate(void** preference) {
  *preference = new int;
  return kSuccess;
}
int cublasLtMatmulPreferenceDestroy(void* preference) {
  delete static_cast<int*>(preference);
  return kSuccess;
}
int cublasLtMatmulPreferenceSetAttribute(void*, int attribute, const void*, std::size_t bytes) {
  return bytes == (attribute == 1 ? 8U : 4U) ? kSuccess : kInvalidValue;
}
int cublasLtMatmulAlgoGetHeuristic(void*, void*, void*, void*, void*, void*, void*, int,
                                   Heuristic* found, int* count) {
  *found = {};
  *count = 1;
  return kSuccess;
}

int cublasLtMatmul(void*, void* description, const void* alpha, const void* a, void* a_layout,
                   const void* b, void* b_layout, const void* beta, const void* c, void* c_layout,
                   void* d, void* d_layout, const void*, void*, std::size_t, void*) {
  const auto& what = *static_cast<const Description*>(description);
  const auto &left = *static_cast<const Layout*>(a_layout),
             &right = *static_cast<const Layout*>(b_layout),
             &result = *static_cast<const Layout*>(d_layout);
  const bool down = what.transposes_a != 0, across = what.transposes_b != 0;
  const std::uint64_t depth = down ? left.rows : left.cols;
  if ((down ? left.cols : left.rows) != result.rows ||
      (across ? right.rows : right.cols) != result.cols ||
      (across ? right.cols : right.rows) != depth || c != d || c_layout != d_layout)
    return kInvalidValue;
  const float scale = *static_cast<const float*>(alpha), kept = *static_cast<const float*>(beta);
  for (std::uint64_t col = 0; col < result.cols; ++col)
    for (std::uint64_t row = 0; row < result.rows; ++row) {
      float sum = 0;
      for (std::uint64_t k = 0; k < depth; ++k)
        sum += at(static_cast<const float*>(a), left, down, row, k) *
               at(static_cast<const float*>(b), right, across, k, col);
      float& to = static_cast<float*>(d)[col * std::uint64_t(result.stride) + row];
      to = scale * sum + (kept == 0 ? 0 : kept * to) + (what.epilogue == 4 ? what.bias[row] : 0);
    }
  ++multiplied;
  return kSuccess;
}

}  // extern "C"
