// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/expand/growth.h"
#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/reproduce/claim.h"

namespace tfm::reproduce {

/// Numbers of a model that it has computed, row after row.
struct Outputs {
  std::int64_t rows = 0, cols = 0;
  Numbers values;
};

/// A tensor of the model with these parameters, in double; with a training step, with the dropout
/// of that step. Throws Error if it has none of that name.
Outputs outputsOf(const ModelConfig& config, std::span<const double> parameters, const Batch& batch,
                  std::string_view tensor, std::optional<std::uint64_t> training_step = {});

/// The parameters after a step of gradient descent with this rate on the squared error between the
/// model's states and the batch's Batch::label_features, in double, without dropout.
Numbers afterOneStep(const ModelConfig& config, std::span<const double> parameters,
                     const Batch& batch, double rate);

/// Sequences of features for a model that reads them.
Batch featureBatch(const ModelConfig& config, std::int64_t sequences = 3);

/// The largest difference of numbers at the same index; infinite where one is not a number. Both
/// have the same size.
double largestDifference(const Numbers& a, const Numbers& b);

/// The sum of the outputs of a new model, grown by a plan. Throws what growing throws.
double sumOfOutputs(const ModelConfig& config, const expand::Plan& plan);

/// The largest difference between the outputs of a new model and of the same grown by a plan,
/// divided by the largest output. Throws what growing throws.
double growthDifference(const ModelConfig& config, const expand::Plan& plan);

}  // namespace tfm::reproduce
