// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/backend/op_arguments.h"
#include "tests/core/backend/plain_matrix.h"

namespace tfm::test {

/// The forward of every op once more: loops over single numbers in double, with nothing of the
/// backend in them. Each returns all outputs of the op, in the order in which the backend takes
/// them.
using Ids = std::vector<std::int32_t>;
using Outputs = std::vector<PlainMatrix>;

Outputs plainEmbedding(const Ids& ids, const PlainMatrix& table, double scale);
Outputs plainAddPositions(const PlainMatrix& x, const PlainMatrix& positions, std::int64_t length);
Outputs plainLinear(const PlainMatrix& x, const PlainMatrix& w, const PlainMatrix& b);
Outputs plainPadColumns(const PlainMatrix& x, std::int64_t cols);
Outputs plainActivation(const PlainMatrix& x, Activation kind);
Outputs plainAdd(const PlainMatrix& a, const PlainMatrix& b);
Outputs plainGate(const PlainMatrix& x, const PlainMatrix& f, const PlainMatrix& g);
Outputs plainDropout(const PlainMatrix& x, const Dropout& dropout);
Outputs plainLayerNorm(const PlainMatrix& x, const PlainMatrix& gain, const PlainMatrix& bias,
                       double eps);
Outputs plainMaskedLayerNorm(const PlainMatrix& x, const PlainMatrix& gain, const PlainMatrix& bias,
                             double eps, const ColumnMask& mask);
Outputs plainRmsNorm(const PlainMatrix& x, const PlainMatrix& gain, double eps);
/// mixed, probabilities, dropped, scores, masked scores.
Outputs plainAttention(const AttentionShape& shape, const PlainMatrix& q, const PlainMatrix& k,
                       const PlainMatrix& v, const Ids& key_pad, const Dropout& dropout);
Outputs plainMeanPool(const PlainMatrix& x, const Ids& pad, std::int64_t length);
Outputs plainCrossEntropy(const PlainMatrix& logits, const Ids& labels, const PlainMatrix& weights);
Outputs plainSquaredError(const PlainMatrix& x, const PlainMatrix& target, double scale);

}  // namespace tfm::test
