// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {

MapParameters mapParameters(ModelBuilder& m, const Place& place, const Dimension& out,
                            const Dimension& in, bool bias, MapPart part) {
  const std::int64_t outputs = part.out > 0 ? part.out : out.size();
  const std::int64_t inputs = part.in > 0 ? part.in : in.size();
  const TensorId weight =
      m.program.parameter(place.parameters + ".weight", {out, in}, m.weightRule(), place.part);
  const TensorId w = m.program.window(weight, outputs, inputs);
  if (!bias) return {w, kNoTensor};
  const TensorId shift =
      m.program.parameter(place.parameters + ".bias", {out}, {}, place.part, Term::Bias);
  return {w, m.program.window(shift, 1, outputs)};
}

TensorId linearMap(ModelBuilder& m, const Place& place, TensorId x, const Dimension& out,
                   const Dimension& in, bool bias, MapPart part) {
  const MapParameters map = mapParameters(m, place, out, in, bias, part);
  return ops::linear(m.program, place.path, x, map.weight, map.bias);
}

TensorId normMap(ModelBuilder& m, const Place& place, TensorId x, double eps,
                 const Dimension& axis) {
  const std::int64_t width = axis.size();
  if (!m.config.norm_gain) {
    const std::string ones = axis.factors.front().axis == Axis::Hidden ? "ones" : "embedding.ones";
    const TensorId gain =
        m.program.constant(ones, 1, width, std::vector<double>(std::size_t(width), 1.0));
    return m.config.norm == NormKind::RmsNorm
               ? ops::rmsNorm(m.program, place.path, x, gain, eps)
               : ops::layerNorm(m.program, place.path, x, gain, kNoTensor, eps);
  }
  Dimension free = axis;
  for (AxisSize& factor : free.factors) factor.added = Added::Free;
  const TensorId gain = m.program.parameter(place.parameters + ".weight", {free},
                                            {InitialValues::Constant, 1.0}, place.part, Term::Gain);
  if (m.config.norm == NormKind::RmsNorm) return ops::rmsNorm(m.program, place.path, x, gain, eps);
  const TensorId bias =
      m.program.parameter(place.parameters + ".bias", {axis}, {}, place.part, Term::Shift);
  if (m.config.mask_size > 0)
    return ops::maskedLayerNorm(
        m.program, place.path, x, gain, bias,
        {eps, m.config.mask_size, m.config.mask_begin, m.config.mask_steps});
  return ops::layerNorm(m.program, place.path, x, gain, bias, eps);
}

}  // namespace tfm
