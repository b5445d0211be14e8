// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/snapshot_difference.h"

#include <Eigen/Core>
#include <algorithm>
#include <limits>

namespace tfm::train {
namespace {

void subtract(std::span<float> from, std::span<const float> what) {
  Eigen::Map<Eigen::ArrayXf>(from.data(), std::ssize(from)) -=
      Eigen::Map<const Eigen::ArrayXf>(what.data(), std::ssize(what));
}

constexpr std::int64_t kNone = -1;

/// For each index of `mine` the one of `other` with the same index in every factor, or kNone:
/// growth appends new entries, within every head.
std::vector<std::int64_t> partners(const Dimension& mine, const Dimension& other) {
  std::vector<std::int64_t> found(std::size_t(mine.size()), kNone);
  const auto same_axis = [](const AxisSize& a, const AxisSize& b) { return a.axis == b.axis; };
  if (!std::ranges::equal(mine.factors, other.factors, same_axis)) return found;
  for (std::int64_t i = 0; i < mine.size(); ++i) {
    std::int64_t rest = i, at = 0, stride = 1;
    for (std::size_t f = mine.factors.size(); f-- > 0 && at != kNone;) {
      const std::int64_t place = rest % mine.factors[f].size;
      rest /= mine.factors[f].size;
      at = place < other.factors[f].size ? at + place * stride : kNone;
      stride *= other.factors[f].size;
    }
    found[std::size_t(i)] = at;
  }
  return found;
}

/// Entries without a partner become NaN.
void subtract(std::span<float> from, const ParameterInfo& mine, std::span<const float> what,
              const ParameterInfo& other) {
  const bool alike = mine.shape.size() == other.shape.size();
  const auto cols = partners(mine.shape.back(), alike ? other.shape.back() : Dimension{});
  const auto rows = mine.shape.size() == 1 ? std::vector<std::int64_t>{0}
                                           : partners(mine.shape.front(), other.shape.front());
  auto cell = from.begin();
  for (const std::int64_t row : rows)
    for (const std::int64_t col : cols) {
      const bool both = row != kNone && col != kNone;
      *cell -= both ? what[std::size_t(row * other.cols() + col)]
                    : std::numeric_limits<float>::quiet_NaN();
      ++cell;
    }
}

/// Leaves out the optimizer's moments.
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
    if (other == nullptr) {
      std::ranges::fill(mine, std::numeric_limits<float>::quiet_NaN());
      unmatched.push_back(p.name);
      continue;
    }
    const auto theirs = std::span<const float>(b.parameters)
                            .subspan(std::size_t(other->offset), std::size_t(other->size()));
    if (sizes(p.shape) == sizes(other->shape)) {
      subtract(mine, theirs);
    } else {
      subtract(mine, p, theirs, *other);
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
      result.push_back(
          {mine.name, mine.value - other->value, mine.gradient - other->gradient, mine.tag});
  }
  return result;
}

}  // namespace

std::vector<ParameterInfo> Snapshot::unmatchedParameters() const {
  std::vector<ParameterInfo> parameters;
  for (const std::string& name : unmatched)
    if (const ParameterInfo* found = state ? state->layout.find(name) : nullptr)
      parameters.push_back(*found);
  return parameters;
}

Snapshot difference(const Snapshot& a, const Snapshot& b) {
  Snapshot result = a;
  result.is_difference = true;
  result.minus_step = b.step;
  result.unmatched.clear();
  result.changed.reset();
  result.others.clear();
  if (a.state && b.state) result.state = subtracted(*a.state, *b.state, result.unmatched);
  result.observed = subtracted(a.observed, b.observed, result.unmatched);
  result.norms = subtracted(a.norms, b.norms);
  if (result.problem.empty()) result.problem = b.problem;
  return result;
}

}  // namespace tfm::train
