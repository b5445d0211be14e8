// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/position_links.h"

#include "core/program/ops/ops.h"

namespace tfm::observe {

PositionLinks eachItself(std::int64_t length) {
  PositionLinks links;
  for (std::int64_t position = 0; position < length; ++position) links.push_back({position});
  return links;
}

PositionLinks linksAfter(const Step& step, const PositionLinks& before) {
  if (step.op == &ops::kSequencePool) {
    const auto& s = std::any_cast<const SequencePoolArguments&>(step.arguments).sequence;
    PositionLinks links(std::size_t(s.pooledLength()));
    for (std::size_t to = 0; to < links.size(); ++to) {
      const std::int64_t first = s.first(std::int64_t(to)), count = s.count(std::int64_t(to));
      for (std::int64_t from = first; from < first + count; ++from)
        links[to].insert(links[to].end(), before[std::size_t(from)].begin(),
                         before[std::size_t(from)].end());
    }
    return links;
  }
  if (step.op == &ops::kUpsample) {
    const auto& s = std::any_cast<const SequenceUpsampling&>(step.arguments);
    PositionLinks links(std::size_t(s.target_length));
    for (std::size_t to = 0; to < links.size(); ++to)
      if (const std::int64_t from = s.sourceOf(std::int64_t(to)); from >= 0)
        links[to] = before[std::size_t(from)];
    return links;
  }
  return before;
}

}  // namespace tfm::observe
