// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/program/program_builder.h"

namespace tfm::ops {

/// Each function checks the shapes, appends one step to the builder and returns its output, named
/// `path` (or `path`.part where a step has several). Formulas stand in core/backend/backend.h.

/// ids: one token a row; table: vocabulary x hidden.  -> rows x hidden
TensorId embedding(ProgramBuilder& b, const std::string& path, TensorId ids, TensorId table,
                   double scale);
/// x: (sequences * length) x hidden, positions: at least length x hidden.
TensorId addPositions(ProgramBuilder& b, const std::string& path, TensorId x, TensorId positions,
                      std::int64_t length);
/// x: rows x at most cols.  -> rows x cols
TensorId padColumns(ProgramBuilder& b, const std::string& path, TensorId x, std::int64_t cols);
/// x: rows x in, weight: out x in, bias: out or kNoTensor.  -> rows x out
TensorId linear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                TensorId bias);
TensorId activation(ProgramBuilder& b, const std::string& path, TensorId x, Activation kind);
TensorId add(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right);
/// x: what comes through a closed gate, f: through an open one; gate: 1 x 1.
TensorId gate(ProgramBuilder& b, const std::string& path, TensorId x, TensorId f, TensorId gate);
/// Nothing outside training or at rate 0: returns x.
TensorId dropout(ProgramBuilder& b, const std::string& path, TensorId x, double rate);
/// gain: hidden, bias: hidden or kNoTensor.
TensorId layerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                   TensorId bias, double eps);
/// The same with a mask over the columns, of which the first mask.size (at least one) count fully.
TensorId maskedLayerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                         TensorId bias, const MaskedNormArguments& mask);
TensorId rmsNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain, double eps);
/// q: (batch * queries) x (heads * key_size) and so on; key_pad: batch * keys flags or kNoTensor.
/// Names its outputs path.scores, path.masked_scores (both only when the builder keeps scores),
/// path.probabilities, path.dropped_probabilities and path.mixed; returns path.mixed.
TensorId attention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k, TensorId v,
                   TensorId key_pad, const AttentionShape& shape, double dropout_rate);
/// x: (sequences * length) x hidden, pad: a flag a row.  -> sequences x hidden
TensorId meanPool(ProgramBuilder& b, const std::string& path, TensorId x, TensorId pad,
                  std::int64_t length);
/// Also names path.probabilities.  -> 1 x 1
TensorId crossEntropy(ProgramBuilder& b, const std::string& path, TensorId logits, TensorId labels,
                      TensorId weights);
TensorId squaredError(ProgramBuilder& b, const std::string& path, TensorId x, TensorId target,
                      double scale);

}  // namespace tfm::ops
