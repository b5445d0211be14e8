// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/masked_norm.h"

#include <array>
#include <cmath>
#include <cstdint>

#include "core/backend/cpu/eigen_map.h"
#include "core/backend/cpu/norm.h"

namespace tfm::cpu {
namespace {

template <class Real>
using RowMap = Eigen::Map<Eigen::Array<Real, 1, Eigen::Dynamic>>;
template <class Real>
using ConstRowMap = Eigen::Map<const Eigen::Array<Real, 1, Eigen::Dynamic>>;

/// Columns that count alike.
template <class Real>
struct Part {
  std::int64_t first;
  std::int64_t count;
  Real weight;

  ConstRowMap<Real> of(const Real* row) const { return {row + first, count}; }
  RowMap<Real> of(Real* row) const { return {row + first, count}; }
};

template <class Real>
std::array<Part<Real>, 2> partsOf(std::int64_t cols, const ColumnMask& mask) {
  return {{{0, mask.full, Real(1)}, {mask.full, cols - mask.full, Real(mask.weight)}}};
}

/// sum(m)
template <class Real>
Real countOf(const std::array<Part<Real>, 2>& parts) {
  Real count = 0;
  for (const Part<Real>& p : parts) count += p.weight * Real(p.count);
  return count;
}

}  // namespace

template <class Real>
void MaskedLayerNorm<Real>::forward(Out y, Out saved, In x, In gain, In bias, Real eps,
                                    const ColumnMask& mask) {
  if (mask.weight == 1.0) return LayerNorm<Real>::forward(y, saved, x, gain, bias, eps);
  const auto parts = partsOf<Real>(x.cols, mask);
  const Real count = countOf(parts);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    Real mean = 0;
    for (const auto& p : parts) mean += p.weight * p.of(x.row(r)).sum();
    mean /= count;
    Real variance = 0;
    for (const auto& p : parts) variance += p.weight * (p.of(x.row(r)) - mean).square().sum();
    variance /= count;
    const Real scale = Real(1) / std::sqrt(variance + eps);
    for (const auto& p : parts) {
      auto out = p.of(y.row(r));
      out = (p.of(x.row(r)) - mean) * scale * p.of(gain.data);
      if (bias) out += p.of(bias.data);
      out *= p.weight;
    }
    saved.at(r, 0) = mean;
    saved.at(r, 1) = scale;
  }
}

template <class Real>
void MaskedLayerNorm<Real>::backward(Out dx, Out dgain, Out dbias, In dy, In x, In gain, In saved,
                                     const ColumnMask& mask) {
  if (mask.weight == 1.0) return LayerNorm<Real>::backward(dx, dgain, dbias, dy, x, gain, saved);
  const auto parts = partsOf<Real>(x.cols, mask);
  const Real count = countOf(parts);
  // n = (x - mean) * scale;  y = m (n * gain + bias);  dn = m dy * gain
  // dx = scale * (dn - m (sum(dn) + n * sum(dn * n)) / sum(m))
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const Real mean = saved.at(r, 0), scale = saved.at(r, 1);
    const auto normal = [&](const auto& p) { return (p.of(x.row(r)) - mean) * scale; };
    const auto dnormal = [&](const auto& p) {
      return p.of(dy.row(r)) * p.of(gain.data) * p.weight;
    };
    Real sum_dn = 0, sum_dn_n = 0;
    for (const auto& p : parts) {
      sum_dn += dnormal(p).sum();
      sum_dn_n += (dnormal(p) * normal(p)).sum();
      if (dgain) p.of(dgain.data) += p.of(dy.row(r)) * normal(p) * p.weight;
      if (dbias) p.of(dbias.data) += p.of(dy.row(r)) * p.weight;
    }
    if (!dx) continue;
    for (const auto& p : parts)
      p.of(dx.row(r)) +=
          scale * (dnormal(p) - (sum_dn + normal(p) * sum_dn_n) * (p.weight / count));
  }
}

template struct MaskedLayerNorm<float>;
template struct MaskedLayerNorm<double>;

}  // namespace tfm::cpu
