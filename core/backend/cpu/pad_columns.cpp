// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/pad_columns.h"

#include "core/backend/cpu/eigen_map.h"

namespace tfm::cpu {

template <class Real>
void PadColumns<Real>::forward(Out y, In x) {
  map(y).leftCols(x.cols) = map(x);
  map(y).rightCols(y.cols - x.cols).setZero();
}

template <class Real>
void PadColumns<Real>::backward(Out dx, In dy) {
  if (dx) map(dx) += map(dy).leftCols(dx.cols);
}

template struct PadColumns<float>;
template struct PadColumns<double>;

}  // namespace tfm::cpu
