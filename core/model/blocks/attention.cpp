// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/attention.h"

#include "core/base/error.h"
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

constexpr std::int64_t kMaxHeads = 1024;
constexpr std::int64_t kMaxHeadSize = 8192;

/// One size per head, at most the stored one.
void checkOwnSizes(const std::string& field, const std::vector<std::int64_t>& sizes,
                   std::int64_t heads, std::int64_t stored) {
  if (sizes.empty()) return;
  if (std::int64_t(sizes.size()) != heads)
    throw Error(field + " is " + std::to_string(sizes.size()) + " sizes", "model config",
                "Allowed: one size for each of the " + std::to_string(heads) + " heads, or none");
  for (const std::int64_t size : sizes)
    if (size > stored)
      throw Error(field + " is " + std::to_string(size), "model config",
                  "Allowed: a whole number from 1 to " + std::to_string(stored));
}

}  // namespace

TensorId attentionSteps(ModelBuilder& m, const Place& place, TensorId queries_from,
                        const Dimension& axis, Rows rows, const Memory& keys_from,
                        const AttentionSizes& sizes, std::int64_t heads, bool causal) {
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

  const TensorId q = linearMap(m, place.sub(ParameterPart::Query), queries_from, head_queries, axis,
                               bias, {.out = keys});
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

std::vector<io::Field> AttentionSizes::fields() {
  using io::IntegerSlot;
  using io::IntegersSlot;
  return {
      {"heads", "Attentions side by side", IntegerSlot{&heads, 1, kMaxHeads}},
      {"key_size", "Width of queries and keys of one head",
       IntegerSlot{&key_size, 1, kMaxHeadSize}},
      {"value_size", "Width of the values of one head", IntegerSlot{&value_size, 1, kMaxHeadSize}},
      {"key_sizes", "Key sizes of the heads where they differ",
       IntegersSlot{&key_sizes, 1, kMaxHeadSize}},
      {"value_sizes", "Value sizes of the heads where they differ",
       IntegersSlot{&value_sizes, 1, kMaxHeadSize}}};
}

std::vector<BlockSize> AttentionSizes::growable() {
  return {{Axis::Head, "heads", &heads},
          {Axis::Key, "key size", &key_size, &key_sizes, heads},
          {Axis::Value, "value size", &value_size, &value_sizes, heads}};
}

void AttentionSizes::check(const std::string& owner) const {
  checkOwnSizes(owner + "key_sizes", key_sizes, heads, key_size);
  checkOwnSizes(owner + "value_sizes", value_sizes, heads, value_size);
}

TensorId SelfAttention::build(ModelBuilder& m, const Place& place, const SelfAttention& part,
                              TensorId x, const BlockContext& around) const {
  const std::int64_t hidden = m.config.hidden;
  const Memory itself{x, around.pad, around.rows.length, hidden, {{Axis::Hidden, hidden}}};
  return attentionSteps(m, place, x, itself.axis, around.rows, itself, sizes, part.sizes.heads,
                        around.causal);
}

TensorId CrossAttention::build(ModelBuilder& m, const Place& place, const CrossAttention& part,
                               TensorId x, const BlockContext& around) const {
  return attentionSteps(m, place, x, {{Axis::Hidden, m.config.hidden}}, around.rows, around.memory,
                        sizes, part.sizes.heads, false);
}

}  // namespace tfm
