// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/ops.h"
#include "tests/core/program/ops/op_case.h"

namespace tfm::test {
namespace {

/// Calls work(row of the scores, head, query, key, rows of the query and of the key).
template <class Work>
void overCells(const AttentionShape& s, const Work& work) {
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t h = 0; h < s.heads; ++h)
      for (std::int64_t i = 0; i < s.queries; ++i)
        for (std::int64_t j = 0; j < s.keys; ++j)
          work((b * s.heads + h) * s.queries + i, h, i, j, b * s.queries + i, b * s.keys + j);
}

double plainDot(const PlainMatrix& a, std::int64_t row_a, const PlainMatrix& b, std::int64_t row_b,
                std::int64_t head, std::int64_t size) {
  double sum = 0.0;
  for (std::int64_t c = head * size; c < (head + 1) * size; ++c)
    sum += a.at(row_a, c) * b.at(row_b, c);
  return sum;
}

Outputs plainRelativeScores(const PlainCall& call) {
  const auto& [s, ratio, separate_cls] = call.get<RelativeArguments>();
  PlainMatrix y({s.batch * s.heads * s.queries, s.keys});
  // Row 0 of the table: the last query from the first key, `last` keys apart.
  const std::int64_t last = (s.queries - 1) * ratio;
  overCells(s, [&](auto row, auto head, auto query, auto key, auto query_row, auto) {
    if (separate_cls && (query == 0 || key == 0)) return;
    y.at(row, key) =
        plainDot(call.in[0], query_row, call.in[1], last - (query * ratio - key), head, s.key_size);
  });
  return {y};
}

Outputs plainDistanceScores(const PlainCall& call) {
  const AttentionShape& s = call.get<RelativeArguments>().shape;
  const Ids& places = call.ids[1];
  PlainMatrix y({s.batch * s.heads * s.queries, s.keys});
  overCells(s, [&](auto row, auto head, auto query, auto key, auto query_row, auto) {
    // Row 0 of the table: the last place from the first key.
    const std::int64_t place = places.empty() ? query : places[std::size_t(query_row)];
    const std::int64_t last = (places.empty() ? s.queries : s.keys) - 1;
    y.at(row, key) = call.in[0].at(last - (place - key), head);
  });
  return {y};
}

Outputs plainSegmentScores(const PlainCall& call) {
  const auto& [s, separate_cls] = call.get<SegmentArguments>();
  const Ids &of_queries = call.ids[3], &of_keys = call.ids[4];
  PlainMatrix y = call.in[0];
  overCells(s, [&](auto row, auto head, auto query, auto key, auto query_row, auto key_row) {
    if (separate_cls && (query == 0 || key == 0)) return;
    const std::int32_t a = of_queries.empty() ? 0 : of_queries[std::size_t(query_row)];
    const std::int32_t b = of_keys.empty() ? 0 : of_keys[std::size_t(key_row)];
    const bool same = a == b || a == 2 || b == 2;
    y.at(row, key) += plainDot(call.in[1], query_row, call.in[2], same ? 1 : 0, head, s.key_size);
  });
  return {y};
}

}  // namespace

std::vector<OpCase> relativeCases() {
  std::vector<OpCase> all;
  const auto relative = [&](const std::string& name, const RelativeArguments& a) {
    all.push_back(makeCase("relative scores " + name, plainRelativeScores, [&](CaseBuilder& b) {
      const std::int64_t cols = a.shape.heads * a.shape.key_size;
      ops::relativeScores(b, "y", b.x(a.shape.batch * a.shape.queries, cols),
                          b.x(a.distances(), cols), a);
    }));
  };
  // batch, queries, keys, heads, key size, value size
  relative("of one", {{1, 1, 1, 1, 1, 1}});
  relative("7 on 7", {{3, 7, 7, 2, 5, 5}});
  relative("5 on 9, pooled", {{2, 5, 9, 3, 3, 3}, 2});
  relative("18 on 18, [CLS]", {{2, 18, 18, 1, 9, 9}, 1, true});
  relative("4 on 8, [CLS], pooled", {{5, 4, 8, 2, 8, 8}, 2, true});
  relative("9 on 17, [CLS], pooled", {{1, 9, 17, 2, 17, 4}, 2, true});

  const auto distances = [&](const std::string& name, const AttentionShape& s, const Ids& places) {
    all.push_back(makeCase("distance scores " + name, plainDistanceScores, [&](CaseBuilder& b) {
      const std::int64_t queries = places.empty() ? s.queries : s.keys;
      ops::distanceScores(b, "y", b.x(queries - 1 + s.keys, s.heads), {s},
                          places.empty() ? kNoTensor : b.given(places));
    }));
  };
  distances("of one", {1, 1, 1, 1, 1, 1}, {});
  distances("7 on 7", {3, 7, 7, 2, 5, 5}, {});
  distances("5 on 9", {2, 5, 9, 3, 3, 3}, {});
  distances("2 of 9 places", {2, 2, 9, 3, 3, 3}, {8, 3, 0, 0});

  const auto segments = [&](const std::string& name, const AttentionShape& s, bool cls,
                            const Ids& of_queries, const Ids& of_keys) {
    all.push_back(makeCase("segment scores " + name, plainSegmentScores, [&](CaseBuilder& b) {
      const std::int64_t cols = s.heads * s.key_size;
      ops::segmentScores(b, "y", b.x(s.batch * s.heads * s.queries, s.keys),
                         b.x(s.batch * s.queries, cols), b.x(2, cols),
                         of_queries.empty() ? kNoTensor : b.given(of_queries),
                         of_keys.empty() ? kNoTensor : b.given(of_keys), {s, cls});
    }));
  };
  segments("of two", {2, 3, 3, 2, 3, 3}, false, {0, 0, 1, 2, 0, 1}, {0, 1, 1, 2, 0, 1});
  segments("of one", {2, 3, 5, 2, 4, 4}, true, {}, {});
  segments("of two, [CLS]", {1, 3, 5, 2, 9, 9}, true, {2, 0, 1}, {2, 0, 0, 1, 1});
  return all;
}

}  // namespace tfm::test
