// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/program/every_op.h"

#include "core/program/ops/ops.h"
#include "core/tensor/random.h"

namespace tfm::test {

Program everyOp(const EveryOpSizes& s) {
  ProgramBuilder b({s.sequences, s.length, 0}, s.dropout > 0.0, s.scores, {}, s.watched);
  const std::int64_t rows = s.sequences * s.length;
  const Dimension hidden{{Axis::Hidden, s.hidden}};
  const InitialRule drawn{InitialValues::Normal, 0.5};
  const auto weight = [&](const char* name) { return b.parameter(name, {hidden, hidden}, drawn); };
  const TensorId ids = b.ids("ids", rows);
  const TensorId pad = b.ids("pad", rows);
  const TensorId segments = b.ids("segments", rows);
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
  // Two groups of columns, widened by what they are made from.
  const Dimension half_hidden{{Axis::Hidden, s.hidden / 2}};
  TensorId mixed = ops::groupedLinear(b, "grouped", x,
                                      b.parameter("grouped.weight", {hidden, half_hidden}, drawn),
                                      b.parameter("grouped.bias", {hidden}, drawn), 2, true);
  mixed = ops::layerNorm(b, "grouped_norm", mixed,
                         b.parameter("grouped_norm.gain", {half_hidden}, drawn), kNoTensor, 1e-5);
  mixed = ops::joinGroups(b, "joined", x, mixed, 2);
  x = ops::groupedLinear(b, "reduced", mixed, weight("reduced.weight"), kNoTensor, 2, false);
  const TensorId n = ops::layerNorm(b, "norm", x, b.parameter("norm.gain", {hidden}, drawn),
                                    b.parameter("norm.bias", {hidden}, drawn), 1e-5);
  // Half as many queries as keys, which know their distances and segments.
  const SequencePooling pooling{s.length, true, false};
  const std::int64_t queries = pooling.pooledLength();
  const TensorId shorter = ops::sequencePool(b, "shorter", n, pooling, Pooling::Mean);
  const TensorId q = ops::linear(b, "query", shorter, weight("query.weight"), kNoTensor);
  // One head of keys for two of queries, turned by its place.
  const Dimension head{{Axis::Hidden, s.hidden / 2}};
  TensorId k =
      ops::linear(b, "key", n, b.parameter("key.weight", {head, hidden}, drawn), kNoTensor);
  k = ops::rotary(b, "turned_key", k,
                  b.constant("angles", s.length, 2,
                             ops::rotaryAngles(s.length, ops::rotaryFrequencies(2, 100.0))),
                  {s.length, s.hidden / 2, 2});
  k = ops::repeatHeads(b, "shared_key", k, {2, s.hidden / 2});
  const TensorId v = ops::linear(b, "value", n, weight("value.weight"), kNoTensor);
  const AttentionShape shape{s.sequences, queries, s.length, 2, s.hidden / 2, s.hidden / 2, false};
  const RelativeArguments relative{shape, 2, true};
  const TensorId distance_table = b.constant("distance_table", relative.distances(), s.hidden,
                                             ops::distanceTable(relative, 1, s.hidden, s.hidden));
  const TensorId distances =
      ops::linear(b, "distances", distance_table, weight("distances.weight"), kNoTensor);
  const TensorId asking =
      ops::addPositions(b, "asking", q, b.parameter("asking.bias", {hidden}, drawn), 1);
  TensorId scores = ops::relativeScores(b, "relative", asking, distances, relative);
  scores =
      ops::segmentScores(b, "segment", scores, q,
                         b.parameter("segment.embedding", {{{Axis::Position, 2}}, hidden}, drawn),
                         ops::poolIds(b, "query_segments", segments, pooling, IdPooling::First),
                         segments, {shape, true});
  const TensorId by_distance =
      b.parameter("distance.weight",
                  {{{Axis::Position, queries - 1 + s.length}}, {{Axis::Head, shape.heads}}}, drawn);
  scores = ops::add(b, "scores", scores,
                    ops::distanceScores(b, "distance_scores", by_distance, {shape}));
  TensorId y = ops::attention(b, "attention", q, k, v, pad, shape, s.dropout, scores);
  y = ops::linear(b, "output", y, weight("output.weight"),
                  b.parameter("output.bias", {hidden}, drawn));
  y = ops::dropout(b, "dropout", y, s.dropout);
  y = ops::upsample(b, "longer", y, {queries, 2, s.length, true});
  y = ops::add(b, "residual", x, y);
  y = ops::maskedLayerNorm(b, "masked_norm", y, b.parameter("masked_norm.gain", {hidden}, drawn),
                           b.parameter("masked_norm.bias", {hidden}, drawn),
                           {1e-5, s.hidden / 2, 3, 4});
  y = ops::multiply(b, "product", y, x);
  y = ops::gate(b, "gated", x, y, b.parameter("gate", {{{Axis::Layer, 1}}}, drawn));
  const TensorId shifts =
      b.constant("shifts", 1, s.hidden, std::vector<double>(std::size_t(s.hidden), 0.125));
  y = ops::affine(b, "shifted", y, b.parameter("factors", {hidden}, drawn), shifts);
  y = ops::rmsNorm(b, "last_norm", y, b.parameter("last_norm.gain", {hidden}, drawn), 1e-5);
  y = ops::activation(b, "states", y, Activation::Gelu);
  ops::squaredError(b, "error", y, target, 0.5);
  const SequencePooling pairs{s.length};
  y = ops::sequencePool(b, "shorter_states", y, pairs, Pooling::Max);
  y = ops::meanPool(b, "pooled", y, ops::poolIds(b, "shorter_pad", pad, pairs, IdPooling::Min),
                    pairs.pooledLength());
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
  std::vector<std::int32_t> ids(rows), pad(rows), segments(rows), labels;
  std::vector<Real> target, weights;
  for (std::size_t r = 0; r < rows; ++r) {
    const auto place = std::uint64_t(first * s.length) + r;
    ids[r] = std::int32_t(random.integer(place, s.vocabulary));
    pad[r] = std::int64_t(r) % s.length == 2 && random.uniform(1000 + place) < 0.5 ? 1 : 0;
    segments[r] = std::int64_t(r) % s.length == 0 ? kClsSegment
                                                  : std::int32_t(random.integer(500 + place, 2));
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
  executor.upload(program.find("segments"), segments);
  executor.upload(program.find("labels"), labels);
  executor.upload(program.find("target"), target);
  executor.upload(program.find("weights"), weights);
}

template void setDrawnInputs(Executor<float>&, const EveryOpSizes&, std::int64_t);
template void setDrawnInputs(Executor<double>&, const EveryOpSizes&, std::int64_t);

}  // namespace tfm::test
