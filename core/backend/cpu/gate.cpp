// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/gate.h"

#include "core/backend/cpu/eigen_map.h"

namespace tfm::cpu {

template <class Real>
void Gate<Real>::forward(Out y, In x, In f, In g) {
  map(y) = map(x) + g.at(0, 0) * (map(f) - map(x));
}

template <class Real>
void Gate<Real>::backward(Out dx, Out df, Out dg, In dy, In x, In f, In g) {
  const Real open = g.at(0, 0);
  if (dx) map(dx) += (Real(1) - open) * map(dy);
  if (df) map(df) += open * map(dy);
  if (dg) dg.at(0, 0) += map(dy).cwiseProduct(map(f) - map(x)).sum();
}

template struct Gate<float>;
template struct Gate<double>;

}  // namespace tfm::cpu
