// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/cpu/norm.h"

#include <cmath>
#include <cstdint>

#include "core/backend/cpu/lanes.h"
#include "core/backend/cpu/tile_product.h"

namespace tfm::cpu {
namespace {

namespace ei = Eigen::internal;

/// Calls work(j, left) for the registers of a row of `cols` numbers: where each begins, and how
/// many numbers are left from there on. What a register holds beyond the row is read as zero and
/// never written.
template <class Real, class Work>
void overRow(std::int64_t cols, const Work& work) {
  for (std::int64_t j = 0; j < cols; j += kTile<Real>) work(j, cols - j);
}

template <class Real>
Real rowSum(const Real* x, std::int64_t cols) {
  Lane<Real> sum = allOf(Real(0));
  overRow<Real>(cols, [&](auto j, auto left) { sum = ei::padd(sum, loadSome(x + j, left)); });
  return ei::predux(sum);
}

template <class Real>
Real rowSquares(const Real* x, std::int64_t cols) {
  Lane<Real> sum = allOf(Real(0));
  overRow<Real>(cols, [&](auto j, auto left) {
    const Lane<Real> value = loadSome(x + j, left);
    sum = ei::pmadd(value, value, sum);
  });
  return ei::predux(sum);
}

/// y += a b, or y = a b
template <class Real>
void accumulateProduct(Real* y, bool fresh, Lane<Real> a, Lane<Real> b, std::int64_t left) {
  storeSome(y, fresh ? ei::pmul(a, b) : ei::pmadd(a, b, loadSome<Real>(y, left)), left);
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

}  // namespace

template <class Real>
void LayerNorm<Real>::forward(Out y, Out saved, In x, In gain, In bias, Real eps) {
  const auto cols = Real(x.cols);
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const Real* in = x.row(r);
    Real* out = y.row(r);
    const Real mean = rowSum(in, x.cols) / cols;
    const Lane<Real> means = allOf(mean);
    const auto centred = [&](std::int64_t j, std::int64_t left) {
      return ei::psub(loadSome(in + j, left), left >= kTile<Real> ? means : firstOf(means, left));
    };
    Lane<Real> squares = allOf(Real(0));
    overRow<Real>(x.cols, [&](auto j, auto left) {
      const Lane<Real> value = centred(j, left);
      squares = ei::pmadd(value, value, squares);
    });
    const Real scale = Real(1) / std::sqrt(ei::predux(squares) / cols + eps);
    const Lane<Real> scales = allOf(scale);
    overRow<Real>(x.cols, [&](auto j, auto left) {
      const Lane<Real> n = ei::pmul(centred(j, left), scales);
      const Lane<Real> shift = bias ? loadSome(bias.data + j, left) : allOf(Real(0));
      storeSome(out + j, ei::pmadd(n, loadSome(gain.data + j, left), shift), left);
    });
    saved.at(r, 0) = mean;
    saved.at(r, 1) = scale;
  }
}

template <class Real>
void LayerNorm<Real>::backward(Gradient dx, Gradient dgain, Gradient dbias, In dy, In x, In gain,
                               In saved) {
  // n = (x - mean) * scale;  y = n * gain + bias
  Real* gains = begun(dgain).data;
  for (std::int64_t r = 0; r < x.rows; ++r)
    rowBackward(rowOrNull(dx.sum, r), dx.fresh, gains, dy.row(r), x.row(r), gain.data, x.cols,
                saved.at(r, 0), saved.at(r, 1), true);
  if (dbias) addRows<Real>(begun(dbias), dy);
}

template <class Real>
void RmsNorm<Real>::forward(Out y, Out saved, In x, In gain, Real eps) {
  for (std::int64_t r = 0; r < x.rows; ++r) {
    const Real* in = x.row(r);
    Real* out = y.row(r);
    const Real scale = Real(1) / std::sqrt(rowSquares(in, x.cols) / Real(x.cols) + eps);
    const Lane<Real> scales = allOf(scale);
    overRow<Real>(x.cols, [&](auto j, auto left) {
      const Lane<Real> n = ei::pmul(loadSome(in + j, left), scales);
      storeSome(out + j, ei::pmul(n, loadSome(gain.data + j, left)), left);
    });
    saved.at(r, 0) = scale;
  }
}

template <class Real>
void RmsNorm<Real>::backward(Gradient dx, Gradient dgain, In dy, In x, In gain, In saved) {
  // n = x * scale;  y = n * gain
  Real* gains = begun(dgain).data;
  for (std::int64_t r = 0; r < x.rows; ++r)
    rowBackward(rowOrNull(dx.sum, r), dx.fresh, gains, dy.row(r), x.row(r), gain.data, x.cols,
                Real(0), saved.at(r, 0), false);
}

template struct LayerNorm<float>;
template struct LayerNorm<double>;
template struct RmsNorm<float>;
template struct RmsNorm<double>;

}  // namespace tfm::cpu
