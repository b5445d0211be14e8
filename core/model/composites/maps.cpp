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

TensorId normMap(ModelBuilder& m, const Place& place, TensorId x, double eps) {
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  if (!m.config.norm_gain) {
    const TensorId ones = m.program.constant(
        "ones", 1, m.config.hidden, std::vector<double>(std::size_t(m.config.hidden), 1.0));
    return m.config.norm == NormKind::RmsNorm
               ? ops::rmsNorm(m.program, place.path, x, ones, eps)
               : ops::layerNorm(m.program, place.path, x, ones, kNoTensor, eps);
  }
  const TensorId gain = m.program.parameter(place.parameters + ".weight", {hidden},
                                            {InitialValues::Constant, 1.0}, place.part, Term::Gain);
  if (m.config.norm == NormKind::RmsNorm) return ops::rmsNorm(m.program, place.path, x, gain, eps);
  const TensorId bias = m.program.parameter(place.parameters + ".bias", {writtenHidden(m.config)},
                                            {}, place.part, Term::Shift);
  if (m.config.mask_size > 0)
    return ops::maskedLayerNorm(
        m.program, place.path, x, gain, bias,
        {eps, m.config.mask_size, m.config.mask_begin, m.config.mask_steps});
  return ops::layerNorm(m.program, place.path, x, gain, bias, eps);
}

}  // namespace tfm
