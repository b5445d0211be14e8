// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/document/document.h"

namespace tfm::test {

/// What some trainings on the default device came to.
struct Outcome {
  std::vector<double> losses;
  std::vector<ModelState> states;
  std::vector<std::string> answers = {};
  std::vector<float> seen = {};  ///< inside a model
};
using DeviceRun = Outcome (*)();

/// Adam with a length that most gradients are clipped to.
train::TrainConfig clippingConfig();
/// A training of so many steps, which is evaluated.
Outcome outcomeOf(const train::Document& document, int steps);

/// rot13 with clippingConfig(); then all that looks inside.
Outcome trainedRot13();
/// Four nested submodels that share each step, then one of them measured beside the whole.
Outcome trainedNested();
/// SGD through a growth that was planned, then one that is proved.
Outcome trainedAndGrown();
/// A growth that is undone after some steps; then the model goes on as if there had been none.
Outcome trainedAndUndone();

}  // namespace tfm::test
