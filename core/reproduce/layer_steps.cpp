// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/layer_steps.h"

#include <map>

#include "core/model/build_program.h"

namespace tfm::reproduce {
namespace {

constexpr std::string_view kFirstLayer = "encoder.layers.0.";

/// "self_attention_norm" of "encoder.layers.0.self_attention_norm" and of all that is in it.
std::string layerPart(const std::string& path) {
  const std::string rest = path.substr(kFirstLayer.size());
  return rest.substr(0, rest.find('.'));
}

std::string words(std::string part) {
  for (char& c : part)
    if (c == '_') c = ' ';
  return part;
}

}  // namespace

Series layerSteps(const ModelConfig& config, std::int64_t length, const std::string& name) {
  const Program program = buildProgram(config, {1, length, 0}, {});
  Series row{.name = name, .labels = {"x"}};
  std::map<TensorId, std::size_t> made_by;  // the place of the part; what comes before is x
  std::string part;
  for (const Step& step : program.steps) {
    if (!step.path.starts_with(kFirstLayer)) continue;
    if (layerPart(step.path) != part) {
      part = layerPart(step.path);
      row.labels.push_back(words(part));
    }
    const std::size_t here = row.labels.size() - 1;
    for (const TensorId output : step.outputs) made_by[output] = here;
    if (!part.ends_with("residual")) continue;
    for (const TensorId input : step.inputs) {
      const auto maker = made_by.find(input);
      const std::size_t from = maker == made_by.end() ? 0 : maker->second;
      if (from + 1 >= here) continue;  // of the part before
      row.x.push_back(double(from));
      row.y.push_back(double(here));
    }
  }
  return row;
}

}  // namespace tfm::reproduce
