// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {

TensorId block(ModelBuilder& m, const Place& place, const FeedForward& whole,
               const FeedForward& part, TensorId x, const BlockContext&) {
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  const Dimension wide{{Axis::FeedForward, whole.width}};
  const Dimension read_wide{{Axis::FeedForward, whole.width, Added::Zero}};
  const bool bias = m.config.feed_forward_bias;
  const TensorId before =
      linearMap(m, place.sub(ParameterPart::Linear1), x, wide, hidden, bias, {.out = part.width});
  const TensorId active =
      ops::activation(m.program, place.path + ".activation", before, m.config.activation);
  const TensorId kept =
      ops::dropout(m.program, place.path + ".dropout", active, m.config.feed_forward_dropout);
  return linearMap(m, place.sub(ParameterPart::Linear2), kept, writtenHidden(m.config), read_wide,
                   bias, {.in = part.width});
}

}  // namespace tfm
