// SPDX-License-Identifier: GPL-3.0-or-later
#if defined(TFM_CPU_EXPONENTIAL_H) == defined(HWY_TARGET_TOGGLE)  // see vectors.h
#ifdef TFM_CPU_EXPONENTIAL_H
#undef TFM_CPU_EXPONENTIAL_H
#else
#define TFM_CPU_EXPONENTIAL_H
#endif

#include <hwy/contrib/math/math-inl.h>

#include "core/backend/cpu/vectors.h"

HWY_BEFORE_NAMESPACE();
namespace tfm::cpu::HWY_NAMESPACE {

/// The lower bound of exponential()'s argument. In a softmax, terms below its exp() are negligible:
/// the largest term is 1.
template <class Real>
inline constexpr Real kLowestExponent = sizeof(Real) == 4 ? Real(-87) : Real(-708);

/// max(x, kLowestExponent), or NaN if x is NaN.
template <class Real>
HWY_INLINE Lane<Real> atLeastLowest(Lane<Real> x) {
  const Lane<Real> lowest = allOf(kLowestExponent<Real>);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  return hn::Max(lowest, x);  // this processor's maximum is its second operand if one is NaN
#else
  return hn::IfThenElse(hn::Lt(x, lowest), lowest, x);
#endif
}

/// exp(max(x, kLowestExponent)) for x <= 0, within 2 ULP; NaN if x is NaN. Without support for
/// infinities and subnormals, which softmax does not need, float is faster than Highway's Exp.
HWY_INLINE Lane<float> exponential(Lane<float> x) {
  const Tag<float> d;
  const auto all = [](float value) { return allOf(value); };
  x = atLeastLowest<float>(x);
  // x = n log(2) + r, log(2) in two parts. Adding so large a number rounds n to an integer and
  // leaves n + 127 in the lowest bits.
  const auto large = all(0x1.8p23F + 127.0F);
  const Lane<float> shifted = hn::MulAdd(x, all(1.44269504F), large);
  const Lane<float> n = hn::Sub(shifted, large);
  const Lane<float> r = hn::MulAdd(n, all(2.12194440e-4F), hn::MulAdd(n, all(-0.693359375F), x));
  // exp(r) = 1 + r + r^2 p(r) for |r| <= log(2) / 2; coefficients: Cephes, expf
  Lane<float> p = hn::MulAdd(all(1.9875691500e-4F), r, all(1.3981999507e-3F));
  p = hn::MulAdd(p, r, all(8.3334519073e-3F));
  p = hn::MulAdd(p, r, all(4.1665795894e-2F));
  p = hn::MulAdd(p, r, all(1.6666665459e-1F));
  p = hn::MulAdd(p, r, all(5.0000001201e-1F));
  p = hn::MulAdd(p, hn::Mul(r, r), hn::Add(r, all(1.0F)));
  // times 2^n, by its bits
  const auto bits = hn::ShiftLeft<23>(hn::BitCast(hn::RebindToSigned<Tag<float>>(), shifted));
  return hn::Mul(p, hn::BitCast(d, bits));
}
HWY_INLINE Lane<double> exponential(Lane<double> x) {
  x = atLeastLowest<double>(x);
  // Exp(NaN) is 0.
  return hn::MulAdd(x, allOf(0.0), hn::Exp(Tag<double>(), x));
}

}  // namespace tfm::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
