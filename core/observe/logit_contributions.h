// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/observe/explainer.h"

namespace tfm::observe {

/// What one part of a model adds to a logit.
struct LogitContribution {
  std::string name;        ///< of the tensor or bias that is added, without its head
  std::int64_t head = -1;  ///< of an attention, counted from 0; -1: all of it
  Site site = {};          ///< the block it belongs to
  bool bias = false;       ///< the same for every input
  double amount = 0.0;
};

/// A logit as a sum over what embeddings, positions, heads, feed-forward blocks and biases write
/// into the residual stream.
struct LogitContributions {
  double logit = 0.0;
  std::vector<LogitContribution> parts;  ///< by decreasing size; their sum is the logit
  /// The norms that the stream passes. Each divides by a deviation that depends on all parts; it is
  /// held constant, since the logit would not be a sum of parts otherwise (as in the literature on
  /// direct logit attribution, e.g. Elhage et al. 2021).
  std::vector<std::string> held;
};

/// Decomposes a number of the model's output, names::kOutput, after a run. Where positions were
/// pooled by their maximum, the chosen ones are held too. Throws Error for a place elsewhere and
/// for a model without a residual stream.
template <class Real>
LogitContributions logitContributions(Explainer<Real>& explainer, const NumberPlace& place);

}  // namespace tfm::observe
