// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/large_product.h"

#include <cblas.h>

#include <mutex>
#include <type_traits>

#include "core/base/check.h"

namespace tfm::cpu {
namespace {

/// An operand as BLAS names it: as it lies in memory or transposed, with the stride that is not 1.
template <class Real>
struct Operand {
  explicit Operand(StridedMatrix<Real> m)
      : order(m.col_stride == 1 ? CblasNoTrans : CblasTrans),
        stride(blasint(m.col_stride == 1 ? m.row_stride : m.col_stride)) {
    check(m.col_stride == 1 || m.row_stride == 1, "large product: one stride is 1");
  }
  CBLAS_TRANSPOSE order;
  blasint stride;
};

/// The engine shares its work out over its own threads; a product that made more would only be in
/// their way, and its sums would depend on their number.
void stayOnThisThread() {
  static std::once_flag once;
  std::call_once(once, [] { openblas_set_num_threads(1); });
}

/// c = a b + kept c
template <class Real>
void product(MatrixView<Real> c, StridedMatrix<Real> a, StridedMatrix<Real> b, std::int64_t depth,
             Real kept) {
  stayOnThisThread();
  const Operand<Real> left(a), right(b);
  const auto multiply = [&](auto gemm) {
    gemm(CblasRowMajor, left.order, right.order, blasint(c.rows), blasint(c.cols), blasint(depth),
         Real(1), a.data, left.stride, b.data, right.stride, kept, c.data, blasint(c.stride));
  };
  if constexpr (std::is_same_v<Real, float>)
    multiply(cblas_sgemm);
  else
    multiply(cblas_dgemm);
}

}  // namespace

template <class Real>
void largeProduct(MatrixView<Real> c, StridedMatrix<Real> a, StridedMatrix<Real> b,
                  std::int64_t depth) {
  product(c, a, b, depth, Real(0));
}

template <class Real>
void addLargeProduct(MatrixView<Real> c, StridedMatrix<Real> a, StridedMatrix<Real> b,
                     std::int64_t depth) {
  product(c, a, b, depth, Real(1));
}

#define TFM_INSTANTIATE(Real)                                                               \
  template void largeProduct(MatrixView<Real>, StridedMatrix<Real>, StridedMatrix<Real>,    \
                             std::int64_t);                                                 \
  template void addLargeProduct(MatrixView<Real>, StridedMatrix<Real>, StridedMatrix<Real>, \
                                std::int64_t);
TFM_INSTANTIATE(float)
TFM_INSTANTIATE(double)
#undef TFM_INSTANTIATE

}  // namespace tfm::cpu
