// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/position_links.h"

namespace tfm::observe {

PositionLinks eachItself(std::int64_t length) {
  PositionLinks links;
  for (std::int64_t position = 0; position < length; ++position) links.push_back({position});
  return links;
}

PositionLinks linksAfter(const Step& step, const PositionLinks& before) {
  if (step.op->positions == nullptr) return before;
  PositionLinks links;
  for (const auto& sources : step.op->positions(step.arguments)) {
    std::vector<std::int64_t>& joined = links.emplace_back();
    for (const std::int64_t from : sources)
      joined.insert(joined.end(), before[std::size_t(from)].begin(),
                    before[std::size_t(from)].end());
  }
  return links;
}

}  // namespace tfm::observe
