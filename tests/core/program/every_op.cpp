// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/program/every_op.h"

#include "core/program/ops/ops.h"
#include "core/tensor/random.h"

namespace tfm::test {

Program everyOp(const EveryOpSizes& s) {
  ProgramBuilder b({s.sequences, s.length, 0}, s.dropout > 0.0, false);
  const std::int64_t rows = s.sequences * s.length;
  const Dimension hidden{{Axis::Hidden, s.hidden}};
  const InitialRule drawn{InitialValues::Normal, 0.5};
  const auto weight = [&](const char* name) { return b.parameter(name, {hidden, hidden}, drawn); };
  const TensorId ids = b.ids("ids", rows);
  const TensorId pad = b.ids("pad", rows);
  const TensorId labels = b.ids("labels", s.sequences);
  const TensorId weights = b.input("weights", s.sequences, 1);
  const TensorId target = b.input("target", rows, s.hidden);

  const TensorId table = b.parameter("table", {{{Axis::Vocabulary, s.vocabulary}}, hidden}, drawn);
  TensorId x = ops::embedding(b, "embedding", ids, table, 1.5);
  const std::vector<double> steps(std::size_t(s.length * s.hidden), 0.25);
  x = ops::addPositions(b, "positions", x, b.constant("steps", s.length, s.hidden, steps),
                        s.length);
  // Half the columns, filled up with zeros, on top.
  const TensorId narrow =
      b.parameter("narrow.weight", {{{Axis::FeedForward, s.hidden / 2}}, hidden}, drawn);
  const TensorId half = ops::linear(b, "narrow", x, narrow, kNoTensor);
  x = ops::add(b, "widened", x, ops::padColumns(b, "padded", half, s.hidden));
  const TensorId n = ops::layerNorm(b, "norm", x, b.parameter("norm.gain", {hidden}, drawn),
                                    b.parameter("norm.bias", {hidden}, drawn), 1e-5);
  const TensorId q = ops::linear(b, "query", n, weight("query.weight"), kNoTensor);
  const TensorId k = ops::linear(b, "key", n, weight("key.weight"), kNoTensor);
  const TensorId v = ops::linear(b, "value", n, weight("value.weight"), kNoTensor);
  const AttentionShape shape{s.sequences, s.length, s.length, 2, s.hidden / 2, s.hidden / 2, false};
  TensorId y = ops::attention(b, "attention", q, k, v, pad, shape, s.dropout);
  y = ops::linear(b, "output", y, weight("output.weight"),
                  b.parameter("output.bias", {hidden}, drawn));
  y = ops::dropout(b, "dropout", y, s.dropout);
  y = ops::add(b, "residual", x, y);
  y = ops::maskedLayerNorm(b, "masked_norm", y, b.parameter("masked_norm.gain", {hidden}, drawn),
                           b.parameter("masked_norm.bias", {hidden}, drawn),
                           {1e-5, s.hidden / 2, 3, 4});
  y = ops::gate(b, "gated", x, y, b.parameter("gate", {{{Axis::Layer, 1}}}, drawn));
  y = ops::rmsNorm(b, "last_norm", y, b.parameter("last_norm.gain", {hidden}, drawn), 1e-5);
  y = ops::activation(b, "states", y, Activation::Gelu);
  ops::squaredError(b, "error", y, target, 0.5);
  y = ops::meanPool(b, "pooled", y, pad, s.length);
  y = ops::linear(b, "logits", y,
                  b.parameter("logits.weight", {{{Axis::Output, s.classes}}, hidden}, drawn),
                  kNoTensor);
  ops::crossEntropy(b, "loss", y, labels, weights);
  return b.finish();
}

template <class Real>
void setDrawnInputs(Executor<Real>& executor, const EveryOpSizes& s, std::int64_t first) {
  const Program& program = executor.program();
  const Random random(17, 1);
  const auto rows = std::size_t(s.sequences * s.length);
  std::vector<std::int32_t> ids(rows), pad(rows), labels;
  std::vector<Real> target, weights;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto place = std::uint64_t(first * s.length) + r;
    ids[r] = std::int32_t(random.integer(place, s.vocabulary));
    pad[r] = std::int64_t(r) % s.length == 2 && random.uniform(1000 + place) < 0.5 ? 1 : 0;
    for (std::int64_t c = 0; c < s.hidden; ++c)
      target.push_back(
          Real(random.normal(2000 + place * std::uint64_t(s.hidden) + std::uint64_t(c))));
  }
  for (std::int64_t i = 0; i < s.sequences; ++i) {
    const auto place = std::uint64_t(first + i);
    labels.push_back(std::int32_t(random.integer(9000 + place, s.classes)));
    weights.push_back(Real(0.25 + random.uniform(9500 + place)));
  }
  executor.upload(program.find("ids"), ids);
  executor.upload(program.find("pad"), pad);
  executor.upload(program.find("labels"), labels);
  executor.upload(program.find("target"), target);
  executor.upload(program.find("weights"), weights);
}

template void setDrawnInputs(Executor<float>&, const EveryOpSizes&, std::int64_t);
template void setDrawnInputs(Executor<double>&, const EveryOpSizes&, std::int64_t);

}  // namespace tfm::test
