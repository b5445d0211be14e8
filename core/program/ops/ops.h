// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/program/program_builder.h"

namespace tfm::ops {

// All ops; each is documented in its file. A function checks shapes, appends one step to the
// builder and returns its output, named `path` (or `path`.part if a step has several).

extern const Op kEmbedding;
/// ids: one token per row, table: vocabulary x hidden.  -> rows x hidden
TensorId embedding(ProgramBuilder& b, const std::string& path, TensorId ids, TensorId table,
                   double scale);
extern const Op kAddPositions;
/// x: (sequences * length) x hidden, positions: at least length x hidden.
TensorId addPositions(ProgramBuilder& b, const std::string& path, TensorId x, TensorId positions,
                      std::int64_t length);
extern const Op kPadColumns;
/// x: rows x at most cols.  -> rows x cols
TensorId padColumns(ProgramBuilder& b, const std::string& path, TensorId x, std::int64_t cols);
extern const Op kLinear;
/// x: rows x in, weight: out x in, bias: out or kNoTensor.  -> rows x out
TensorId linear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                TensorId bias);
extern const Op kGroupedLinear;
/// x: rows x in, weight: out x (in / groups), the rows of a group together; bias: out or kNoTensor.
/// -> rows x out; with `shuffle` output j of group i is column j * groups + i.
TensorId groupedLinear(ProgramBuilder& b, const std::string& path, TensorId x, TensorId weight,
                       TensorId bias, std::int64_t groups, bool shuffle);
extern const Op kJoinGroups;
/// Group by group, the columns of left and then of right.  -> rows x (columns of both)
TensorId joinGroups(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right,
                    std::int64_t groups);
extern const Op kActivation;
TensorId activation(ProgramBuilder& b, const std::string& path, TensorId x, Activation kind);
extern const Op kAdd;
TensorId add(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right);
extern const Op kMultiply;
TensorId multiply(ProgramBuilder& b, const std::string& path, TensorId left, TensorId right);
extern const Op kGate;
/// x: output of a closed gate, f: of an open one, gate: 1 x 1.
TensorId gate(ProgramBuilder& b, const std::string& path, TensorId x, TensorId f, TensorId gate);
extern const Op kAffine;
/// factor, added: equal shapes, as wide as x; their row count divides that of x, and they repeat.
/// Where a factor is 0, x does not matter, even if it is not finite.
TensorId affine(ProgramBuilder& b, const std::string& path, TensorId x, TensorId factor,
                TensorId added);
extern const Op kDropout;
/// Returns x outside training and at rate 0.
TensorId dropout(ProgramBuilder& b, const std::string& path, TensorId x, double rate);
extern const Op kLayerNorm;
/// gain: hidden, bias: hidden or kNoTensor. With gain and bias for hidden / n columns, each of n
/// groups of columns is normalized by itself.
TensorId layerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                   TensorId bias, double eps);
extern const Op kMaskedLayerNorm;
/// Layer norm with a mask over the columns; the first mask.size (at least one) have full weight.
TensorId maskedLayerNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain,
                         TensorId bias, const MaskedNormArguments& mask);
extern const Op kRmsNorm;
/// Groups as of layerNorm().
TensorId rmsNorm(ProgramBuilder& b, const std::string& path, TensorId x, TensorId gain, double eps);
extern const Op kRotary;
/// x: (sequences * a.length) x (heads * a.key_size), angles: a.length x a.size, as below.
TensorId rotary(ProgramBuilder& b, const std::string& path, TensorId x, TensorId angles,
                const RotaryArguments& a);
/// base^(-2 i / size) for i < size / 2.
std::vector<double> rotaryFrequencies(std::int64_t size, double base);
/// magnitude cos(t w_i) and then magnitude sin(t w_i) for all frequencies w, a row for each
/// position t.
std::vector<double> rotaryAngles(std::int64_t length, std::span<const double> frequencies,
                                 double magnitude = 1.0);
extern const Op kRepeatHeads;
/// x: rows x (heads * a.size).  -> rows x (heads * a.times * a.size), the copies of a head together
TensorId repeatHeads(ProgramBuilder& b, const std::string& path, TensorId x,
                     const RepeatArguments& a);
extern const Op kRelativeScores;
/// q: (batch * queries) x (heads * key_size), distances: a.distances() x the same.
/// -> (batch * heads * queries) x keys, the `bias` of attention()
TensorId relativeScores(ProgramBuilder& b, const std::string& path, TensorId q, TensorId distances,
                        const RelativeArguments& a);
/// What the distances above are made from, a.distances() x width, row-major: sin(d w_j) and then
/// cos(d w_j) for j < base / 2, w_j = 10000^(-j / (base / 2)) and d the distance in tokens, of
/// which there are `key_stride` from one key to the next. Columns from `base` (even) on are 0.
std::vector<double> distanceTable(const RelativeArguments& a, std::int64_t key_stride,
                                  std::int64_t width, std::int64_t base);
extern const Op kDistanceScores;
/// distances: a.distances() x heads.  -> (batch * heads * queries) x keys, the `bias` of
/// attention(). With places, an integer for each query, that is where the queries are among the
/// keys, and the table has 2 * keys - 1 rows, as for as many queries as keys.
TensorId distanceScores(ProgramBuilder& b, const std::string& path, TensorId distances,
                        const RelativeArguments& a, TensorId places = kNoTensor);
/// Distances that share a number: near ones have a bucket each, farther ones share it with ever
/// more, as a logarithm, and those from `furthest` on share the last one (Raffel et al. 2020, T5,
/// section 2.1, and its code). Keys to the left and to the right have half of the buckets each or,
/// unless both_sides, those to the right are as near as the query itself.
struct DistanceBuckets {
  std::int64_t buckets = 32;
  std::int64_t furthest = 128;
  bool both_sides = true;

  /// The bucket of a key so many positions to the right of its query.
  std::int64_t of(std::int64_t to_right) const;
};
/// For each distance, in the order of RelativeArguments::rowOf(), `scale` in the column of its
/// bucket and 0 in the others, row-major.
std::vector<double> distanceBuckets(const DistanceBuckets& a, std::int64_t queries,
                                    std::int64_t keys, double scale);
extern const Op kSegmentScores;
/// Adds to such scores; embedding: 2 x (heads * key_size), of another and of the same segment;
/// segments: an integer a query and key, or kNoTensor where there is one segment.
TensorId segmentScores(ProgramBuilder& b, const std::string& path, TensorId scores, TensorId q,
                       TensorId embedding, TensorId query_segments, TensorId key_segments,
                       const SegmentArguments& a);
extern const Op kAttention;
/// q: (batch * queries) x (heads * key_size) and so on; key_pad: batch * keys flags or kNoTensor;
/// bias: (batch * heads * queries) x keys, added to q k^T, or kNoTensor. Names its outputs
/// path.scores, path.masked_scores (both only when the builder keeps scores), path.probabilities,
/// path.dropped_probabilities and path.mixed; returns path.mixed. If the builder has changes of
/// path.probabilities, these are the changed ones, which take the place of dropped ones. If nobody
/// watches them, there is path.softmax_rows instead of these two: of each row its largest masked
/// score m and sum_j exp(score_j - m), with which a backward pass computes it again. Such a step is
/// not explained.
TensorId attention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k, TensorId v,
                   TensorId key_pad, const AttentionShape& shape, double dropout_rate,
                   TensorId bias = kNoTensor);
extern const Op kCachedAttention;
/// Keeps the keys and values of a.shape.queries more positions, and attends to all kept ones up to
/// the query's: with those kept in earlier runs, what attention() with a causal mask gives for
/// these rows. places: an integer a row, which position it is; rows with the same place must be
/// the same. Keeps in the states path.kept_keys, (batch * columns of k) x a.shape.keys, and
/// path.kept_values, (batch * a.shape.keys) x columns of v. Returns path.mixed. Without backward
/// and explanation. bias: as in attention(), of the kept keys.
TensorId cachedAttention(ProgramBuilder& b, const std::string& path, TensorId q, TensorId k,
                         TensorId v, TensorId places, const CachedAttentionArguments& a,
                         TensorId bias = kNoTensor);
extern const Op kSequencePool;
/// x: (sequences * sequence.length) x hidden.  -> (sequences * sequence.pooledLength()) x hidden
TensorId sequencePool(ProgramBuilder& b, const std::string& path, TensorId x,
                      const SequencePooling& sequence, Pooling kind);
extern const Op kPoolIds;
/// The same of integers: pads (Min) or segments (First).
TensorId poolIds(ProgramBuilder& b, const std::string& path, TensorId ids,
                 const SequencePooling& sequence, IdPooling kind);
extern const Op kUpsample;
/// x: (sequences * sequence.length) x hidden.  -> (sequences * sequence.target_length) x hidden
TensorId upsample(ProgramBuilder& b, const std::string& path, TensorId x,
                  const SequenceUpsampling& sequence);
extern const Op kMeanPool;
/// x: (sequences * length) x hidden, pad: one flag per row.  -> sequences x hidden
TensorId meanPool(ProgramBuilder& b, const std::string& path, TensorId x, TensorId pad,
                  std::int64_t length);
extern const Op kCrossEntropy;
/// Also has the output path.probabilities.  -> 1 x 1
TensorId crossEntropy(ProgramBuilder& b, const std::string& path, TensorId logits, TensorId labels,
                      TensorId weights);
extern const Op kSquaredError;
TensorId squaredError(ProgramBuilder& b, const std::string& path, TensorId x, TensorId target,
                      double scale);

/// All ops that a step may have, but for kCachedAttention.
inline constexpr std::array kAll{
    &kEmbedding,     &kAddPositions,    &kPadColumns,     &kLinear,
    &kGroupedLinear, &kJoinGroups,      &kActivation,     &kAdd,
    &kGate,          &kMultiply,        &kAffine,         &kDropout,
    &kLayerNorm,     &kMaskedLayerNorm, &kRmsNorm,        &kRotary,
    &kRepeatHeads,   &kAttention,       &kRelativeScores, &kDistanceScores,
    &kSegmentScores, &kSequencePool,    &kPoolIds,        &kUpsample,
    &kMeanPool,      &kCrossEntropy,    &kSquaredError};

}  // namespace tfm::ops
