// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/linear.h"

#include <algorithm>

#include "core/backend/cpu/large_product.h"
#include "core/backend/cpu/scratch.h"
#include "core/backend/cpu/tile_product.h"
#include "core/base/check.h"

namespace tfm::cpu {
namespace {

// Up to this many weights the tile product was as fast as the large one, or faster.
constexpr std::int64_t kSmallWeights = 128 * 128;

template <class Real>
bool areSmall(MatrixView<const Real> weights) {
  return weights.size() <= kSmallWeights;
}

/// The sum of a gradient with the product of a and b.
template <class Real>
void accumulateProduct(GradientView<Real> gradient, StridedMatrix<Real> a, MatrixView<const Real> b,
                       bool small) {
  if (!gradient) return;
  const MatrixView<Real> sum = gradient.sum;
  if (small && gradient.fresh)
    tileProduct<Real>(sum, a, b);
  else if (small)
    addTileProduct<Real>(sum, a, b);
  else if (gradient.fresh)
    largeProduct<Real>(sum, a, plain(b), b.rows);
  else
    addLargeProduct<Real>(sum, a, plain(b), b.rows);
}

}  // namespace

template <class Real>
void Linear<Real>::forward(Out y, In x, In w, In b) {
  check(x.cols == w.cols && y.cols == w.rows && y.rows == x.rows, "linear: shapes agree");
  if (areSmall(w)) {
    const auto [memory] = scratch<Real>(w.size());
    const Out w_transposed(memory, w.cols, w.rows);
    transpose(w_transposed, w);
    tileProduct<Real>(y, plain(x), w_transposed, b.data);
  } else if (b) {
    for (std::int64_t r = 0; r < y.rows; ++r) std::copy_n(b.data, b.cols, y.row(r));
    addLargeProduct<Real>(y, plain(x), transposed(w), w.cols);
  } else {
    largeProduct<Real>(y, plain(x), transposed(w), w.cols);
  }
}

template <class Real>
void Linear<Real>::backward(Gradient dx, Gradient dw, Gradient db, In dy, In x, In w) {
  // y = x W^T + b:  dx = dy W,  dw = dy^T x,  db = the sum of dy's rows
  accumulateProduct(dx, plain(dy), w, areSmall(w));
  accumulateProduct(dw, transposed(dy), x, areSmall(w));
  if (db) addRows<Real>(begun(db), dy);
}

template struct Linear<float>;
template struct Linear<double>;

}  // namespace tfm::cpu
