// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/norm.h"

#include <cmath>
#include <cstdint>

#include "core/backend/cpu/eigen_map.h"

namespace tfm::cpu {

template <class Real>
void LayerNorm<Real>::forward(Out y, Out saved, In x, In gain, In bias, Real eps) {
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const auto in = map(x).row(r).array();
    const Real mean = in.mean();
    const Real scale = Real(1) / std::sqrt((in - mean).square().mean() + eps);
    saved.at(r, 0) = mean;
    saved.at(r, 1) = scale;
    auto out = map(y).row(r).array();
    out = (in - mean) * scale * map(gain).row(0).array();
    if (bias) out += map(bias).row(0).array();
  }
}

template <class Real>
void LayerNorm<Real>::backward(Out dx, Out dgain, Out dbias, In dy, In x, In gain, In saved) {
  // n = (x - mean) * scale;  y = n * gain + bias
  const auto g = map(gain).row(0).array();
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const Real mean = saved.at(r, 0);
    const Real scale = saved.at(r, 1);
    const auto n = (map(x).row(r).array() - mean) * scale;
    const auto dout = map(dy).row(r).array();
    if (dgain) map(dgain).row(0).array() += dout * n;
    if (dbias) map(dbias).row(0).array() += dout;
    if (!dx) continue;
    // dx = scale * (dn - mean(dn) - n * mean(dn * n)),  dn = dy * gain
    const Real mean_dn = (dout * g).mean();
    const Real mean_dn_n = (dout * g * n).mean();
    map(dx).row(r).array() += scale * (dout * g - mean_dn - n * mean_dn_n);
  }
}

template <class Real>
void RmsNorm<Real>::forward(Out y, Out saved, In x, In gain, Real eps) {
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const auto in = map(x).row(r).array();
    const Real scale = Real(1) / std::sqrt(in.square().mean() + eps);
    saved.at(r, 0) = scale;
    map(y).row(r).array() = in * scale * map(gain).row(0).array();
  }
}

template <class Real>
void RmsNorm<Real>::backward(Out dx, Out dgain, In dy, In x, In gain, In saved) {
  // n = x * scale;  y = n * gain
  const auto g = map(gain).row(0).array();
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const Real scale = saved.at(r, 0);
    const auto n = map(x).row(r).array() * scale;
    const auto dout = map(dy).row(r).array();
    if (dgain) map(dgain).row(0).array() += dout * n;
    if (!dx) continue;
    // dx = scale * (dn - n * mean(dn * n)),  dn = dy * gain
    const Real mean_dn_n = (dout * g * n).mean();
    map(dx).row(r).array() += scale * (dout * g - n * mean_dn_n);
  }
}

template struct LayerNorm<float>;
template struct LayerNorm<double>;
template struct RmsNorm<float>;
template struct RmsNorm<double>;

}  // namespace tfm::cpu
