// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

constexpr ParameterPart kInput{"dextra_input"}, kOutput{"dextra_output"};
constexpr ParameterPart kMap{"dextra_map"};
// Growth rescales the eps of norms over hidden components; these are over others.
constexpr double kEps = 1e-5;

/// Norm, activation and dropout of a map's output; groups of gain.size() columns share the norm.
TensorId activated(ModelBuilder& m, const Place& place, TensorId x, const Dimension& gain,
                   const Dimension& shift) {
  const Place norm = place.sub("norm", place.part);
  const TensorId weight = m.program.parameter(
      norm.parameters + ".weight", {gain}, {InitialValues::Constant, 1.0}, norm.part, Term::Gain);
  const TensorId bias =
      m.program.parameter(norm.parameters + ".bias", {shift}, {}, norm.part, Term::Shift);
  x = ops::layerNorm(m.program, norm.path, x, weight, bias, kEps);
  x = ops::activation(m.program, place.path + ".activation", x, m.config.activation);
  return ops::dropout(m.program, place.path + ".dropout", x, m.config.feed_forward_dropout);
}

TensorId groupedMap(ModelBuilder& m, const Place& place, TensorId x, const GroupedSizes& sizes,
                    bool shuffle) {
  const AxisSize groups{Axis::Group, sizes.groups};
  const AxisSize inputs{Axis::Dextra, sizes.inputs / sizes.groups};
  const AxisSize outputs{Axis::Dextra, sizes.outputs / sizes.groups};
  const TensorId weight = m.program.parameter(
      place.parameters + ".weight", {{groups, outputs}, {inputs}}, m.weightRule(), place.part);
  const TensorId bias = m.program.parameter(place.parameters + ".bias", {{groups, outputs}}, {},
                                            place.part, Term::Bias);
  const TensorId y =
      ops::groupedLinear(m.program, place.path, x, weight, bias, sizes.groups, shuffle);
  return activated(m, place, y, {outputs}, {outputs});
}

}  // namespace

TensorId dextraUnit(ModelBuilder& m, const Place& place, TensorId x, const Dimension& in,
                    const Dimension& out, const DextraUnit& unit) {
  const Dimension projected{{Axis::Dextra, unit.maps.front().inputs}};
  const Place input = place.sub(kInput), output = place.sub(kOutput);
  const TensorId first =
      activated(m, input, linearMap(m, input, x, projected, in, true), projected, projected);
  TensorId y = first;
  for (std::size_t i = 0; i < unit.maps.size(); ++i) {
    const Place map = place.sub(ParameterPart{kMap.name, std::int64_t(i) + 1});
    y = groupedMap(m, map, y, unit.maps[i], unit.shuffle);
    const std::int64_t groups = i + 1 < unit.maps.size() ? unit.maps[i + 1].groups : 1;
    if (unit.mixer) y = ops::joinGroups(m.program, map.path + ".mixed", first, y, groups);
  }
  const Dimension last{{Axis::Dextra, m.program.tensor(y).cols}};
  Dimension gain = out;
  gain.factors.front().added = Added::Free;
  return activated(m, output, linearMap(m, output, y, out, last, true), gain, out);
}

}  // namespace tfm
