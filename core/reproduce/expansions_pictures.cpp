// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the notebook on function-preserving expansions.
#include <string>
#include <utility>

#include "core/expand/grow.h"
#include "core/model/model_state.h"
#include "core/model/presets.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

using expand::Break;
using expand::Growth;
using expand::Kind;
using expand::Plan;

struct Expansion {
  const char* name;
  Kind kind;
  std::int64_t size;
};
constexpr Expansion kExpansions[]{{"p 4 + 5", Kind::FeedForward, 9}, {"E 2 + 3", Kind::Heads, 5},
                                  {"v 6 + 3", Kind::ValueSize, 9},   {"k 6 + 3", Kind::KeySize, 9},
                                  {"h 5 + 3", Kind::Hidden, 8},      {"N 2 + 3", Kind::Layers, 5}};

ModelConfig notebookModel() { return presetNamed("expansions-notebook").config(); }

Plan oneStep(const Expansion& expansion) {
  Growth growth;
  growth.kind = expansion.kind;
  growth.size = expansion.size;
  return {growth};
}
Plan allSteps() {
  Plan plan;
  for (const Expansion& one : kExpansions) plan.push_back(oneStep(one).front());
  return plan;
}

/// measure(name, plan) for each expansion, and for all of them in one plan.
template <class Measure>
void forEachPlan(const Measure& measure) {
  for (const Expansion& one : kExpansions) measure(one.name, oneStep(one));
  measure("all six", allSteps());
}

/// The plan with a rule of one kind of expansion broken.
Plan breaking(Plan plan, Kind kind, Break rule) {
  for (Growth& growth : plan)
    if (growth.kind == kind) {
      growth.broken = rule;
      growth.allow_inexact = true;
    }
  return plan;
}

Drawing differences(const std::vector<std::int64_t>&) {
  Drawing drawing{
      .kind = DrawingKind::Bars,
      .x_title = "expansion of the whole model",
      .y_title = "largest difference / largest output",
      .series = {{.name = "as it must be"}, {.name = "eps of the norms left as it is"}},
      .levels = {{"the notebook's tolerance, 1e-3", 1e-3}, {"ours in double, 1e-12", 1e-12}},
      .logarithmic = true};
  const auto measure = [&](const char* name, const Plan& plan) {
    drawing.names.push_back(name);
    drawing.series[0].y.push_back(growthDifference(notebookModel(), plan));
    drawing.series[1].y.push_back(
        growthDifference(notebookModel(), breaking(plan, Kind::Hidden, Break::NoEpsRescale)));
  };
  forEachPlan(measure);
  return drawing;
}

/// The two sums that each cell of the notebook prints, for one expansion after the other.
Drawing sums(const std::vector<std::int64_t>&) {
  Drawing drawing{
      .kind = DrawingKind::Bars,
      .x_title = "expansion of the whole model",
      .y_title = "sum of all outputs",
      .series = {{.name = "original"}, {.name = "expanded"}, {.name = "key not rescaled"}}};
  const double original = sumOfOutputs(notebookModel(), {});
  const auto measure = [&](const char* name, const Plan& plan) {
    drawing.names.push_back(name);
    drawing.series[0].y.push_back(original);
    drawing.series[1].y.push_back(sumOfOutputs(notebookModel(), plan));
    drawing.series[2].y.push_back(
        sumOfOutputs(notebookModel(), breaking(plan, Kind::KeySize, Break::NoKeyRescale)));
  };
  forEachPlan(measure);
  return drawing;
}

Drawing parameters(const std::vector<std::int64_t>&) {
  Drawing drawing{.kind = DrawingKind::Bars,
                  .x_title = "expansion of the whole model",
                  .y_title = "parameters",
                  .series = {{.name = "old"}, {.name = "grown"}}};
  const ModelState state = initialState(notebookModel(), 42);
  const auto count = [&](const char* name, const Plan& plan) {
    drawing.names.push_back(name);
    drawing.series[0].y.push_back(double(state.parameters.size()));
    drawing.series[1].y.push_back(double(expand::grow(state, plan).state.parameters.size()));
  };
  forEachPlan(count);
  return drawing;
}

}  // namespace

std::vector<Picture> expansionsPictures() {
  return {
      {.name = "differences",
       .title = "What each expansion changes in the output",
       .says = "All stay below the notebook's 1e-3. Below 1e-12, growing h needs the eps of the "
               "norms rescaled, too, which the notebook leaves out. A bar at the lower end is 0.",
       .drawn = differences},
      {.name = "sums",
       .title = "The sums that each cell prints: original and expanded",
       .says = "They are equal, whatever grows. The control: without the factor of the key, "
               "sqrt(9 / 6), the sum is another one.",
       .drawn = sums},
      {.name = "parameters",
       .title = "Parameters before and after each expansion",
       .says = "The model of the notebook has 618; with all six at once, 8,117.",
       .drawn = parameters},
  };
}

}  // namespace tfm::reproduce
