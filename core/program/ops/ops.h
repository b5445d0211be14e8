// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/program/program_builder.h"

namespace tfm::ops {

// All ops; each is documented in its file. A function checks shapes, appends one step to the
// builder and returns its output, named `path` (or `path`.part if a step has several).

extern const Op kEmbedding;
/// ids: one token per row, table: vocabulary x hidden.  -> rows x hidden
TensorId embedding(ProgramBuilder& b, const std::string& path, TensorId ids, TensorId table,
                   double scale);
extern const Op kAddPositions;
/// x: (sequences * length) x hidden, positions: at least length x hidden.
TensorId addPositions(ProgramBuilder& b, const std::string& path, TensorId x, TensorId positions,
                      std::int64_t length);
extern const Op kPadColumns;
/// x: rows x at most cols.  -> rows x cols
TensorId padColumns(ProgramBuilder& b, const std::string& path, TensorId x, std::int64_t cols);
extern const Op kLinear;
/// x: rows x in, weight: out x in, bias: out or kNoTensor.  -> rows x out
TensorId linear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                TensorId bias);
extern const Op kActivation;
TensorId activation(ProgramBuilder& b, const std::string& path, TensorId x, Activation kind);
extern const Op kAdd;
TensorId add(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right);
extern const Op kGate;
/// x: output of a closed gate, f: of an open one, gate: 1 x 1.
TensorId gate(ProgramBuilder& b, const std::string& path, TensorId x, TensorId f, TensorId gate);
extern const Op kDropout;
/// Returns x outside training and at rate 0.
TensorId dropout(ProgramBuilder& b, const std::string& path, TensorId x, double rate);
extern const Op kLayerNorm;
/// gain: hidden, bias: hidden or kNoTensor.
TensorId layerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                   TensorId bias, double eps);
extern const Op kMaskedLayerNorm;
/// Layer norm with a mask over the columns; the first mask.size (at least one) have full weight.
TensorId maskedLayerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                         TensorId bias, const MaskedNormArguments& mask);
extern const Op kRmsNorm;
TensorId rmsNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain, double eps);
extern const Op kAttention;
/// q: (batch * queries) x (heads * key_size), k: (batch * keys) x (heads * key_size), v: (batch *
/// keys) x (heads * value_size), key_pad: batch * keys flags or kNoTensor. Its outputs are
/// path.scores and path.masked_scores (only if the builder keeps scores), path.probabilities,
/// path.dropped_probabilities and path.mixed, which is returned.
TensorId attention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k, TensorId v,
                   TensorId key_pad, const AttentionShape& shape, double dropout_rate);
extern const Op kMeanPool;
/// x: (sequences * length) x hidden, pad: one flag per row.  -> sequences x hidden
TensorId meanPool(ProgramBuilder& b, const std::string& path, TensorId x, TensorId pad,
                  std::int64_t length);
extern const Op kCrossEntropy;
/// Also has the output path.probabilities.  -> 1 x 1
TensorId crossEntropy(ProgramBuilder& b, const std::string& path, TensorId logits, TensorId labels,
                      TensorId weights);
extern const Op kSquaredError;
TensorId squaredError(ProgramBuilder& b, const std::string& path, TensorId x, TensorId target,
                      double scale);

/// All ops that a step may have.
inline constexpr std::array kAll{
    &kEmbedding, &kAddPositions, &kPadColumns, &kLinear,       &kActivation,
    &kAdd,       &kGate,         &kDropout,    &kLayerNorm,    &kMaskedLayerNorm,
    &kRmsNorm,   &kAttention,    &kMeanPool,   &kCrossEntropy, &kSquaredError};

}  // namespace tfm::ops
