// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/data/framing.h"
#include "core/model/model_state.h"
#include "core/train/train_config.h"

namespace tfm::train {

/// What a training step on one text alone does to one weight. In double precision.
struct WeightStep {
  double value = 0.0;
  double loss = 0.0;
  double gradient = 0.0;  ///< of the loss, by backpropagation
  /// The same without backpropagation: how much more the loss is with the weight a little larger
  /// than with it a little smaller, divided by what lies between the two.
  double slope = 0.0;
  double next = 0.0;  ///< the weight after the step; NaN before the optimizer has its moments
};

/// `weight`: "NAME[ROW, COL]", counted from 0. Runs the model three times. Throws Error for what is
/// no weight of the model, for a place outside it, and for a text without a loss (see stepTexts()).
WeightStep weightStep(const ModelState& state, const TrainConfig& config,
                      const data::TextCodec& codec, data::Framing framing, const std::string& text,
                      const std::string& weight);

}  // namespace tfm::train
