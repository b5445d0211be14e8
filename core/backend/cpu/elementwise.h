// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_ELEMENTWISE_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_ELEMENTWISE_H
#undef TFM_CPU_ELEMENTWISE_H
#else
#define TFM_CPU_ELEMENTWISE_H
#endif

#include "core/backend/cpu/vectors.h"
#include "core/backend/gradient_view.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {
namespace {

/// v -> factor * v
template <class Real>
HWY_INLINE auto scaledBy(Real factor) {
  return [factors = allOf(factor)](Lane<Real> v) { return hn::Mul(factors, v); };
}

/// y = f(x...), element by element, where f takes and returns registers.
template <class Real, class Function, class... Views>
void elementwise(MatrixView<Real> y, const Function& f, Views... x) {
  if (y.stride == y.cols && ((x.stride == x.cols) && ...)) {
    // Contiguous matrices are treated as one long row, to fill registers.
    const auto flat = [](auto& m) { m = {m.data, 1, m.size()}; };
    (flat(x), ..., flat(y));
  }
  for (std::int64_t r = 0; r < y.rows; ++r)
    overRow<Real>(y.cols, [&](std::int64_t j, std::int64_t left) {
      storeSome(y.row(r) + j, f(loadSome(x.row(r) + j, left)...), left);
    });
}

/// The same for dx += f(x...).
template <class Real, class Function, class... Views>
void accumulateElementwise(const GradientView<Real>& dx, const Function& f, Views... x) {
  if (!dx) return;
  if (dx.fresh) return elementwise(dx.sum, f, x...);
  elementwise(
      dx.sum, [&](Lane<Real> sum, auto... values) { return hn::Add(sum, f(values...)); }, dx.sum,
      x...);
}

}  // namespace
}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
