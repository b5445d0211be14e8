// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/ops.h"
#include "tests/core/program/ops/op_case.h"

namespace tfm::test {
namespace {

Outputs plainGroupedLinear(const PlainCall& c) {
  const auto& [groups, shuffle] = c.get<GroupedLinearArguments>();
  const PlainMatrix &x = c.in[0], &w = c.in[1], &b = c.in[2];
  const std::int64_t in = w.size.cols, out = w.size.rows / groups;
  PlainMatrix y({x.size.rows, w.size.rows});
  for (std::int64_t r = 0; r < y.size.rows; ++r)
    for (std::int64_t g = 0; g < groups; ++g)
      for (std::int64_t o = 0; o < out; ++o) {
        double sum = b.absent() ? 0.0 : b.at(0, g * out + o);
        for (std::int64_t i = 0; i < in; ++i) sum += x.at(r, g * in + i) * w.at(g * out + o, i);
        y.at(r, shuffle ? o * groups + g : g * out + o) = sum;
      }
  return {y};
}

Outputs plainJoinGroups(const PlainCall& c) {
  const std::int64_t groups = c.get<JoinGroupsArguments>().groups;
  PlainMatrix y({c.in[0].size.rows, c.in[0].size.cols + c.in[1].size.cols});
  for (std::int64_t r = 0; r < y.size.rows; ++r) {
    std::int64_t next = 0;
    for (std::int64_t g = 0; g < groups; ++g)
      for (const PlainMatrix* x : {&c.in[0], &c.in[1]})
        for (std::int64_t j = 0; j < x->size.cols / groups; ++j)
          y.at(r, next++) = x->at(r, g * (x->size.cols / groups) + j);
  }
  return {y};
}

}  // namespace

std::vector<OpCase> groupCases() {
  std::vector<OpCase> all;
  struct Sizes {
    const char* name;
    std::int64_t rows, groups, in, out;  ///< in, out: of a group
  };
  for (const Sizes& s :
       {Sizes{"1x1->1", 1, 1, 1, 1}, Sizes{"2 groups 7x5->3", 7, 2, 5, 3},
        Sizes{"3 groups 5x17->9", 5, 3, 17, 9}, Sizes{"4 groups 19x8->16", 19, 4, 8, 16},
        Sizes{"9 groups 3x2->1", 3, 9, 2, 1},
        // Registers that are full, one that is not; groups by fours, by twos and one by one.
        Sizes{"8 groups 6x3->17", 6, 8, 3, 17}, Sizes{"6 groups 9x3->5", 9, 6, 3, 5},
        // More rows than are kept in the cache.
        Sizes{"2 groups 70x2->3", 70, 2, 2, 3}, Sizes{"4 groups 66x2->7", 66, 4, 2, 7}})
    for (const bool shuffle : {false, true})
      for (const char* bias : {"", " bias"})
        all.push_back(makeCase(
            std::string("grouped linear ") + s.name + (shuffle ? " shuffled" : "") + bias,
            plainGroupedLinear, [&](CaseBuilder& b) {
              ops::groupedLinear(b, "y", b.x(s.rows, s.groups * s.in), b.x(s.groups * s.out, s.in),
                                 *bias == 0 ? kNoTensor : b.x(1, s.groups * s.out), s.groups,
                                 shuffle);
            }));

  const auto join = [&](const char* name, std::int64_t rows, std::int64_t groups, std::int64_t left,
                        std::int64_t right) {
    all.push_back(makeCase(name, plainJoinGroups, [&](CaseBuilder& b) {
      ops::joinGroups(b, "y", b.x(rows, groups * left), b.x(rows, groups * right), groups);
    }));
  };
  join("join groups 1", 1, 1, 1, 1);
  join("join 1 group of 5 and 9", 7, 1, 5, 9);
  join("join 4 groups of 3 and 17", 5, 4, 3, 17);
  return all;
}

}  // namespace tfm::test
