// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/feed_forward.h"

#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {

std::vector<io::Field> FeedForward::fields() {
  constexpr std::int64_t kMaxUnits = 1'048'576;
  return {{"width", "Units between its two maps", io::IntegerSlot{&width, 1, kMaxUnits}}};
}

std::vector<BlockSize> FeedForward::growable() { return {{Axis::FeedForward, "width", &width}}; }

TensorId FeedForward::build(ModelBuilder& m, const Place& place, const FeedForward& part,
                            TensorId x, const BlockContext&) const {
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  const Dimension wide{{Axis::FeedForward, width}};
  const Dimension read_wide{{Axis::FeedForward, width, Added::Zero}};
  const bool bias = m.config.feed_forward_bias;
  const TensorId before =
      linearMap(m, place.sub(ParameterPart::Linear1), x, wide, hidden, bias, {.out = part.width});
  const TensorId active =
      ops::activation(m.program, place.path + ".activation", before, m.config.activation);
  const TensorId hidden_units =
      m.config.gated_feed_forward
          ? ops::multiply(m.program, place.path + ".product", active,
                          linearMap(m, place.sub(ParameterPart::Up), x, wide, hidden, bias,
                                    {.out = part.width}))
          : active;
  const TensorId kept =
      ops::dropout(m.program, place.path + ".dropout", hidden_units, m.config.feed_forward_dropout);
  return linearMap(m, place.sub(ParameterPart::Linear2), kept, writtenHidden(m.config), read_wide,
                   bias, {.in = part.width});
}

}  // namespace tfm
