// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/program/ops/op_description.h"
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

using namespace explain;

struct SequencePoolExplained {
  static constexpr std::string_view kOutputs = "y", kInputs = "x";
  static std::string sentence(const StepReader& s) {
    const bool mean = s.get<SequencePoolArguments>().kind == Pooling::Mean;
    return counted(s.in(0).rows, "position") + " become " + std::to_string(s.out().rows) +
           ": two neighbours are replaced by their " + (mean ? "mean" : "maximum");
  }
  static std::vector<std::vector<std::int64_t>> positions(const std::any& arguments) {
    const auto& sequence = std::any_cast<const SequencePoolArguments&>(arguments).sequence;
    std::vector<std::vector<std::int64_t>> all(std::size_t(sequence.pooledLength()));
    overWindows(sequence, std::ssize(all),
                [&](std::int64_t to, std::int64_t first, std::int64_t count) {
                  for (std::int64_t i = 0; i < count; ++i)
                    all[std::size_t(to)].push_back(first + i);
                });
    return all;
  }
  template <class Real>
  static Explanation explain(const OpCall<Real>& c, const StepNumber& of) {
    const auto& [sequence, kind] = c.template get<SequencePoolArguments>();
    const bool mean = kind == Pooling::Mean;
    if (!of.gradient) {
      Explanation e{mean ? "y[t, c] = mean of x[2t, c], x[2t + 1, c]"
                         : "y[t, c] = maximum of x[2t, c], x[2t + 1, c]"};
      if (!mean) e.rule = Explanation::Rule::Largest;
      overWindow(sequence, of.row, [&](std::int64_t, std::int64_t first, std::int64_t count) {
        for (std::int64_t r = first; r < first + count; ++r)
          product(e, c, mean ? 1.0 / double(count) : 1.0, {in(0, r, of.col)});
      });
      return e;
    }
    Explanation e{mean ? "dx[s, c] = dy[t, c] / positions that t holds"
                       : "dx[s, c] = dy[t, c] where x[s, c] is the maximum"};
    overWindows(sequence, c.out(0).rows,
                [&](std::int64_t row, std::int64_t first, std::int64_t count) {
                  if (of.row < first || of.row >= first + count) return;
                  if (mean) return product(e, c, 1.0 / double(count), {d(out(0, row, of.col))});
                  const auto x = c.in(0);
                  const bool second =
                      count == 2 && secondWins(x.at(first, of.col), x.at(first + 1, of.col));
                  if (of.row == first + (second ? 1 : 0))
                    product(e, c, 1, {d(out(0, row, of.col))});
                });
    return e;
  }
};

}  // namespace

// Dai et al. 2020, section 2.2; which positions make a pair: SequencePooling.
const Op kSequencePool = explained<SequencePoolExplained>(makeOp<SequencePoolKernels>(
    "sequence pool", "y[t] = mean or maximum of x[2t], x[2t + 1]; [CLS] by itself"));

TensorId sequencePool(ProgramBuilder& b, const std::string& path, TensorId x,
                      const SequencePooling& sequence, Pooling kind) {
  const TensorInfo t = b.tensor(x);
  check(sequence.length >= 1 && t.rows % sequence.length == 0, "sequence pool: whole sequences");
  const TensorId y = b.activation(path, t.rows / sequence.length * sequence.pooledLength(), t.cols);
  b.append({&kSequencePool, path, {x}, {y}, SequencePoolArguments{sequence, kind}});
  return y;
}

}  // namespace tfm::ops
