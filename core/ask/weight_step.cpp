// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/weight_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ask/explained_run.h"
#include "core/ask/explained_update.h"
#include "core/ask/step_texts.h"
#include "core/backend/registry.h"
#include "core/observe/explainer.h"

namespace tfm::train {
namespace {

/// Small enough for the curve to be a line, large enough for a float to hold it.
constexpr double kNudge = 1e-3;

}  // namespace

WeightStep weightStep(const ModelState& state, const TrainConfig& config,
                      const data::TextCodec& codec, data::Framing framing, const std::string& text,
                      const std::string& weight) {
  const StepTexts step =
      stepTexts(state, codec, framing, std::span(&text, 1), *makeBackend<float>());
  const std::vector<WeightedPart> parts = partsWithWhole(state.config, config.nesting);
  ExplainedRun<double> run(state, step.all, parts);
  const observe::NumberPlace place = observe::placeNamed(run.program(), weight);
  const std::string& name = run.program().tensors[std::size_t(place.tensor)].name;
  const ParameterInfo* parameter = state.layout.find(name);
  if (parameter == nullptr)
    throw Error("'" + weight + "' is no weight", {}, "Name a parameter, as info lists them");
  const auto at = std::size_t(parameter->offset + place.row * parameter->cols() + place.col);

  WeightStep found;
  found.value = state.parameters[at];
  found.loss = run.loss();
  found.gradient = run.parameterGradients()[at];
  ModelState nudged = state;
  const auto lossAt = [&](float value) {
    nudged.parameters[at] = value;
    return ExplainedRun<double>(nudged, step.all, parts).loss();
  };
  const double nudge = kNudge * std::max(1.0, std::abs(found.value));
  const auto larger = float(found.value + nudge), smaller = float(found.value - nudge);
  found.slope = (lossAt(larger) - lossAt(smaller)) / (double(larger) - double(smaller));
  found.next = std::numeric_limits<double>::quiet_NaN();
  if (state.first_moment.size() == state.parameters.size()) {
    const ExplainedUpdate update(state, config, run.parameterGradients(), name);
    found.next = update.value(update.next(place.row, place.col));
  }
  return found;
}

}  // namespace tfm::train
