// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/backend/cpu/lanes.h"
#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// Calls work(j, left) for the registers of a row of `cols` numbers: where each begins, and how
/// many numbers are left from there on. What a register holds beyond the row is read as zero and
/// never written.
template <class Real, class Work>
void overRow(std::int64_t cols, const Work& work) {
  for (std::int64_t j = 0; j < cols; j += kTile<Real>) work(j, cols - j);
}

/// y += a b, or y = a b
template <class Real>
void accumulateProduct(Real* y, bool fresh, Lane<Real> a, Lane<Real> b, std::int64_t left) {
  namespace ei = Eigen::internal;
  storeSome(y, fresh ? ei::pmul(a, b) : ei::pmadd(a, b, loadSome<Real>(y, left)), left);
}

/// One row of both norms, with n = (x - mean) * scale and y = n * gain:
/// dgain += dy * n,  dx += scale * (dn - mean_dn - n * mean(dn * n)),  dn = dy * gain,
/// where mean_dn is mean(dn) if the norm is centred, else 0. A fresh dx is overwritten.
template <class Real>
void rowBackward(Real* dx, bool fresh, Real* dgain, const Real* dy, const Real* x, const Real* gain,
                 std::int64_t cols, Real mean, Real scale, bool centred) {
  namespace ei = Eigen::internal;
  const Lane<Real> means = allOf(mean);
  const Lane<Real> scales = allOf(scale);
  const auto normal = [&](std::int64_t j, std::int64_t left) {
    return ei::pmul(ei::psub(loadSome(x + j, left), means), scales);
  };
  const auto dnormal = [&](std::int64_t j, std::int64_t left) {
    return ei::pmul(loadSome(dy + j, left), loadSome(gain + j, left));
  };
  Lane<Real> sum_dn = allOf(Real(0));
  Lane<Real> sum_dn_n = allOf(Real(0));
  overRow<Real>(cols, [&](auto j, auto left) {
    const Lane<Real> n = normal(j, left);
    if (dgain != nullptr) accumulateProduct(dgain + j, false, loadSome(dy + j, left), n, left);
    const Lane<Real> dn = dnormal(j, left);
    sum_dn = ei::padd(sum_dn, dn);
    sum_dn_n = ei::pmadd(dn, n, sum_dn_n);
  });
  if (dx == nullptr) return;
  const Lane<Real> mean_dn = allOf(centred ? ei::predux(sum_dn) / Real(cols) : Real(0));
  const Lane<Real> mean_dn_n = allOf(ei::predux(sum_dn_n) / Real(cols));
  overRow<Real>(cols, [&](auto j, auto left) {
    const Lane<Real> along = ei::pmadd(normal(j, left), mean_dn_n, mean_dn);
    accumulateProduct(dx + j, fresh, scales, ei::psub(dnormal(j, left), along), left);
  });
}

template <class Real>
Real* rowOrNull(MatrixView<Real> m, std::int64_t row) {
  return m ? m.row(row) : nullptr;
}

}  // namespace tfm::cpu
