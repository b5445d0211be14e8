// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/matformer_wiring.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/program/ops/ops.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::reproduce {
namespace {

constexpr double kNormEps = 1e-5;
constexpr std::string_view kByPosition = "order.by_position";
constexpr std::string_view kBySequence = "order.by_sequence";

/// Builds the steps of one granularity.
class Wiring {
 public:
  Wiring(const NotebookWiring& wiring, std::size_t granularity, ProgramBuilder& program,
         std::uint64_t untrained_seed)
      : w_(wiring),
        granularity_(granularity),
        program_(program),
        untrained_seed_(untrained_seed),
        hidden_{{Axis::Hidden, wiring.hidden}},
        rows_(program.shape().sequences * program.shape().source_length) {}

  void build() {
    TensorId x = reordered("by_position", input(), kByPosition);
    const FeedForward shared = feedForwardParameters();
    for (std::int64_t i = 0; i < w_.layers; ++i) {
      const std::string path = "layers." + std::to_string(i);
      const TensorId attended = ops::add(program_, path + ".self_attention_residual", x,
                                         attention(path + ".self_attention", x));
      x = untrainedNorm(path + ".self_attention_norm", attended);
      const TensorId fed = ops::add(program_, path + ".feed_forward_residual", x,
                                    feedForward(path + ".feed_forward", x, shared));
      x = untrainedNorm(path + ".feed_forward_norm", fed);
    }
    const TensorId gain =
        program_.parameter("final_norm.weight", {hidden_}, {InitialValues::Constant, 1.0});
    const TensorId shift = program_.parameter("final_norm.bias", {hidden_}, {});
    x = ops::layerNorm(program_, "final_norm", x, gain, shift, kNormEps);
    x = reordered("by_sequence", x, kBySequence);
    classify(mean(x));
  }

 private:
  struct FeedForward {
    TensorId in, in_bias, out, out_bias;
  };

  static InitialRule normal(double deviation) { return {InitialValues::Normal, deviation}; }
  /// The deviation of PyTorch's Linear, uniform in +-1 / sqrt(in).
  static double linearDeviation(std::int64_t in) { return std::sqrt(1.0 / (3.0 * double(in))); }

  TensorId input() {
    if (w_.vocabulary == 0)
      return program_.input(std::string(names::kSourceFeatures), rows_, w_.hidden);
    const TensorId ids = program_.ids(std::string(names::kSourceIds), rows_);
    const TensorId table = program_.parameter(
        "embedding.weight", {{{Axis::Vocabulary, w_.vocabulary}}, hidden_}, normal(1.0));
    return ops::embedding(program_, "embedding", ids, table, 1.0);
  }

  /// Permutes rows by a lookup in x.
  TensorId reordered(const std::string& path, TensorId x, std::string_view order) {
    return ops::embedding(program_, path, program_.ids(std::string(order), rows_), x, 1.0);
  }

  /// Random constants, named by their path.
  TensorId untrained(const std::string& path, std::int64_t rows, std::int64_t cols,
                     double deviation) {
    const Random random(untrained_seed_, streams::kUntrained.at(next_untrained_++),
                        std::uint64_t(granularity_));
    std::vector<double> values(std::size_t(rows * cols));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = deviation * random.normal(i);
    return program_.constant(path, rows, cols, values);
  }

  TensorId untrainedMap(const std::string& path, TensorId x, double deviation) {
    return ops::linear(program_, path, x,
                       untrained(path + ".weight", w_.hidden, w_.hidden, deviation), kNoTensor);
  }

  TensorId untrainedNorm(const std::string& path, TensorId x) {
    const std::vector<double> ones(std::size_t(w_.hidden), 1.0);
    return ops::layerNorm(program_, path, x,
                          program_.constant(path + ".weight", 1, w_.hidden, ones), kNoTensor,
                          kNormEps);
  }

  /// Attention over the sequences of the batch, separately at each position.
  TensorId attention(const std::string& path, TensorId x) {
    // The deviation of MultiheadAttention: Xavier uniform for a (3 hidden) x hidden map.
    const double projection = std::sqrt(1.0 / (2.0 * double(w_.hidden)));
    const TensorId q = untrainedMap(path + ".query", x, projection);
    const TensorId k = untrainedMap(path + ".key", x, projection);
    const TensorId v = untrainedMap(path + ".value", x, projection);
    const std::int64_t sequences = program_.shape().sequences;
    const std::int64_t size = w_.hidden / w_.heads;
    const AttentionShape shape{
        program_.shape().source_length, sequences, sequences, w_.heads, size, size, false};
    const TensorId mixed = ops::attention(program_, path, q, k, v, kNoTensor, shape, 0.0);
    return untrainedMap(path + ".output", mixed, linearDeviation(w_.hidden));
  }

  FeedForward feedForwardParameters() {
    const Dimension wide{{Axis::FeedForward, w_.feed_forward}};
    const InitialRule rule = normal(1.0);
    return {program_.parameter("feed_forward.linear1.weight", {wide, hidden_}, rule),
            program_.parameter("feed_forward.linear1.bias", {wide}, rule),
            program_.parameter("feed_forward.linear2.weight", {hidden_, wide}, rule),
            program_.parameter("feed_forward.linear2.bias", {hidden_}, rule)};
  }

  TensorId feedForward(const std::string& path, TensorId x, const FeedForward& shared) {
    const std::int64_t width = widthsOf(w_)[granularity_];
    const TensorId before =
        ops::linear(program_, path + ".linear1", x, program_.window(shared.in, width, w_.hidden),
                    program_.window(shared.in_bias, 1, width));
    const TensorId active =
        ops::activation(program_, path + ".activation", before, Activation::Gelu);
    return ops::linear(program_, path + ".linear2", active,
                       program_.window(shared.out, w_.hidden, width), shared.out_bias);
  }

  /// The mean over all positions, including padding.
  TensorId mean(TensorId x) {
    const TensorId no_pad = program_.ids("no_padding", rows_);
    return ops::meanPool(program_, "pooled", x, no_pad, program_.shape().source_length);
  }

  /// One logit z, trained with binary cross-entropy, which equals the softmax of (z, 0).
  void classify(TensorId pooled) {
    const Dimension wide{{Axis::FeedForward, w_.head_size}};
    const InitialRule first_rule = normal(linearDeviation(w_.hidden));
    const InitialRule second_rule = normal(linearDeviation(w_.head_size));
    const TensorId first =
        ops::linear(program_, "head.linear1", pooled,
                    program_.parameter("head.linear1.weight", {wide, hidden_}, first_rule),
                    program_.parameter("head.linear1.bias", {wide}, first_rule));
    const TensorId active = ops::activation(program_, "head.activation", first, Activation::Relu);
    const Dimension logit{{Axis::Output, 1}};
    const TensorId z =
        ops::linear(program_, "head.linear2", active,
                    program_.parameter("head.linear2.weight", {logit, wide}, second_rule),
                    program_.parameter("head.linear2.bias", {logit}, second_rule));
    const TensorId logits = ops::padColumns(program_, std::string(names::kOutput), z, 2);
    const std::int64_t sequences = program_.shape().sequences;
    ops::crossEntropy(program_, std::string(names::kLoss), logits,
                      program_.ids(std::string(names::kLabels), sequences),
                      program_.input(std::string(names::kLabelWeights), sequences, 1));
  }

  const NotebookWiring& w_;
  const std::size_t granularity_;
  ProgramBuilder& program_;
  const std::uint64_t untrained_seed_;
  const Dimension hidden_;
  const std::int64_t rows_;
  std::uint32_t next_untrained_ = 0;
};

}  // namespace

std::vector<std::int64_t> widthsOf(const NotebookWiring& wiring) {
  std::vector<std::int64_t> widths;
  for (std::size_t i = wiring.granularities; i-- > 0;) widths.push_back(wiring.feed_forward >> i);
  return widths;
}

Program buildNotebookProgram(const NotebookWiring& wiring, std::size_t granularity,
                             const BatchShape& shape, std::uint64_t untrained_seed) {
  tfm::check(granularity < wiring.granularities, "the wiring has this granularity");
  ProgramBuilder program(shape, true, false);
  Wiring(wiring, granularity, program, untrained_seed).build();
  return program.finish();
}

std::array<FixedIds, 2> notebookOrders(const BatchShape& shape) {
  const auto rows = std::size_t(shape.sequences * shape.source_length);
  FixedIds by_position{kByPosition, std::vector<std::int32_t>(rows)};
  FixedIds by_sequence{kBySequence, std::vector<std::int32_t>(rows)};
  for (std::int64_t sequence = 0; sequence < shape.sequences; ++sequence)
    for (std::int64_t position = 0; position < shape.source_length; ++position) {
      const std::int64_t in_sequence = sequence * shape.source_length + position;
      const std::int64_t in_position = position * shape.sequences + sequence;
      by_position.values[std::size_t(in_position)] = std::int32_t(in_sequence);
      by_sequence.values[std::size_t(in_sequence)] = std::int32_t(in_position);
    }
  return {std::move(by_position), std::move(by_sequence)};
}

}  // namespace tfm::reproduce
