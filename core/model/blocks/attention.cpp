// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/attention.h"

#include <cmath>

#include "core/base/error.h"
#include "core/model/composites/model_builder.h"
#include "core/model/config_fields.h"
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

/// Relative attention: what is added to the scores, and the queries of the content.
struct RelativeQueries {
  TensorId content, bias;
};

/// `stride`: tokens from one query to the next.
RelativeQueries relativeQueries(ModelBuilder& m, const Place& place, TensorId q,
                                const Dimension& head_queries, const Dimension& head_keys,
                                const AttentionShape& shape, std::int64_t stride) {
  const std::int64_t width = m.config.sinusoid_size > 0 ? m.config.sinusoid_size : m.config.hidden;
  const std::int64_t columns = shape.heads * shape.key_size;
  const bool cls = m.config.pooling.separate_cls;
  const RelativeArguments relative{shape, shape.queries < shape.keys ? 2 : 1, cls};
  const auto with = [&](const ParameterPart& part) {
    const Place at = place.sub(part);
    const TensorId bias =
        m.program.parameter(at.parameters + ".bias", {head_queries}, {}, part, Term::Bias);
    return ops::addPositions(m.program, at.path + "_query", q, m.program.window(bias, 1, columns),
                             1);
  };
  const TensorId content = with(kContentPart);
  // One table for all layers of this length.
  const TensorId table = m.program.constant(
      "encoder.distances." + std::to_string(shape.queries) + "x" + std::to_string(shape.keys),
      relative.distances(), width,
      ops::distanceTable(relative, stride / relative.ratio, width, width));
  const TensorId distances = linearMap(m, place.sub(kPositionPart), table, head_keys,
                                       {{Axis::Sinusoid, width}}, false, {.out = columns});
  const TensorId scores = ops::relativeScores(m.program, place.path + ".position_scores",
                                              with(kPositionPart), distances, relative);
  const TensorId segments = m.program.window(
      m.program.parameter(place.sub(kSegmentPart).parameters + ".weight",
                          {{{Axis::Segment, 2}}, head_keys},
                          {InitialValues::Normal, m.config.initial_deviation}, kSegmentPart),
      2, columns);
  return {content,
          ops::segmentScores(m.program, place.path + ".segment_scores", scores, with(kSegmentPart),
                             segments, kNoTensor, kNoTensor, {shape, cls})};
}

/// What is added to q k^T for the distance of a query and a key, so that after the division by
/// sqrt(key size) it is the number of the head and of their bucket.
TensorId bucketScores(ModelBuilder& m, const Place& place, const Dimension& query_heads,
                      const AttentionShape& shape, bool keeps) {
  const std::int64_t buckets = m.config.distance_buckets;
  const std::int64_t queries = keeps ? shape.keys : shape.queries;
  const std::int64_t rows = queries - 1 + shape.keys;
  const std::string stack = place.path.substr(0, place.path.find('.'));
  // One table for all layers of a stack with equal keys.
  const TensorId table = m.program.constant(
      stack + ".buckets." + std::to_string(shape.key_size), rows, buckets,
      ops::distanceBuckets({buckets, m.config.distance_furthest, !shape.causal}, queries,
                           shape.keys, std::sqrt(double(shape.key_size))));
  const TensorId distances = linearMap(m, place.sub(kDistancePart), table, query_heads,
                                       {{Axis::Bucket, buckets}}, false, {.out = shape.heads});
  return ops::distanceScores(m.program, place.path + ".distance_scores", distances,
                             {shape, 1, false}, keeps ? m.places : kNoTensor);
}

/// One table for all layers of a stack whose keys are alike.
RotaryTable rotaryTable(ModelBuilder& m, const Place& place, const Rows& rows,
                        std::int64_t key_size) {
  if (m.config.positions != Positions::Rotary) return {};
  const std::int64_t size = m.config.rotary_size > 0 ? m.config.rotary_size : key_size;
  const std::string stack = place.path.substr(0, place.path.find('.'));
  const std::string name = stack + ".angles." + std::to_string(size);
  const std::int64_t length = tablePositions(m, rows);
  const std::vector<double>& given = m.config.rotary_frequencies;
  const TensorId table = m.program.constant(
      name, length, size,
      ops::rotaryAngles(length,
                        given.empty() ? ops::rotaryFrequencies(size, m.config.rotary_base) : given,
                        m.config.rotary_magnitude));
  if (m.places == kNoTensor) return {table, size};
  return {ops::embedding(m.program, place.path + ".angles", m.places, table, 1.0), size};
}

}  // namespace

TensorId attentionSteps(ModelBuilder& m, const Place& place, TensorId queries_from,
                        const Dimension& axis, Rows rows, const Memory& keys_from,
                        const AttentionSizes& sizes, std::int64_t heads, bool causal,
                        std::int64_t relative_stride, const RotaryTable& rotary,
                        std::int64_t window) {
  const bool relative = relative_stride > 0;
  const std::int64_t group = sizes.group;
  // New query components are free while those of the key are zero; new heads and value components
  // are free while the output map's columns for them are zero.
  const auto key = [&](Added added) {
    return AxisSize{Axis::Key, sizes.key_size, added, sizes.key_sizes};
  };
  const auto value = [&](Added added) {
    return AxisSize{Axis::Value, sizes.value_size, added, sizes.value_sizes};
  };
  // Without groups, heads of queries are those of keys.
  const auto grouped = [&](const AxisSize& head, Added added, const AxisSize& inner) {
    return group == 1 ? Dimension{head, inner}
                      : Dimension{head, AxisSize{Axis::Query, group, added}, inner};
  };
  const Dimension head_queries = grouped({Axis::Head, sizes.heads}, Added::Free, key(Added::Free));
  const Dimension head_keys{{Axis::Head, sizes.heads}, key(Added::Zero)};
  const Dimension head_values{{Axis::Head, sizes.heads}, value(Added::Free)};
  const Dimension mixed_values =
      grouped({Axis::Head, sizes.heads, Added::Zero}, Added::Zero, value(Added::Zero));
  const bool bias = m.config.attention_bias;

  const std::int64_t keys = heads * sizes.key_size;
  const std::int64_t values = heads * sizes.value_size;
  const bool keeps = causal && m.places != kNoTensor;

  // Of a memory, keys and values stay the same from run to run: they are given.
  const auto ofKeys = [&](ParameterPart what, const Dimension& out, std::int64_t columns) {
    const Place at = place.sub(what);
    if (keeps || m.places == kNoTensor)
      return linearMap(m, at, keys_from.states, out, keys_from.axis, bias, {.out = columns});
    mapParameters(m, at, out, keys_from.axis, bias, {.out = columns});
    return m.program.input(at.path, rows.sequences * keys_from.length, columns);
  };

  TensorId q = linearMap(m, place.sub(ParameterPart::Query), queries_from, head_queries, axis,
                         bias && !relative, {.out = group * keys});
  TensorId k = ofKeys(ParameterPart::Key, head_keys, keys);
  TensorId v = ofKeys(ParameterPart::Value, head_values, values);
  if (m.config.query_key_norm && keys_from.states == queries_from) {
    const auto normed = [&](const ParameterPart& part, TensorId x) {
      const Place at = place.sub(part);
      return ops::rmsNorm(m.program, at.path, x,
                          m.program.parameter(at.parameters + ".weight", {{key(Added::Free)}},
                                              {InitialValues::Constant, 1.0}, part, Term::Gain),
                          m.config.query_key_norm_eps);
    };
    q = normed(kQueryNormPart, q);
    k = normed(kKeyNormPart, k);
  }
  if (rotary.angles != kNoTensor) {
    // Of rows at given places, each has its own angles.
    const std::int64_t length = keeps ? rows.sequences * rows.length : rows.length;
    const RotaryArguments turn{length, sizes.key_size, rotary.size};
    q = ops::rotary(m.program, place.path + ".turned_query", q, rotary.angles, turn);
    k = ops::rotary(m.program, place.path + ".turned_key", k, rotary.angles, turn);
  }
  if (group > 1 && !keeps) {
    k = ops::repeatHeads(m.program, place.path + ".shared_key", k, {group, sizes.key_size});
    v = ops::repeatHeads(m.program, place.path + ".shared_value", v, {group, sizes.value_size});
  }
  const AttentionShape shape{
      rows.sequences, rows.length,    keeps ? m.program.shape().kept_length : keys_from.length,
      heads * group,  sizes.key_size, sizes.value_size,
      causal,         window};
  const bool buckets = m.config.positions == Positions::Buckets && keys_from.states == queries_from;
  const Dimension query_heads =
      group == 1 ? Dimension{{Axis::Head, sizes.heads}}
                 : Dimension{{Axis::Head, sizes.heads}, {Axis::Query, group, Added::Free}};
  const TensorId distances =
      buckets ? bucketScores(m, place, query_heads, shape, keeps) : kNoTensor;
  const auto attend = [&] {
    if (keeps)
      return ops::cachedAttention(m.program, place.path, q, k, v, m.places, {shape, group},
                                  distances);
    const RelativeQueries queries =
        relative ? relativeQueries(m, place, q, head_queries, head_keys, shape, relative_stride)
                 : RelativeQueries{q, distances};
    return ops::attention(m.program, place.path, queries.content, k, v, keys_from.pad, shape,
                          m.config.attention_dropout, queries.bias);
  };
  const TensorId mixed = attend();
  return linearMap(m, place.sub(ParameterPart::Output), mixed, writtenHidden(m.config),
                   mixed_values, bias, {.in = group * values});
}

std::vector<io::Field> AttentionSizes::fields() {
  using io::IntegerSlot;
  using io::IntegersSlot;
  return {
      {"heads", "Attentions side by side, each with its keys and values",
       IntegerSlot{&heads, 1, kMaxHeads}},
      {"group", "Heads of queries that share the keys and values of a head",
       IntegerSlot{&group, 1, kMaxHeads}},
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
          {Axis::Query, "group", &group},
          {Axis::Key, "key size", &key_size, &key_sizes, heads},
          {Axis::Value, "value size", &value_size, &value_sizes, heads}};
}

void AttentionSizes::check(const std::string& owner) const {
  if (group > 1 && (!key_sizes.empty() || !value_sizes.empty()))
    throw Error(owner + "group is " + std::to_string(group), "model config",
                "Allowed: 1 where heads have sizes of their own");
  checkOwnSizes(owner + "key_sizes", key_sizes, heads, key_size);
  checkOwnSizes(owner + "value_sizes", value_sizes, heads, value_size);
}

std::vector<io::Field> SelfAttention::fields() {
  std::vector<io::Field> all = sizes.fields();
  const io::Field field{"window",
                        "A position attends to the last so many, in decoders; 0: to all before",
                        io::IntegerSlot{&window, 0, kMaxPositions}};
  all.push_back(field);
  return all;
}

TensorId SelfAttention::build(ModelBuilder& m, const Place& place, const SelfAttention& part,
                              TensorId x, const BlockContext& around) const {
  const std::int64_t hidden = m.config.hidden;
  const Memory itself{x, around.pad, around.rows.length, hidden, {{Axis::Hidden, hidden}}};
  const bool pooled = around.unpooled.states != kNoTensor;
  return attentionSteps(m, place, x, itself.axis, around.rows, pooled ? around.unpooled : itself,
                        sizes, part.sizes.heads, around.causal,
                        m.config.positions == Positions::Relative ? around.stride : 0,
                        rotaryTable(m, place, around.rows, sizes.key_size), window);
}

TensorId CrossAttention::build(ModelBuilder& m, const Place& place, const CrossAttention& part,
                               TensorId x, const BlockContext& around) const {
  return attentionSteps(m, place, x, {{Axis::Hidden, m.config.hidden}}, around.rows, around.memory,
                        sizes, part.sizes.heads, false);
}

}  // namespace tfm
