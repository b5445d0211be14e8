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

}  // namespace

template <class Real>
void Linear<Real>::forward(Out y, In x, In w, In b) {
  check(x.cols == w.cols && y.cols == w.rows && y.rows == x.rows, "linear: shapes agree");
  if (w.size() <= kSmallWeights) {
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
void Linear<Real>::backward(Out dx, Out dw, Out db, In dy, In x, In w) {
  // y = x W^T + b
  if (w.size() <= kSmallWeights) {
    if (dx) addTileProduct<Real>(dx, plain(dy), w);
    if (dw) addTileProduct<Real>(dw, transposed(dy), x);
  } else {
    if (dx) addLargeProduct<Real>(dx, plain(dy), plain(w), w.rows);
    if (dw) addLargeProduct<Real>(dw, transposed(dy), plain(x), x.rows);
  }
  if (db) addRows<Real>(db, dy);
}

template struct Linear<float>;
template struct Linear<double>;

}  // namespace tfm::cpu
