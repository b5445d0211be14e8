// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/program/ops/ops.h"
#include "tests/core/program/ops/op_case.h"

namespace tfm::test {
namespace {

Outputs plainEmbedding(const PlainCall& c) {
  PlainMatrix y({std::int64_t(c.ids[0].size()), c.in[1].size.cols});
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t j = 0; j < y.size.cols; ++j)
      y.at(r, j) = c.get<EmbeddingArguments>().scale * c.in[1].at(c.ids[0][std::size_t(r)], j);
  return {y};
}

Outputs plainAddPositions(const PlainCall& c) {
  PlainMatrix y(c.in[0].size);
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t j = 0; j < y.size.cols; ++j)
      y.at(r, j) = c.in[0].at(r, j) + c.in[1].at(r % c.get<SequenceArguments>().length, j);
  return {y};
}

Outputs plainAdd(const PlainCall& c) {
  PlainMatrix y(c.in[0].size);
  for (std::size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = c.in[0].values[i] + c.in[1].values[i];
  return {y};
}

Outputs plainMultiply(const PlainCall& c) {
  PlainMatrix y(c.in[0].size);
  for (std::size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = c.in[0].values[i] * c.in[1].values[i];
  return {y};
}

Outputs plainRotary(const PlainCall& c) {
  const auto a = c.get<RotaryArguments>();
  PlainMatrix y = c.in[0];
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t head = 0; head < y.size.cols; head += a.key_size)
      for (std::int64_t i = 0; i < a.size / 2; ++i) {
        const double x1 = c.in[0].at(r, head + i), x2 = c.in[0].at(r, head + a.size / 2 + i);
        const double cosine = c.in[1].at(r % a.length, i);
        const double sine = c.in[1].at(r % a.length, a.size / 2 + i);
        y.at(r, head + i) = x1 * cosine - x2 * sine;
        y.at(r, head + a.size / 2 + i) = x2 * cosine + x1 * sine;
      }
  return {y};
}

template <std::int64_t times>
Outputs plainRepeatHeads(const PlainCall& c) {
  const std::int64_t size = c.get<RepeatArguments>().size;
  PlainMatrix y({c.in[0].size.rows, c.in[0].size.cols * times});
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t head = 0; head < c.in[0].size.cols / size; ++head)
      for (std::int64_t copy = 0; copy < times; ++copy)
        for (std::int64_t k = 0; k < size; ++k)
          y.at(r, (head * times + copy) * size + k) = c.in[0].at(r, head * size + k);
  return {y};
}

template <std::int64_t cols>
Outputs plainPadColumns(const PlainCall& c) {
  PlainMatrix y({c.in[0].size.rows, cols});
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t j = 0; j < c.in[0].size.cols; ++j) y.at(r, j) = c.in[0].at(r, j);
  return {y};
}

Outputs plainGate(const PlainCall& c) {
  PlainMatrix y(c.in[0].size);
  const double g = c.in[2].at(0, 0);
  for (std::size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = (1.0 - g) * c.in[0].values[i] + g * c.in[1].values[i];
  return {y};
}

Outputs plainAffine(const PlainCall& c) {
  PlainMatrix y(c.in[0].size);
  const std::int64_t rows = c.in[1].size.rows;
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t j = 0; j < y.size.cols; ++j)
      y.at(r, j) = c.in[1].at(r % rows, j) * c.in[0].at(r, j) + c.in[2].at(r % rows, j);
  return {y};
}

Outputs plainDropout(const PlainCall& c) {
  return {plainDropped(c.in[0], c.get<DropoutArguments>(), c.position)};
}

Outputs plainSquaredError(const PlainCall& c) {
  PlainMatrix loss({1, 1});
  for (std::size_t i = 0; i < c.in[0].values.size(); ++i)
    loss.at(0, 0) +=
        c.get<SquaredErrorArguments>().scale * std::pow(c.in[0].values[i] - c.in[1].values[i], 2);
  return {loss};
}

Outputs plainCrossEntropy(const PlainCall& c) {
  const PlainMatrix& logits = c.in[0];
  PlainMatrix loss({1, 1}), probabilities(logits.size);
  for (std::int64_t r = 0; r < logits.size.rows; ++r) {
    double sum = 0.0;
    for (std::int64_t j = 0; j < logits.size.cols; ++j) sum += std::exp(logits.at(r, j));
    for (std::int64_t j = 0; j < logits.size.cols; ++j)
      probabilities.at(r, j) = std::exp(logits.at(r, j)) / sum;
    loss.at(0, 0) -= c.in[2].at(r, 0) * std::log(probabilities.at(r, c.ids[1][std::size_t(r)]));
  }
  return {loss, probabilities};
}

Outputs plainMeanPool(const PlainCall& c) {
  const std::int64_t length = c.get<SequenceArguments>().length;
  PlainMatrix y({c.in[0].size.rows / length, c.in[0].size.cols});
  for (std::int64_t b = 0; b < y.size.rows; ++b) {
    for (std::int64_t j = 0; j < y.size.cols; ++j) {
      double sum = 0.0;
      int count = 0;
      for (std::int64_t r = b * length; r < (b + 1) * length; ++r) {
        if (c.ids[1][std::size_t(r)] != 0) continue;
        sum += c.in[0].at(r, j);
        ++count;
      }
      y.at(b, j) = count == 0 ? 0.0 : sum / count;
    }
  }
  return {y};
}

void addSimpleCases(std::vector<OpCase>& all) {
  const auto embedding = [&](const char* name, const Ids& ids, std::int64_t vocabulary,
                             std::int64_t hidden, double scale) {
    all.push_back(makeCase(name, plainEmbedding, [&](CaseBuilder& b) {
      ops::embedding(b, "y", b.given(ids), b.x(vocabulary, hidden), scale);
    }));
  };
  embedding("embedding 1", {0}, 1, 1, 1.0);
  embedding("embedding, repeated ids", {3, 0, 3, 6, 3}, 7, 9, 2.5);

  const auto positions = [&](const char* name, std::int64_t sequences, std::int64_t length,
                             std::int64_t longest, std::int64_t hidden) {
    all.push_back(makeCase(name, plainAddPositions, [&](CaseBuilder& b) {
      ops::addPositions(b, "y", b.x(sequences * length, hidden), b.x(longest, hidden), length);
    }));
  };
  positions("add positions 1", 1, 1, 1, 1);
  positions("add positions, longer table", 3, 5, 7, 9);

  all.push_back(makeCase("pad columns 1 -> 1", plainPadColumns<1>,
                         [](CaseBuilder& b) { ops::padColumns(b, "y", b.x(1, 1), 1); }));
  all.push_back(makeCase("pad columns 5 -> 17", plainPadColumns<17>,
                         [](CaseBuilder& b) { ops::padColumns(b, "y", b.x(7, 5), 17); }));
  for (const auto& [name, rows, cols] : {std::tuple{" 1x1", 1, 1}, {" 5x17", 5, 17}}) {
    all.push_back(makeCase(std::string("add") + name, plainAdd, [&](CaseBuilder& b) {
      ops::add(b, "y", b.x(rows, cols), b.x(rows, cols));
    }));
    all.push_back(makeCase(std::string("multiply") + name, plainMultiply, [&](CaseBuilder& b) {
      ops::multiply(b, "y", b.x(rows, cols), b.x(rows, cols));
    }));
    all.push_back(makeCase(std::string("gate") + name, plainGate, [&](CaseBuilder& b) {
      ops::gate(b, "y", b.x(rows, cols), b.x(rows, cols), b.x(1, 1));
    }));
  }

  const auto rotary = [&](const char* name, std::int64_t sequences, std::int64_t heads,
                          const RotaryArguments& a) {
    all.push_back(makeCase(name, plainRotary, [&](CaseBuilder& b) {
      ops::rotary(b, "y", b.x(sequences * a.length, heads * a.key_size), b.given(a.length, a.size),
                  a);
    }));
  };
  rotary("rotary 1 pair", 1, 1, {1, 2, 2});
  rotary("rotary 3 heads of 10", 2, 3, {5, 10, 10});
  rotary("rotary 6 of 9 columns", 3, 2, {4, 9, 6});
  all.push_back(makeCase("repeat heads, once", plainRepeatHeads<1>, [](CaseBuilder& b) {
    ops::repeatHeads(b, "y", b.x(1, 1), {1, 1});
  }));
  all.push_back(makeCase("repeat heads, 3 times", plainRepeatHeads<3>, [](CaseBuilder& b) {
    ops::repeatHeads(b, "y", b.x(5, 14), {3, 7});
  }));

  for (const auto& [name, rows, repeats, cols] : {std::tuple{"affine 1x1", 1, 1, 1},
                                                  {"affine 5x17", 5, 1, 17},
                                                  {"affine 6x9, 2 rows", 2, 3, 9}})
    all.push_back(makeCase(name, plainAffine, [&](CaseBuilder& b) {
      ops::affine(b, "y", b.x(rows * repeats, cols), b.x(rows, cols), b.x(rows, cols));
    }));

  const auto dropout = [&](const char* name, std::int64_t rows, std::int64_t cols, double rate,
                           const RunPosition& position) {
    all.push_back(makeCase(name, plainDropout,
                           [&](CaseBuilder& b) { ops::dropout(b, "y", b.x(rows, cols), rate); },
                           {{.sequences = rows}, true, false}));
    all.back().position = position;
  };
  dropout("dropout 0.5", 7, 9, 0.5, {3, 2, 0});
  dropout("dropout 0.1, later rows", 5, 17, 0.1, {3, 0, 11});

  for (const auto& [name, rows, cols] : {std::tuple{" 1", 1, 1}, {" 5x9", 5, 9}})
    all.push_back(
        makeCase(std::string("squared error") + name, plainSquaredError, [&](CaseBuilder& b) {
          ops::squaredError(b, "y", b.x(rows, cols), b.given(rows, cols),
                            1.0 / double(rows * cols));
        }));

  const auto entropy = [&](const char* name, const Ids& labels, std::int64_t outputs) {
    const auto rows = std::int64_t(labels.size());
    all.push_back(makeCase(name, plainCrossEntropy, [&](CaseBuilder& b) {
      ops::crossEntropy(b, "y", b.x(rows, outputs), b.given(labels), b.given(rows, 1));
    }));
  };
  entropy("cross-entropy 1", {0}, 3);
  entropy("cross-entropy 7x28", {27, 0, 5, 5, 13, 1, 26}, 28);
  all.push_back(widened(all.back()));

  const auto pool = [&](const char* name, const Ids& pad, std::int64_t length, std::int64_t cols) {
    all.push_back(makeCase(name, plainMeanPool, [&](CaseBuilder& b) {
      ops::meanPool(b, "y", b.x(std::int64_t(pad.size()), cols), b.given(pad), length);
    }));
  };
  pool("mean pool 1", {0}, 1, 1);
  pool("mean pool, pads", padAtEnd(5, {0, 3, 5, 1}), 5, 9);
}

Outputs plainLinear(const PlainCall& c) {
  const PlainMatrix &x = c.in[0], &w = c.in[1], &b = c.in[2];
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

double plainActivation(double v, Activation kind) {
  switch (kind) {
    case Activation::Relu:
      return v > 0.0 ? v : 0.0;
    case Activation::Gelu:
      return v * 0.5 * std::erfc(-v / std::sqrt(2.0));
    case Activation::GeluTanh:
      return 0.5 * v *
             (1.0 + std::tanh(std::sqrt(2.0 / std::numbers::pi) * (v + 0.044715 * v * v * v)));
    case Activation::Silu:
      return v / (1.0 + std::exp(-v));
  }
  return 0.0;
}

Outputs plainActivations(const PlainCall& c) {
  PlainMatrix y = c.in[0];
  for (double& v : y.values) v = plainActivation(v, c.get<Activation>());
  return {y};
}

void addMapCases(std::vector<OpCase>& all) {
  struct Sizes {
    const char* name;
    std::int64_t rows, in, out;
  };
  for (const Sizes& s :
       {Sizes{"1x1->1", 1, 1, 1}, Sizes{"1x9->7", 1, 9, 7}, Sizes{"7x5->3", 7, 5, 3},
        Sizes{"3x17->33", 3, 17, 33}, Sizes{"19x35->8", 19, 35, 8}, Sizes{"33x16->16", 33, 16, 16},
        Sizes{"5x65->67", 5, 65, 67}, Sizes{"3x129->131", 3, 129, 131}})
    for (const char* bias : {"", " bias"})
      all.push_back(
          makeCase(std::string("linear ") + s.name + bias, plainLinear, [&](CaseBuilder& b) {
            ops::linear(b, "y", b.x(s.rows, s.in), b.x(s.out, s.in),
                        *bias == 0 ? kNoTensor : b.x(1, s.out));
          }));
  for (const auto& [name, kind] : {std::pair{"relu", Activation::Relu},
                                   {"gelu", Activation::Gelu},
                                   {"gelu tanh", Activation::GeluTanh},
                                   {"silu", Activation::Silu}})
    for (const auto& [size, rows, cols] : {std::tuple{" 1x1", 1, 1}, {" 7x19", 7, 19}}) {
      all.push_back(makeCase(std::string(name) + size, plainActivations, [&](CaseBuilder& b) {
        ops::activation(b, "y", b.x(rows, cols), kind);
      }));
      if (rows > 1)  // at 0 a ReLU has no derivative
        all.push_back(
            widened(all.back(), kind == Activation::Relu ? Draw::Wide : Draw::WideAndZeros));
    }
}

/// Layer norm of columns that count m(column), by groups of as many as there are gains.
template <class Mask>
Outputs plainNorm(const PlainCall& c, double eps, const Mask& m) {
  const PlainMatrix &x = c.in[0], &gain = c.in[1], &bias = c.in[2];
  const std::int64_t size = gain.size.cols, groups = x.size.cols / size;
  PlainMatrix y(x.size), saved({x.size.rows, 2 * groups});
  double counted = 0.0;
  for (std::int64_t j = 0; j < size; ++j) counted += m(j);
  for (std::int64_t r = 0; r < x.size.rows; ++r) {
    for (std::int64_t g = 0; g < groups; ++g) {
      const auto number = [&](std::int64_t j) { return x.at(r, g * size + j); };
      double mean = 0.0, variance = 0.0;
      for (std::int64_t j = 0; j < size; ++j) mean += m(j) * number(j) / counted;
      for (std::int64_t j = 0; j < size; ++j)
        variance += m(j) * (number(j) - mean) * (number(j) - mean) / counted;
      saved.at(r, 2 * g) = mean;
      saved.at(r, 2 * g + 1) = 1.0 / std::sqrt(variance + eps);
      for (std::int64_t j = 0; j < size; ++j)
        y.at(r, g * size + j) =
            m(j) * ((number(j) - mean) / std::sqrt(variance + eps) * gain.at(0, j) +
                    (bias.absent() ? 0.0 : bias.at(0, j)));
    }
  }
  return {y, saved};
}

Outputs plainLayerNorm(const PlainCall& c) {
  return plainNorm(c, c.get<NormArguments>().eps, [](std::int64_t) { return 1.0; });
}

Outputs plainMaskedLayerNorm(const PlainCall& c) {
  const auto& a = c.get<MaskedNormArguments>();
  const double steps = double(c.position.step) - double(a.begin);
  const double weight = std::max(0.0, std::min(1.0, steps / double(a.steps)));
  return plainNorm(c, a.eps, [&](std::int64_t j) { return j < a.size ? 1.0 : weight; });
}

Outputs plainRmsNorm(const PlainCall& c) {
  const PlainMatrix &x = c.in[0], &gain = c.in[1];
  const std::int64_t size = gain.size.cols, groups = x.size.cols / size;
  PlainMatrix y(x.size), saved({x.size.rows, groups});
  for (std::int64_t r = 0; r < x.size.rows; ++r)
    for (std::int64_t group = 0; group < groups; ++group) {
      double squares = 0.0;
      for (std::int64_t j = group * size; j < (group + 1) * size; ++j)
        squares += x.at(r, j) * x.at(r, j) / double(size);
      saved.at(r, group) = 1.0 / std::sqrt(squares + c.get<NormArguments>().eps);
      for (std::int64_t j = 0; j < size; ++j)
        y.at(r, group * size + j) = x.at(r, group * size + j) * saved.at(r, group) * gain.at(0, j);
    }
  return {y, saved};
}

void addNormCases(std::vector<OpCase>& all) {
  const auto layer = [&](const std::string& name, std::int64_t rows, std::int64_t cols, bool bias,
                         double eps, std::int64_t groups = 1) {
    all.push_back(makeCase(name, plainLayerNorm, [&](CaseBuilder& b) {
      ops::layerNorm(b, "y", b.x(rows, groups * cols), b.x(1, cols),
                     bias ? b.x(1, cols) : kNoTensor, eps);
    }));
    if (cols > 8) all.push_back(widened(all.back()));
  };
  const auto rms = [&](const std::string& name, std::int64_t rows, std::int64_t cols, double eps,
                       std::int64_t groups = 1) {
    all.push_back(makeCase(name, plainRmsNorm, [&](CaseBuilder& b) {
      ops::rmsNorm(b, "y", b.x(rows, groups * cols), b.x(1, cols), eps);
    }));
    if (cols > 8) all.push_back(widened(all.back()));
  };
  for (const std::int64_t cols : {1, 3, 8, 17, 30}) {
    const std::string width = std::to_string(cols);
    layer("layer norm " + width, 5, cols, false, 1e-5);
    layer("layer norm bias " + width, 5, cols, true, 1e-6);
    rms("RMS norm " + width, 5, cols, 1e-6);
  }
  rms("RMS norm, large eps", 1, 5, 0.3);
  rms("RMS norm, 2 groups of 3", 5, 3, 1e-5, 2);
  rms("RMS norm, 3 groups of 17", 3, 17, 1e-6, 3);
  layer("layer norm, large eps", 1, 5, true, 0.3);
  layer("layer norm, 2 groups of 3", 5, 3, true, 1e-5, 2);
  layer("layer norm, 3 groups of 17", 3, 17, false, 1e-6, 3);

  // At step 2 of five the mask weighs 0.4.
  for (const auto& [name, step] :
       {std::pair{", weight 0", 0}, {", weight 0.4", 2}, {", weight 1", 5}}) {
    const auto masked = [&](const char* sizes, std::int64_t rows, std::int64_t cols, bool bias,
                            double eps, std::int64_t full) {
      all.push_back(makeCase(std::string("masked layer norm ") + sizes + name, plainMaskedLayerNorm,
                             [&](CaseBuilder& b) {
                               ops::maskedLayerNorm(b, "y", b.x(rows, cols), b.x(1, cols),
                                                    bias ? b.x(1, cols) : kNoTensor,
                                                    {eps, full, 0, 5});
                             }));
      all.back().position.step = std::uint64_t(step);
    };
    masked("3 of 5", 5, 5, true, 1e-5, 3);
    masked("8 of 17", 5, 17, false, 1e-6, 8);
    masked("13 of 30", 5, 30, true, 1e-6, 13);
    all.push_back(widened(all.back()));
    masked("7 of 7", 1, 7, true, 0.3, 7);
  }
}

}  // namespace

Ids padAtEnd(std::int64_t length, const std::vector<std::int64_t>& padded) {
  Ids flags;
  for (const std::int64_t count : padded)
    for (std::int64_t i = 0; i < length; ++i) flags.push_back(i >= length - count ? 1 : 0);
  return flags;
}

PlainMatrix plainDropped(const PlainMatrix& x, const DropoutArguments& a, const RunPosition& p) {
  PlainMatrix y(x.size);
  const Random random(p.seed, a.stream, p.step);
  const auto first = std::uint64_t(p.first_sequence * a.rows_per_sequence * x.size.cols);
  for (std::size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = random.uniform(first + i) >= a.rate ? x.values[i] / (1.0 - a.rate) : 0.0;
  return y;
}

std::vector<OpCase> opCases() {
  std::vector<OpCase> all;
  for (const auto cases : {attentionCases, relativeCases, lengthCases, groupCases})
    for (OpCase& c : cases()) all.push_back(std::move(c));
  addSimpleCases(all);
  addMapCases(all);
  addNormCases(all);
  return all;
}

}  // namespace tfm::test
