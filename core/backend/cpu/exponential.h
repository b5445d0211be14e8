// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/cpu/lanes.h"

namespace tfm::cpu {

/// The least number that exponential() takes. A share of a softmax that is smaller than its exp()
/// cannot be noticed beside the largest share, which is at least 1.
template <class Real>
inline constexpr Real kLowestExponent = sizeof(Real) == 4 ? Real(-87) : Real(-708);

/// exp(x) for kLowestExponent <= x <= 0, to two units in the last place; nothing is promised
/// elsewhere. Such a softmax needs neither infinities nor numbers below the normal ones, without
/// which float is nearly twice as fast as Eigen's pexp.
inline Lane<float> exponential(Lane<float> x) {
  namespace ei = Eigen::internal;
  using Integers = ei::unpacket_traits<Lane<float>>::integer_packet;
  const auto all = [](float value) { return allOf(value); };
  // x = n log(2) + r, log(2) in two parts
  const Lane<float> n = ei::pfloor(ei::pmadd(x, all(1.44269504F), all(0.5F)));
  const Lane<float> r = ei::pmadd(n, all(2.12194440e-4F), ei::pmadd(n, all(-0.693359375F), x));
  // exp(r) = 1 + r + r^2 p(r) for |r| <= log(2) / 2; coefficients: Cephes, expf
  Lane<float> p = ei::pmadd(all(1.9875691500e-4F), r, all(1.3981999507e-3F));
  p = ei::pmadd(p, r, all(8.3334519073e-3F));
  p = ei::pmadd(p, r, all(4.1665795894e-2F));
  p = ei::pmadd(p, r, all(1.6666665459e-1F));
  p = ei::pmadd(p, r, all(5.0000001201e-1F));
  p = ei::pmadd(p, ei::pmul(r, r), ei::padd(r, all(1.0F)));
  // times 2^n, by its bits
  const auto bits = ei::pcast<Lane<float>, Integers>(ei::padd(n, all(127.0F)));
  return ei::pmul(p, ei::preinterpret<Lane<float>>(ei::plogical_shift_left<23>(bits)));
}
inline Lane<double> exponential(Lane<double> x) { return Eigen::internal::pexp(x); }

}  // namespace tfm::cpu
