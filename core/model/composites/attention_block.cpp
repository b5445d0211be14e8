// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {

namespace {

/// Query, key and value maps, attention, output map. Only the first `heads` heads run.
TensorId attentionBlock(ModelBuilder& m, const Place& place, TensorId queries_from, Rows rows,
                        const Memory& keys_from, const AttentionSizes& sizes, std::int64_t heads,
                        bool causal) {
  const Dimension hidden{{Axis::Hidden, m.config.hidden}};
  // New query components are free while those of the key are zero; new heads and value components
  // are free while the output map's columns for them are zero.
  const auto key = [&](Added added) {
    return AxisSize{Axis::Key, sizes.key_size, added, sizes.key_sizes};
  };
  const auto value = [&](Added added) {
    return AxisSize{Axis::Value, sizes.value_size, added, sizes.value_sizes};
  };
  const Dimension head_queries{{Axis::Head, sizes.heads}, key(Added::Free)};
  const Dimension head_keys{{Axis::Head, sizes.heads}, key(Added::Zero)};
  const Dimension head_values{{Axis::Head, sizes.heads}, value(Added::Free)};
  const Dimension mixed_values{{Axis::Head, sizes.heads, Added::Zero}, value(Added::Zero)};
  const bool bias = m.config.attention_bias;

  const std::int64_t keys = heads * sizes.key_size;
  const std::int64_t values = heads * sizes.value_size;

  const TensorId q = linearMap(m, place.sub(ParameterPart::Query), queries_from, head_queries,
                               hidden, bias, {.out = keys});
  const TensorId k = linearMap(m, place.sub(ParameterPart::Key), keys_from.states, head_keys,
                               keys_from.axis, bias, {.out = keys});
  const TensorId v = linearMap(m, place.sub(ParameterPart::Value), keys_from.states, head_values,
                               keys_from.axis, bias, {.out = values});
  const AttentionShape shape{rows.sequences,   rows.length, keys_from.length, heads, sizes.key_size,
                             sizes.value_size, causal};
  const TensorId mixed = ops::attention(m.program, place.path, q, k, v, keys_from.pad, shape,
                                        m.config.attention_dropout);
  return linearMap(m, place.sub(ParameterPart::Output), mixed, writtenHidden(m.config),
                   mixed_values, bias, {.in = values});
}

}  // namespace

TensorId block(ModelBuilder& m, const Place& place, const SelfAttention& whole,
               const SelfAttention& part, TensorId x, const BlockContext& around) {
  const std::int64_t hidden = m.config.hidden;
  const Memory itself{x, around.pad, around.rows.length, hidden, {{Axis::Hidden, hidden}}};
  return attentionBlock(m, place, x, around.rows, itself, whole.sizes, part.sizes.heads,
                        around.causal);
}

TensorId block(ModelBuilder& m, const Place& place, const CrossAttention& whole,
               const CrossAttention& part, TensorId x, const BlockContext& around) {
  return attentionBlock(m, place, x, around.rows, around.memory, whole.sizes, part.sizes.heads,
                        false);
}

}  // namespace tfm
