// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/program/ops/ops.h"
#include "tests/core/program/ops/op_case.h"

namespace tfm::test {
namespace {

/// mixed, probabilities, dropped, scores, masked scores, maxima and sums of the softmax.
Outputs plainAttention(const PlainCall& call) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto& [s, dropout, changes] = call.get<AttentionArguments>();
  const PlainMatrix &q = call.in[0], &k = call.in[1], &v = call.in[2], &bias = call.in[4];
  const Ids& key_pad = call.ids[3];
  PlainMatrix mixed({s.batch * s.queries, s.heads * s.value_size});
  PlainMatrix scores({s.batch * s.heads * s.queries, s.keys});
  PlainMatrix masked(scores.size), probabilities(scores.size), softmax_rows({scores.size.rows, 2});
  for (std::int64_t b = 0; b < s.batch; ++b) {
    for (std::int64_t h = 0; h < s.heads; ++h) {
      for (std::int64_t i = 0; i < s.queries; ++i) {
        const std::int64_t row = (b * s.heads + h) * s.queries + i;
        double highest = -infinity;
        for (std::int64_t j = 0; j < s.keys; ++j) {
          scores.at(row, j) = bias.absent() ? 0.0 : bias.at(row, j);
          for (std::int64_t c = 0; c < s.key_size; ++c)
            scores.at(row, j) += q.at(b * s.queries + i, h * s.key_size + c) *
                                 k.at(b * s.keys + j, h * s.key_size + c);
          const bool padded = !key_pad.empty() && key_pad[std::size_t(b * s.keys + j)] != 0;
          const bool forbidden = s.causal && (j > i || (s.window > 0 && i - j >= s.window));
          masked.at(row, j) = forbidden ? -infinity
                                        : scores.at(row, j) / std::sqrt(double(s.key_size)) +
                                              (padded ? kPadScore : 0.0);
          highest = std::fmax(highest, masked.at(row, j));
        }
        double sum = 0.0;
        for (std::int64_t j = 0; j < s.keys; ++j) sum += std::exp(masked.at(row, j) - highest);
        for (std::int64_t j = 0; j < s.keys; ++j)
          probabilities.at(row, j) = std::exp(masked.at(row, j) - highest) / sum;
        softmax_rows.at(row, 0) = highest;
        softmax_rows.at(row, 1) = sum;
      }
    }
  }
  PlainMatrix dropped =
      dropout.rate > 0.0 ? plainDropped(probabilities, dropout, call.position) : PlainMatrix();
  if (!changes.empty()) dropped = probabilities;
  for (const CellChange& change : changes)
    dropped.at(change.row, change.col) =
        change.factor * dropped.at(change.row, change.col) + change.added;
  const PlainMatrix& weights = dropped.absent() ? probabilities : dropped;
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h)
      for (std::int64_t i = 0; i < s.queries; ++i)
        for (std::int64_t j = 0; j < s.keys; ++j)
          for (std::int64_t c = 0; c < s.value_size; ++c)
            mixed.at(b * s.queries + i, h * s.value_size + c) +=
                weights.at((b * s.heads + h) * s.queries + i, j) *
                v.at(b * s.keys + j, h * s.value_size + c);
  return {mixed, probabilities, dropped, scores, masked, softmax_rows};
}

OpCase attentionCase(const std::string& name, const AttentionShape& s, const Ids& pad,
                     double dropout = 0.0, const RunPosition& position = {}, bool scores = true,
                     bool bias = false, bool maps = true) {
  AttentionShape open = s;
  open.causal = false;
  open.window = 0;
  OpCase c =
      makeCase("attention " + name, plainAttention,
               [&](CaseBuilder& b) {
                 ops::attention(b, "y", b.x(s.batch * s.queries, s.heads * s.key_size),
                                b.x(s.batch * s.keys, s.heads * s.key_size),
                                b.x(s.batch * s.keys, s.heads * s.value_size),
                                pad.empty() ? kNoTensor : b.given(pad), open, dropout,
                                bias ? b.x(s.batch * s.heads * s.queries, s.keys) : kNoTensor);
               },
               {{}, true, scores, {}, maps});
  c.explained = maps;
  // The kernels can do what builders refuse: causal masks over other keys than the queries.
  auto* arguments = std::any_cast<AttentionArguments>(&c.program.steps.front().arguments);
  arguments->shape.causal = s.causal;
  arguments->shape.window = s.window;
  c.position = position;
  return c;
}

OpCase biasedCase(const std::string& name, const AttentionShape& s, const Ids& pad,
                  double dropout = 0.0) {
  return attentionCase("with bias, " + name, s, pad, dropout, {5, 7, 0}, true, true);
}

OpCase maplessCase(const std::string& name, const AttentionShape& s, const Ids& pad,
                   double dropout = 0.0, bool bias = false) {
  return attentionCase("without maps, " + name, s, pad, dropout, {5, 7, 0}, false, bias, false);
}

/// With changes of the map of head 1 (and of key 0 everywhere), one of them twice.
OpCase changedCase(const std::string& name, const AttentionShape& s, const Ids& pad) {
  const std::string map = "y.probabilities";
  const std::vector<TensorChange> changes{
      {.tensor = map, .head = 1, .row = 2, .col = 1, .cols = 1, .factor = 0.0, .added = {0.5}},
      {.tensor = map, .head = 1, .row = 2, .col = 1, .cols = 1, .factor = 3.0, .added = {-0.25}},
      {.tensor = map, .sequence = 1, .col = 0, .cols = 1, .factor = -2.0},
      {.tensor = map, .head = 0, .row = 1, .factor = 0.0, .added = {0.1, 0.3}, .added_cols = 2}};
  OpCase c = makeCase("attention changed, " + name, plainAttention,
                      [&](CaseBuilder& b) {
                        ops::attention(b, "y", b.x(s.batch * s.queries, s.heads * s.key_size),
                                       b.x(s.batch * s.keys, s.heads * s.key_size),
                                       b.x(s.batch * s.keys, s.heads * s.value_size),
                                       pad.empty() ? kNoTensor : b.given(pad), s, 0.0);
                      },
                      {{}, false, true, changes});
  check(!c.program.steps.front().outputs.empty() && c.program.find(map + kBefore) != kNoTensor,
        "the case is changed");
  return c;
}

}  // namespace

std::vector<OpCase> attentionCases() {
  // batch, queries, keys, heads, key size, value size, causal
  std::vector<OpCase> all{
      attentionCase("of one", {1, 1, 1, 1, 1, 1, false}, {}),
      attentionCase("of one key", {2, 3, 1, 2, 3, 5, false}, {}),
      attentionCase("3x3", {2, 3, 3, 2, 2, 2, false}, {}),
      attentionCase("5 on 7, key < value", {2, 5, 7, 3, 3, 5, false}, {}),
      attentionCase("9 on 17, key > value", {1, 9, 17, 2, 9, 4, false}, {}),
      attentionCase("17 on 33, whole tiles of values", {1, 17, 33, 1, 17, 16, false}, {}),
      attentionCase("16 on 16", {1, 16, 16, 2, 8, 8, false}, {}),
      attentionCase("causal 1", {2, 1, 1, 1, 3, 3, true}, {}),
      attentionCase("causal 7", {2, 7, 7, 2, 5, 3, true}, {}),
      attentionCase("causal 18", {1, 18, 18, 1, 4, 6, true}, {}),
      attentionCase("causal 18, window 2", {1, 18, 18, 1, 4, 6, true, 2}, {}),
      attentionCase("causal 18, window 5, padded", {2, 18, 18, 2, 4, 6, true, 5},
                    padAtEnd(18, {0, 3})),
      attentionCase("padded", {3, 5, 7, 2, 3, 5, false}, padAtEnd(7, {0, 3, 6})),
      attentionCase("causal and padded", {2, 7, 7, 2, 5, 5, true}, padAtEnd(7, {2, 0})),
      attentionCase("of more heads than a register holds", {3, 5, 7, 7, 3, 2, false}, {}),
      attentionCase("causal, of many padded heads", {3, 6, 6, 7, 2, 3, true},
                    padAtEnd(6, {0, 2, 5})),
      attentionCase("causal, more queries than keys", {2, 9, 5, 2, 3, 3, true}, {}),
      // Too large to be interleaved.
      attentionCase("33 on 50", {1, 33, 50, 2, 16, 17, false}, {}),
      attentionCase("causal 70, padded", {1, 70, 70, 1, 9, 10, true}, padAtEnd(70, {9})),
      attentionCase("causal 70, window 33, padded", {1, 70, 70, 1, 9, 10, true, 33},
                    padAtEnd(70, {9})),
      attentionCase("causal 70 on 40", {1, 70, 40, 1, 12, 8, true}, {}),
      attentionCase("dropout", {2, 5, 7, 2, 3, 5, false}, {}, 0.3, {5, 7, 0}),
      attentionCase("dropout, causal, padded", {2, 7, 7, 3, 4, 3, true}, padAtEnd(7, {1, 3}), 0.3,
                    {5, 7, 0}),
      attentionCase("dropout, later rows", {2, 3, 5, 2, 4, 3, false}, {}, 0.5, {5, 7, 10}),
      biasedCase("5 on 7, padded", {3, 5, 7, 2, 3, 5, false}, padAtEnd(7, {0, 3, 6})),
      biasedCase("causal 7, of many heads", {3, 7, 7, 7, 5, 3, true}, {}),
      biasedCase("causal 70 on 40", {1, 70, 40, 1, 12, 8, true}, {}),
      biasedCase("33 on 50", {1, 33, 50, 2, 16, 17, false}, {}),
      biasedCase("dropout, causal", {2, 7, 7, 3, 4, 3, true}, padAtEnd(7, {1, 3}), 0.3),
      changedCase("5 on 7", {2, 5, 7, 2, 3, 5, false}, {}),
      changedCase("causal and padded", {2, 7, 7, 3, 4, 3, true}, padAtEnd(7, {1, 3})),
      changedCase("causal 70", {2, 70, 70, 2, 9, 10, true}, {}),
      maplessCase("of one", {1, 1, 1, 1, 1, 1, false}, {}),
      maplessCase("5 on 7, padded", {3, 5, 7, 2, 3, 5, false}, padAtEnd(7, {0, 3, 6})),
      maplessCase("causal 70 on 40", {1, 70, 40, 1, 12, 8, true}, {}),
      maplessCase("causal 70, window 3", {1, 70, 70, 1, 12, 8, true, 3}, {}),
      maplessCase("33 on 50, dropout", {1, 33, 50, 2, 16, 17, false}, {}, 0.3),
      maplessCase("with bias, dropout, causal", {2, 7, 7, 3, 4, 3, true}, padAtEnd(7, {1, 3}), 0.3,
                  true),
      attentionCase("without scores kept", {2, 5, 7, 2, 3, 5, false}, {}, 0.0, {}, false),
      attentionCase("with all keys padded but the first", {2, 3, 5, 2, 4, 3, false},
                    padAtEnd(5, {4, 2}))};
  for (const char* name : {"5 on 7, key < value", "causal and padded", "33 on 50", "dropout"})
    all.push_back(
        widened(*std::ranges::find(all, "attention " + std::string(name), &OpCase::name)));
  return all;
}

}  // namespace tfm::test
