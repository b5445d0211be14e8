// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/program/ops/ops.h"
#include "core/program/ops/pooling_windows.h"
#include "core/tensor/eigen_map.h"

namespace tfm::ops {
namespace {

/// Of equals the first wins; what is not a number wins over any number.
template <class Real>
bool secondWins(Real first, Real second) {
  return first < second || std::isnan(second);
}

struct SequencePoolKernels {
  template <class Real>
  static void forward(const OpCall<Real>& c) {
    const auto x = c.in(0);
    const auto y = c.out(0);
    const auto& [sequence, kind] = c.template get<SequencePoolArguments>();
    overWindows(sequence, y.rows, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      if (count == 1) {
        map(y).row(row) = map(x).row(first);
      } else if (kind == Pooling::Mean) {
        map(y).row(row) = Real(0.5) * (map(x).row(first) + map(x).row(first + 1));
      } else {
        const Real *a = x.row(first), *b = x.row(first + 1);
        for (std::int64_t j = 0; j < x.cols; ++j)
          y.at(row, j) = secondWins(a[j], b[j]) ? b[j] : a[j];
      }
    });
  }
  template <class Real>
  static void backward(const OpCall<Real>& c) {
    // mean: dx = dy / positions;  max: dx = dy at the one that won, 0 at the other
    const auto x = c.in(0);
    const auto dx = clearIfFresh(c.din(0));
    const auto dy = c.dout(0);
    if (!dx) return;
    const auto& [sequence, kind] = c.template get<SequencePoolArguments>();
    overWindows(sequence, dy.rows, [&](std::int64_t row, std::int64_t first, std::int64_t count) {
      if (count == 1) {
        map(dx).row(first) += map(dy).row(row);
      } else if (kind == Pooling::Mean) {
        map(dx).row(first) += Real(0.5) * map(dy).row(row);
        map(dx).row(first + 1) += Real(0.5) * map(dy).row(row);
      } else {
        for (std::int64_t j = 0; j < dy.cols; ++j) {
          const bool second = secondWins(x.at(first, j), x.at(first + 1, j));
          dx.at(first + (second ? 1 : 0), j) += dy.at(row, j);
        }
      }
    });
  }
  template <class Real>
  static std::int64_t flops(const OpCall<Real>& c) {
    return c.in(0).size();
  }
};

}  // namespace

// Dai et al. 2020, section 2.2; which positions make a pair: SequencePooling.
const Op kSequencePool = makeOp<SequencePoolKernels>(
    "sequence pool", "y[t] = mean or maximum of x[2t], x[2t + 1]; [CLS] by itself");

TensorId sequencePool(ProgramBuilder& b, const std::string& path, TensorId x,
                      const SequencePooling& sequence, Pooling kind) {
  const TensorInfo t = b.tensor(x);
  check(sequence.length >= 1 && t.rows % sequence.length == 0, "sequence pool: whole sequences");
  const TensorId y = b.activation(path, t.rows / sequence.length * sequence.pooledLength(), t.cols);
  b.append({&kSequencePool, path, {x}, {y}, SequencePoolArguments{sequence, kind}});
  return y;
}

}  // namespace tfm::ops
