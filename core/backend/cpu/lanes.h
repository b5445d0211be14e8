// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace tfm::cpu {

/// One vector register of the instruction set that core is compiled for, as Eigen names it. Its
/// functions (pmadd, pexp, ...) are Eigen's packet functions; arrays of registers stay in registers
/// only when loops over them unroll.
template <class Real>
using Lane = typename Eigen::internal::packet_traits<Real>::type;

/// Numbers in one register.
template <class Real>
inline constexpr std::int64_t kTile = Eigen::internal::packet_traits<Real>::size;

/// The smallest multiple of kTile that is at least `cols`.
template <class Real>
constexpr std::int64_t padded(std::int64_t cols) {
  return (cols + kTile<Real> - 1) / kTile<Real> * kTile<Real>;
}

template <class Real>
Lane<Real> allOf(Real value) {
  return Eigen::internal::pset1<Lane<Real>>(value);
}
template <class Real>
Lane<Real> loadLane(const Real* from) {
  return Eigen::internal::ploadu<Lane<Real>>(from);
}
template <class Real>
void storeLane(Real* to, Lane<Real> lane) {
  Eigen::internal::pstoreu(to, lane);
}

#if defined(__AVX512F__)

// The first `count` numbers by a mask: nothing behind them is touched.
inline Lane<float> loadFirst(const float* from, std::int64_t count) {
  return _mm512_maskz_loadu_ps(__mmask16((1U << count) - 1U), from);
}
inline Lane<double> loadFirst(const double* from, std::int64_t count) {
  return _mm512_maskz_loadu_pd(__mmask8((1U << count) - 1U), from);
}
inline Lane<float> firstOf(Lane<float> lane, std::int64_t count) {
  return _mm512_maskz_mov_ps(__mmask16((1U << count) - 1U), lane);
}
inline Lane<double> firstOf(Lane<double> lane, std::int64_t count) {
  return _mm512_maskz_mov_pd(__mmask8((1U << count) - 1U), lane);
}
inline void storeFirst(float* to, Lane<float> lane, std::int64_t count) {
  _mm512_mask_storeu_ps(to, __mmask16((1U << count) - 1U), lane);
}
inline void storeFirst(double* to, Lane<double> lane, std::int64_t count) {
  _mm512_mask_storeu_pd(to, __mmask8((1U << count) - 1U), lane);
}

#else

/// The first `count` < kTile numbers, the rest zero; nothing behind them is touched.
template <class Real>
Lane<Real> loadFirst(const Real* from, std::int64_t count) {
  Real numbers[kTile<Real>] = {};
  for (std::int64_t i = 0; i < count; ++i) numbers[i] = from[i];
  return loadLane(numbers);
}
/// The register with all but its first `count` numbers set to zero.
inline Lane<float> firstOf(Lane<float> lane, std::int64_t count) {
  float numbers[kTile<float>];
  storeLane(numbers, lane);
  return loadFirst(numbers, count);
}
inline Lane<double> firstOf(Lane<double> lane, std::int64_t count) {
  double numbers[kTile<double>];
  storeLane(numbers, lane);
  return loadFirst(numbers, count);
}
template <class Real>
void storeFirst(Real* to, Lane<Real> lane, std::int64_t count) {
  Real numbers[kTile<Real>];
  storeLane(numbers, lane);
  for (std::int64_t i = 0; i < count; ++i) to[i] = numbers[i];
}

#endif

/// The numbers of one register, or the `left` ones that there still are.
template <class Real>
Lane<Real> loadSome(const Real* from, std::int64_t left) {
  return left >= kTile<Real> ? loadLane(from) : loadFirst(from, left);
}
template <class Real>
void storeSome(Real* to, Lane<Real> lane, std::int64_t left) {
  if (left >= kTile<Real>)
    storeLane(to, lane);
  else
    storeFirst(to, lane, left);
}

}  // namespace tfm::cpu
