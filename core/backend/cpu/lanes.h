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

#elif defined(__AVX2__)

// Likewise. A masked store takes AMD's processors tens of cycles, so numbers are stored by fours,
// twos and ones.
inline __m256i firstMask(const float*, std::int64_t count) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(int(count)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline __m256i firstMask(const double*, std::int64_t count) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(count), _mm256_setr_epi64x(0, 1, 2, 3));
}
inline Lane<float> loadFirst(const float* from, std::int64_t count) {
  return _mm256_maskload_ps(from, firstMask(from, count));
}
inline Lane<double> loadFirst(const double* from, std::int64_t count) {
  return _mm256_maskload_pd(from, firstMask(from, count));
}
inline Lane<float> firstOf(Lane<float> lane, std::int64_t count) {
  return _mm256_and_ps(lane, _mm256_castsi256_ps(firstMask(static_cast<float*>(nullptr), count)));
}
inline Lane<double> firstOf(Lane<double> lane, std::int64_t count) {
  return _mm256_and_pd(lane, _mm256_castsi256_pd(firstMask(static_cast<double*>(nullptr), count)));
}
inline void storeFirst(float* to, Lane<float> lane, std::int64_t count) {
  __m128 next = _mm256_castps256_ps128(lane);
  if ((count & 4) != 0) {
    _mm_storeu_ps(to, next);
    next = _mm256_extractf128_ps(lane, 1);
    to += 4;
  }
  if ((count & 2) != 0) {
    _mm_storel_pi(reinterpret_cast<__m64*>(to), next);
    next = _mm_movehl_ps(next, next);
    to += 2;
  }
  if ((count & 1) != 0) _mm_store_ss(to, next);
}
inline void storeFirst(double* to, Lane<double> lane, std::int64_t count) {
  __m128d next = _mm256_castpd256_pd128(lane);
  if ((count & 2) != 0) {
    _mm_storeu_pd(to, next);
    next = _mm256_extractf128_pd(lane, 1);
    to += 2;
  }
  if ((count & 1) != 0) _mm_store_sd(to, next);
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
