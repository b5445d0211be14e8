// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/backend/plain_ops.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace tfm::test {

Outputs plainEmbedding(const Ids& ids, const PlainMatrix& table, double scale) {
  PlainMatrix y({std::int64_t(ids.size()), table.size.cols});
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t c = 0; c < y.size.cols; ++c)
      y.at(r, c) = scale * table.at(ids[std::size_t(r)], c);
  return {y};
}

Outputs plainAddPositions(const PlainMatrix& x, const PlainMatrix& positions, std::int64_t length) {
  PlainMatrix y(x.size);
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t c = 0; c < y.size.cols; ++c)
      y.at(r, c) = x.at(r, c) + positions.at(r % length, c);
  return {y};
}

Outputs plainLinear(const PlainMatrix& x, const PlainMatrix& w, const PlainMatrix& b) {
  PlainMatrix y({x.size.rows, w.size.rows});
  for (std::int64_t r = 0; r < y.size.rows; ++r) {
    for (std::int64_t o = 0; o < y.size.cols; ++o) {
      double sum = b.absent() ? 0.0 : b.at(0, o);
      for (std::int64_t i = 0; i < x.size.cols; ++i) sum += x.at(r, i) * w.at(o, i);
      y.at(r, o) = sum;
    }
  }
  return {y};
}

Outputs plainPadColumns(const PlainMatrix& x, std::int64_t cols) {
  PlainMatrix y({x.size.rows, cols});
  for (std::int64_t r = 0; r < x.size.rows; ++r)
    for (std::int64_t c = 0; c < x.size.cols; ++c) y.at(r, c) = x.at(r, c);
  return {y};
}

Outputs plainActivation(const PlainMatrix& x, Activation kind) {
  PlainMatrix y(x.size);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    const double v = x.values[i];
    switch (kind) {
      case Activation::Relu:
        y.values[i] = v > 0.0 ? v : 0.0;
        break;
      case Activation::Gelu:
        y.values[i] = v * 0.5 * std::erfc(-v / std::sqrt(2.0));
        break;
      case Activation::GeluTanh:
        y.values[i] =
            0.5 * v *
            (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (v + 0.044715 * v * v * v)));
        break;
    }
  }
  return {y};
}

Outputs plainAdd(const PlainMatrix& a, const PlainMatrix& b) {
  PlainMatrix y(a.size);
  for (std::size_t i = 0; i < y.values.size(); ++i) y.values[i] = a.values[i] + b.values[i];
  return {y};
}

Outputs plainGate(const PlainMatrix& x, const PlainMatrix& f, const PlainMatrix& g) {
  PlainMatrix y(x.size);
  for (std::size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = (1.0 - g.at(0, 0)) * x.values[i] + g.at(0, 0) * f.values[i];
  return {y};
}

Outputs plainDropout(const PlainMatrix& x, const Dropout& dropout) {
  PlainMatrix y(x.size);
  for (std::int64_t r = 0; r < y.size.rows; ++r) {
    for (std::int64_t c = 0; c < y.size.cols; ++c) {
      const auto number = std::uint64_t((dropout.first_row + r) * y.size.cols + c);
      const bool keeps = dropout.random.uniform(number) >= dropout.rate;
      y.at(r, c) = keeps ? x.at(r, c) / (1.0 - dropout.rate) : 0.0;
    }
  }
  return {y};
}

Outputs plainLayerNorm(const PlainMatrix& x, const PlainMatrix& gain, const PlainMatrix& bias,
                       double eps) {
  PlainMatrix y(x.size);
  PlainMatrix saved({x.size.rows, 2});
  const auto width = double(x.size.cols);
  for (std::int64_t r = 0; r < x.size.rows; ++r) {
    double mean = 0.0;
    for (std::int64_t c = 0; c < x.size.cols; ++c) mean += x.at(r, c) / width;
    double variance = 0.0;
    for (std::int64_t c = 0; c < x.size.cols; ++c)
      variance += (x.at(r, c) - mean) * (x.at(r, c) - mean) / width;
    saved.at(r, 0) = mean;
    saved.at(r, 1) = 1.0 / std::sqrt(variance + eps);
    for (std::int64_t c = 0; c < x.size.cols; ++c)
      y.at(r, c) = (x.at(r, c) - mean) / std::sqrt(variance + eps) * gain.at(0, c) +
                   (bias.absent() ? 0.0 : bias.at(0, c));
  }
  return {y, saved};
}

Outputs plainMaskedLayerNorm(const PlainMatrix& x, const PlainMatrix& gain, const PlainMatrix& bias,
                             double eps, const ColumnMask& mask) {
  PlainMatrix y(x.size);
  PlainMatrix saved({x.size.rows, 2});
  const auto m = [&](std::int64_t c) { return c < mask.full ? 1.0 : mask.weight; };
  double counted = 0.0;
  for (std::int64_t c = 0; c < x.size.cols; ++c) counted += m(c);
  for (std::int64_t r = 0; r < x.size.rows; ++r) {
    double mean = 0.0;
    for (std::int64_t c = 0; c < x.size.cols; ++c) mean += m(c) * x.at(r, c) / counted;
    double variance = 0.0;
    for (std::int64_t c = 0; c < x.size.cols; ++c)
      variance += m(c) * (x.at(r, c) - mean) * (x.at(r, c) - mean) / counted;
    saved.at(r, 0) = mean;
    saved.at(r, 1) = 1.0 / std::sqrt(variance + eps);
    for (std::int64_t c = 0; c < x.size.cols; ++c)
      y.at(r, c) = m(c) * ((x.at(r, c) - mean) / std::sqrt(variance + eps) * gain.at(0, c) +
                           (bias.absent() ? 0.0 : bias.at(0, c)));
  }
  return {y, saved};
}

Outputs plainRmsNorm(const PlainMatrix& x, const PlainMatrix& gain, double eps) {
  PlainMatrix y(x.size);
  PlainMatrix saved({x.size.rows, 1});
  for (std::int64_t r = 0; r < x.size.rows; ++r) {
    double squares = 0.0;
    for (std::int64_t c = 0; c < x.size.cols; ++c)
      squares += x.at(r, c) * x.at(r, c) / double(x.size.cols);
    saved.at(r, 0) = 1.0 / std::sqrt(squares + eps);
    for (std::int64_t c = 0; c < x.size.cols; ++c)
      y.at(r, c) = x.at(r, c) / std::sqrt(squares + eps) * gain.at(0, c);
  }
  return {y, saved};
}

Outputs plainAttention(const AttentionShape& s, const PlainMatrix& q, const PlainMatrix& k,
                       const PlainMatrix& v, const Ids& key_pad, const Dropout& dropout) {
  const double infinity = std::numeric_limits<double>::infinity();
  PlainMatrix mixed({s.batch * s.queries, s.heads * s.value_size});
  PlainMatrix scores({s.batch * s.heads * s.queries, s.keys});
  PlainMatrix masked(scores.size), probabilities(scores.size);
  for (std::int64_t b = 0; b < s.batch; ++b) {
    for (std::int64_t h = 0; h < s.heads; ++h) {
      for (std::int64_t i = 0; i < s.queries; ++i) {
        const std::int64_t row = (b * s.heads + h) * s.queries + i;
        double highest = -infinity;
        for (std::int64_t j = 0; j < s.keys; ++j) {
          for (std::int64_t c = 0; c < s.key_size; ++c)
            scores.at(row, j) += q.at(b * s.queries + i, h * s.key_size + c) *
                                 k.at(b * s.keys + j, h * s.key_size + c);
          const bool padded = !key_pad.empty() && key_pad[std::size_t(b * s.keys + j)] != 0;
          const bool forbidden = s.causal && j > i;
          masked.at(row, j) = forbidden ? -infinity
                                        : scores.at(row, j) / std::sqrt(double(s.key_size)) +
                                              (padded ? -10000.0 : 0.0);
          highest = std::fmax(highest, masked.at(row, j));
        }
        double sum = 0.0;
        for (std::int64_t j = 0; j < s.keys; ++j) sum += std::exp(masked.at(row, j) - highest);
        for (std::int64_t j = 0; j < s.keys; ++j)
          probabilities.at(row, j) = std::exp(masked.at(row, j) - highest) / sum;
      }
    }
  }
  const PlainMatrix dropped =
      dropout.rate > 0.0 ? plainDropout(probabilities, dropout).front() : PlainMatrix();
  const PlainMatrix& weights = dropped.absent() ? probabilities : dropped;
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h)
      for (std::int64_t i = 0; i < s.queries; ++i)
        for (std::int64_t j = 0; j < s.keys; ++j)
          for (std::int64_t c = 0; c < s.value_size; ++c)
            mixed.at(b * s.queries + i, h * s.value_size + c) +=
                weights.at((b * s.heads + h) * s.queries + i, j) *
                v.at(b * s.keys + j, h * s.value_size + c);
  return {mixed, probabilities, dropped, scores, masked};
}

Outputs plainMeanPool(const PlainMatrix& x, const Ids& pad, std::int64_t length) {
  PlainMatrix y({x.size.rows / length, x.size.cols});
  for (std::int64_t b = 0; b < y.size.rows; ++b) {
    for (std::int64_t c = 0; c < y.size.cols; ++c) {
      double sum = 0.0;
      int count = 0;
      for (std::int64_t r = b * length; r < (b + 1) * length; ++r) {
        if (pad[std::size_t(r)] != 0) continue;
        sum += x.at(r, c);
        ++count;
      }
      y.at(b, c) = count == 0 ? 0.0 : sum / count;
    }
  }
  return {y};
}

Outputs plainCrossEntropy(const PlainMatrix& logits, const Ids& labels,
                          const PlainMatrix& weights) {
  PlainMatrix loss({1, 1});
  PlainMatrix probabilities(logits.size);
  for (std::int64_t r = 0; r < logits.size.rows; ++r) {
    double sum = 0.0;
    for (std::int64_t c = 0; c < logits.size.cols; ++c) sum += std::exp(logits.at(r, c));
    for (std::int64_t c = 0; c < logits.size.cols; ++c)
      probabilities.at(r, c) = std::exp(logits.at(r, c)) / sum;
    loss.at(0, 0) -= weights.at(r, 0) * std::log(probabilities.at(r, labels[std::size_t(r)]));
  }
  return {loss, probabilities};
}

Outputs plainSquaredError(const PlainMatrix& x, const PlainMatrix& target, double scale) {
  PlainMatrix loss({1, 1});
  for (std::size_t i = 0; i < x.values.size(); ++i)
    loss.at(0, 0) += scale * (x.values[i] - target.values[i]) * (x.values[i] - target.values[i]);
  return {loss};
}

}  // namespace tfm::test
