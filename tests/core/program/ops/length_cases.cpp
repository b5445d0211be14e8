// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/program/ops/ops.h"
#include "tests/core/program/ops/op_case.h"

namespace tfm::test {
namespace {

/// The rows of a pooled sequence as the official code finds them: [CLS] goes before the sequence
/// once more, the last position gives way to it, and then all is cut into pairs.
std::vector<std::vector<std::int64_t>> plainPairs(const SequencePooling& s) {
  std::vector<std::int64_t> rows;
  if (s.separate_cls) rows.push_back(0);
  for (std::int64_t r = 0; r < s.length; ++r) rows.push_back(r);
  if (s.separate_cls && s.truncate) rows.pop_back();
  std::vector<std::vector<std::int64_t>> pairs;
  for (std::size_t i = 0; i < rows.size(); i += 2)
    pairs.emplace_back(rows.begin() + std::ptrdiff_t(i),
                       rows.begin() + std::ptrdiff_t(std::min(i + 2, rows.size())));
  return pairs;
}

Outputs plainSequencePool(const PlainCall& c) {
  const auto& [sequence, kind] = c.get<SequencePoolArguments>();
  const PlainMatrix& x = c.in[0];
  const auto pairs = plainPairs(sequence);
  const std::int64_t sequences = x.size.rows / sequence.length;
  PlainMatrix y({sequences * std::int64_t(pairs.size()), x.size.cols});
  for (std::int64_t r = 0; r < y.size.rows; ++r) {
    const std::int64_t before = r / std::int64_t(pairs.size()) * sequence.length;
    const auto& pair = pairs[std::size_t(r) % pairs.size()];
    for (std::int64_t j = 0; j < x.size.cols; ++j) {
      double sum = 0.0, most = -1e300;
      for (const std::int64_t from : pair) {
        sum += x.at(before + from, j);
        most = std::max(most, x.at(before + from, j));
      }
      y.at(r, j) = kind == Pooling::Max ? most : sum / double(pair.size());
    }
  }
  return {y};
}

Outputs plainUpsample(const PlainCall& c) {
  const auto& s = c.get<SequenceUpsampling>();
  const PlainMatrix& x = c.in[0];
  const std::int64_t sequences = x.size.rows / s.length;
  PlainMatrix y({sequences * s.target_length, x.size.cols});
  for (std::int64_t b = 0; b < sequences; ++b) {
    std::vector<std::int64_t> copies;
    for (std::int64_t r = 0; r < s.length; ++r)
      copies.insert(copies.end(), std::size_t(s.separate_cls && r == 0 ? 1 : s.factor), r);
    for (std::int64_t r = 0; r < std::min(s.target_length, std::int64_t(copies.size())); ++r)
      for (std::int64_t j = 0; j < x.size.cols; ++j)
        y.at(b * s.target_length + r, j) = x.at(b * s.length + copies[std::size_t(r)], j);
  }
  return {y};
}

}  // namespace

std::vector<OpCase> lengthCases() {
  std::vector<OpCase> all;
  const auto pool = [&](const std::string& name, std::int64_t sequences,
                        const SequencePooling& sequence, std::int64_t cols) {
    for (const auto& [kind_name, kind] :
         {std::pair{"mean ", Pooling::Mean}, {"maximum ", Pooling::Max}})
      all.push_back(makeCase(std::string("sequence pool, ") + kind_name + name, plainSequencePool,
                             [&, kind = kind](CaseBuilder& b) {
                               ops::sequencePool(b, "y", b.x(sequences * sequence.length, cols),
                                                 sequence, kind);
                             }));
  };
  pool("of 1", 1, {1}, 1);
  pool("of 8", 2, {8}, 3);
  pool("of 7", 3, {7}, 17);
  pool("of 8, [CLS]", 2, {8, true}, 5);
  pool("of 7, [CLS]", 2, {7, true}, 5);
  pool("of 8, [CLS], truncated", 3, {8, true, true}, 5);
  pool("of 7, [CLS], truncated", 2, {7, true, true}, 9);
  pool("of 2, [CLS], truncated", 2, {2, true, true}, 3);
  pool("of 1, [CLS], truncated", 2, {1, true, true}, 3);

  const auto upsample = [&](const std::string& name, std::int64_t sequences,
                            const SequenceUpsampling& sequence, std::int64_t cols) {
    all.push_back(makeCase("up-sample " + name, plainUpsample, [&](CaseBuilder& b) {
      ops::upsample(b, "y", b.x(sequences * sequence.length, cols), sequence);
    }));
  };
  upsample("1", 1, {1, 1, 1}, 1);
  upsample("2 -> 8", 2, {2, 4, 8}, 5);
  upsample("4 -> 7", 3, {4, 2, 7}, 17);
  upsample("3 -> 8, [CLS]", 2, {3, 4, 8, true}, 3);
  upsample("2 -> 8, [CLS] and zeros", 3, {2, 4, 8, true}, 9);
  return all;
}

}  // namespace tfm::test
