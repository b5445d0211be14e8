// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_NORM_ROWS_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_NORM_ROWS_H
#undef TFM_CPU_NORM_ROWS_H
#else
#define TFM_CPU_NORM_ROWS_H
#endif

#include "core/backend/cpu/vectors.h"
#include "core/tensor/matrix_view.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
namespace {

/// y += a b, or y = a b
template <class Real>
void accumulateProduct(Real* y, bool fresh, Lane<Real> a, Lane<Real> b, std::int64_t left) {
  storeSome(y, fresh ? hn::Mul(a, b) : hn::MulAdd(a, b, loadSome(y, left)), left);
}

/// One row of both norms, with n = (x - mean) * scale and y = n * gain:
/// dgain += dy * n,  dx += scale * (dn - mean_dn - n * mean(dn * n)),  dn = dy * gain,
/// where mean_dn is mean(dn) if the norm is centred, else 0. A fresh dx is overwritten.
template <class Real>
void rowBackward(Real* dx, bool fresh, Real* dgain, const Real* dy, const Real* x, const Real* gain,
                 std::int64_t cols, Real mean, Real scale, bool centred) {
  const Lane<Real> means = allOf(mean);
  const Lane<Real> scales = allOf(scale);
  const auto normal = [&](std::int64_t j, std::int64_t left) {
    return hn::Mul(hn::Sub(loadSome(x + j, left), means), scales);
  };
  const auto dnormal = [&](std::int64_t j, std::int64_t left) {
    return hn::Mul(loadSome(dy + j, left), loadSome(gain + j, left));
  };
  Lane<Real> sum_dn = allOf(Real(0));
  Lane<Real> sum_dn_n = allOf(Real(0));
  overRow<Real>(cols, [&](auto j, auto left) {
    const Lane<Real> n = normal(j, left);
    if (dgain != nullptr) accumulateProduct(dgain + j, false, loadSome(dy + j, left), n, left);
    const Lane<Real> dn = dnormal(j, left);
    sum_dn = hn::Add(sum_dn, dn);
    sum_dn_n = hn::MulAdd(dn, n, sum_dn_n);
  });
  if (dx == nullptr) return;
  const Lane<Real> mean_dn = allOf(centred ? sumOf<Real>(sum_dn) / Real(cols) : Real(0));
  const Lane<Real> mean_dn_n = allOf(sumOf<Real>(sum_dn_n) / Real(cols));
  overRow<Real>(cols, [&](auto j, auto left) {
    const Lane<Real> along = hn::MulAdd(normal(j, left), mean_dn_n, mean_dn);
    accumulateProduct(dx + j, fresh, scales, hn::Sub(dnormal(j, left), along), left);
  });
}

template <class Real>
Real* rowOrNull(MatrixView<Real> m, std::int64_t row) {
  return m ? m.row(row) : nullptr;
}

}  // namespace
}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
