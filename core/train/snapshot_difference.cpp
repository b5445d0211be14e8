// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>

#include "core/train/observer.h"

namespace tfm::train {
namespace {

void subtract(std::span<float> from, std::span<const float> what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
}

/// Moments of an optimizer are not compared and left out.
std::shared_ptr<const ModelState> subtracted(const ModelState& a, const ModelState& b,
                                             std::vector<std::string>& unmatched) {
  ModelState result;
  result.config = a.config;
  result.layout = a.layout;
  result.parameters = a.parameters;
  result.step = a.step;
  result.seed = a.seed;
  const std::span<float> all(result.parameters);
  for (const ParameterInfo& p : a.layout.parameters) {
    const auto mine = all.subspan(std::size_t(p.offset), std::size_t(p.size()));
    const ParameterInfo* other = b.layout.find(p.name);
    if (other != nullptr && other->rows() == p.rows() && other->cols() == p.cols()) {
      subtract(mine, std::span<const float>(b.parameters)
                         .subspan(std::size_t(other->offset), std::size_t(other->size())));
    } else {
      std::fill(mine.begin(), mine.end(), std::numeric_limits<float>::quiet_NaN());
      unmatched.push_back(p.name);
    }
  }
  return std::make_shared<const ModelState>(std::move(result));
}

observe::Observations subtracted(const observe::Observations& a, const observe::Observations& b,
                                 std::vector<std::string>& unmatched) {
  observe::Observations result;
  for (const auto& [name, mine] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.rows != mine.rows || other->second.cols != mine.cols) {
      unmatched.push_back(name);
      continue;
    }
    observe::Observed& left = result[name] = mine;
    subtract(left.values, other->second.values);
  }
  return result;
}

std::vector<observe::ParameterNorm> subtracted(const std::vector<observe::ParameterNorm>& a,
                                               const std::vector<observe::ParameterNorm>& b) {
  std::vector<observe::ParameterNorm> result;
  for (const observe::ParameterNorm& mine : a) {
    const auto named = [&](const observe::ParameterNorm& n) { return n.name == mine.name; };
    const auto other = std::find_if(b.begin(), b.end(), named);
    if (other != b.end())
      result.push_back({mine.name, mine.value - other->value, mine.gradient - other->gradient});
  }
  return result;
}

}  // namespace

Snapshot difference(const Snapshot& a, const Snapshot& b) {
  Snapshot result = a;
  result.is_difference = true;
  result.minus_step = b.step;
  result.unmatched.clear();
  if (a.state && b.state) result.state = subtracted(*a.state, *b.state, result.unmatched);
  result.observed = subtracted(a.observed, b.observed, result.unmatched);
  result.norms = subtracted(a.norms, b.norms);
  if (result.problem.empty()) result.problem = b.problem;
  return result;
}

}  // namespace tfm::train
