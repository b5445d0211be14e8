// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/observe/explainer.h"

namespace tfm::observe {

/// The output layer's answers from the residual stream at one place.
struct LensAnswer {
  std::string states;  ///< the tensor that it reads
  /// The block after which it reads; block -1: a layer, layer -1: the input.
  Site site = {};
  std::int64_t rows = 0;                      ///< positions, or one for a class
  std::int64_t cols = 0;                      ///< tokens, labels or classes
  std::vector<double> logits, probabilities;  ///< row-major
};

/// The answers that the model would give if it ended after its input or after any of its blocks
/// (nostalgebraist 2020): the stream there, through the final norm, if there is one, and what
/// follows it. The last is the model's own, number by number. With a decoder, its stream is read. A
/// class is read off the mean over the positions, as the model does. States before a pooling have
/// other positions than the output; they are left out, as is what is inside a gated layer. Throws
/// Error for a model without an output layer or without a residual stream.
template <class Real>
std::vector<LensAnswer> logitLens(Explainer<Real>& explainer, const Backend<Real>& backend);

}  // namespace tfm::observe
