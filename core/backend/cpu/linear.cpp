// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/linear.h"

#include "core/backend/cpu/eigen_map.h"
#include "core/base/check.h"

namespace tfm::cpu {

template <class Real>
void Linear<Real>::forward(Out y, In x, In w, In b) {
  check(x.cols == w.cols && y.cols == w.rows && y.rows == x.rows, "linear: shapes agree");
  map(y).noalias() = map(x) * map(w).transpose();
  if (b) map(y).rowwise() += map(b).row(0);
}

template <class Real>
void Linear<Real>::backward(Out dx, Out dw, Out db, In dy, In x, In w) {
  // y = x W^T + b
  if (dx) map(dx).noalias() += map(dy) * map(w);
  if (dw) map(dw).noalias() += map(dy).transpose() * map(x);
  if (db) map(db).row(0) += map(dy).colwise().sum();
}

template struct Linear<float>;
template struct Linear<double>;

}  // namespace tfm::cpu
