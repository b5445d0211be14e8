// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/grow.h"

#include <algorithm>
#include <numeric>

#include "core/expand/blocks.h"
#include "core/expand/grow_numbers.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::expand {
namespace {

/// The index before, in the arena, of an old entry of a grown parameter.
std::size_t placeBefore(const ParameterGrowth& p, std::int64_t row, std::int64_t col) {
  return std::size_t(p.before->offset + p.rows[std::size_t(row)].source * p.before->cols() +
                     p.cols[std::size_t(col)].source);
}

bool keepsMoments(const ParameterGrowth& p, Entry entry) {
  return p.before && !p.fresh_moments &&
         (entry == Entry::Copied || entry == Entry::Scaled || entry == Entry::Adjusted);
}

/// The mean of a parameter's entries before; 0 for a new parameter.
double meanBefore(const ParameterGrowth& p, std::span<const float> before) {
  if (!p.before || !p.given.empty()) return 0.0;
  const auto part = before.subspan(std::size_t(p.before->offset), std::size_t(p.before->size()));
  return std::accumulate(part.begin(), part.end(), 0.0) / double(part.size());
}

/// Scaling a parameter by s divides its gradient by s: first moments are divided by s, second
/// moments by s^2. Weights shared by copies keep theirs, as each copy receives the full gradient.
///
/// New entries have first moment 0 and, if their parameter existed, the mean of its second moments.
/// Adam divides by the root of the second moment: starting from 0, each new entry would move by the
/// whole learning rate in its first step, however small its gradient, and the loss of a trained
/// model would jump. With their own step count, their steps start at sqrt(1 - beta2) times the
/// length of the others' and grow to the same length.
AlignedVector<float> growMoments(const Change& change, std::span<const float> before, int power,
                                 Work& work) {
  AlignedVector<float> grown(std::size_t(change.layout_after.total), 0.0F);
  for (const ParameterGrowth& p : change.parameters) {
    if (isCopy(p) && !p.fresh_moments) {
      copyPart(p, before, grown, work);
      continue;
    }
    const double divisor = power == 1 ? p.factor : p.factor * p.factor;
    const float begin = power == 1 ? 0.0F : float(meanBefore(p, before) / divisor);
    forEachBlock(p, [&](const Block& block) {
      if (!keepsMoments(p, block.entry))
        return fillWith(grown, p, block, work, block.entry == Entry::Padding ? 0.0F : begin);
      fill(grown, p, block, work, [&](std::int64_t r, std::int64_t c) {
        return float(double(before[placeBefore(p, r, c)]) / divisor);
      });
    });
  }
  return grown;
}

std::vector<MissedSteps> growMissedSteps(const Change& change, const ModelState& before,
                                         Work& work) {
  if (before.optimizer_step == 0) return {};
  const std::vector<std::int64_t> old = missedByEntry(before);
  AlignedVector<std::int64_t> missed(std::size_t(change.layout_after.total), 0);
  for (const ParameterGrowth& p : change.parameters) {
    if (isCopy(p) && !p.fresh_moments) {
      copyPart<std::int64_t>(p, old, missed, work);
      continue;
    }
    forEachBlock(p, [&](const Block& block) {
      if (!keepsMoments(p, block.entry))
        return fillWith(missed, p, block, work, before.optimizer_step);
      fill(missed, p, block, work,
           [&](std::int64_t r, std::int64_t c) { return old[placeBefore(p, r, c)]; });
    });
  }
  return missedRuns(missed);
}

/// A function of the step and size of the model, so that no numbers repeat and a plan gives the
/// same numbers as its expansions one by one.
std::uint64_t seedFor(const ModelState& state, std::int64_t parameters) {
  const Random random(state.seed, streams::kGrowthSeed.first, std::uint64_t(state.step));
  return std::uint64_t(random.uniform(std::uint64_t(parameters)) * 9007199254740992.0);
}

enum class Memory { Carried, Left };  // the optimizer's state

ModelState applyTo(const ModelState& before, const Change& change, Memory memory, Work& work) {
  ModelState after;
  after.config = change.after;
  after.layout = change.layout_after;
  after.parameters = grownNumbers<float>(change, before.parameters, work);
  after.step = before.step;
  after.seed = before.seed;
  if (memory == Memory::Left) return after;
  after.first_moment = growMoments(change, before.first_moment, 1, work);
  after.second_moment = growMoments(change, before.second_moment, 2, work);
  after.optimizer_step = before.optimizer_step;
  after.missed_steps = growMissedSteps(change, before, work);
  return after;
}

Grown applyAll(const ModelState& before, std::vector<Change> changes, Memory memory,
               const Progress& progress) {
  if (before.first_moment.empty()) memory = Memory::Left;  // a copy made without it
  // Each parameter's value and, if carried, its two moments and missed steps.
  const std::int64_t each = memory == Memory::Left ? 1 : before.optimizer_step == 0 ? 3 : 4;
  std::int64_t all = 0;
  for (const Change& change : changes) all += each * change.layout_after.total;
  Work work(progress, all);
  Grown grown;
  const ModelState* state = &before;
  for (const Change& change : changes) {
    grown.state = applyTo(*state, change, memory, work);
    state = &grown.state;
  }
  if (changes.empty()) grown.state = before;
  grown.changes = std::move(changes);
  return grown;
}

/// `owner` keeps the arena alive.
SharedNumbers numbersOf(const ParameterInfo& p, const std::shared_ptr<const void>& owner,
                        std::span<const float> arena) {
  return {owner, arena.subspan(std::size_t(p.offset), std::size_t(p.size()))};
}

}  // namespace

std::vector<Change> planGrowths(const ModelState& before, const Plan& plan,
                                const Progress& progress) {
  std::vector<Change> changes = planGrowths(before.config, plan, before.step, progress);
  for (Change& change : changes)
    if (!change.growth.seed) change.growth.seed = seedFor(before, change.layout_before.total);
  return changes;
}

Grown grow(const ModelState& before, const Plan& plan, const Progress& progress) {
  return applyAll(before, planGrowths(before, plan, progress), Memory::Carried, progress);
}

Grown growParameters(const ModelState& before, std::vector<Change> changes,
                     const Progress& progress) {
  return applyAll(before, std::move(changes), Memory::Left, progress);
}

template <class Real>
AlignedVector<Real> grownParameters(std::span<const Change> changes, std::span<const Real> before,
                                    const Progress& progress) {
  std::int64_t all = 0;
  for (const Change& change : changes) all += change.layout_after.total;
  Work work(progress, all);
  AlignedVector<Real> values(before.begin(), before.end());
  for (const Change& change : changes) values = grownNumbers<Real>(change, values, work);
  return values;
}

template AlignedVector<float> grownParameters(std::span<const Change>, std::span<const float>,
                                              const Progress&);
template AlignedVector<double> grownParameters(std::span<const Change>, std::span<const double>,
                                               const Progress&);

std::vector<GrownMatrix> grownMatrices(const std::shared_ptr<const ModelState>& before,
                                       const std::shared_ptr<const Grown>& grown) {
  std::vector<GrownMatrix> matrices;
  if (grown->changes.empty()) return matrices;
  for (ParameterGrowth& p : compose(grown->changes)) {
    GrownMatrix m;
    if (p.before)
      m.before = p.given.empty() ? numbersOf(*p.before, before, before->parameters)
                                 : std::vector<float>(p.given.begin(), p.given.end());
    m.after = numbersOf(p.after, grown, grown->state.parameters);
    m.growth = std::move(p);
    matrices.push_back(std::move(m));
  }
  return matrices;
}

std::vector<GrownMatrix> unchangedMatrices(const std::shared_ptr<const ModelState>& state) {
  std::vector<GrownMatrix> matrices;
  const auto unchanged = [](std::int64_t size) {
    AxisMap map(std::size_t(size), AxisIndex{});
    for (std::int64_t i = 0; i < size; ++i) map[std::size_t(i)].source = i;
    return map;
  };
  for (const ParameterInfo& p : state->layout.parameters) {
    GrownMatrix m;
    m.growth.after = p;
    m.growth.before = p;
    m.growth.rows = unchanged(p.rows());
    m.growth.cols = unchanged(p.cols());
    m.before = m.after = numbersOf(p, state, state->parameters);
    matrices.push_back(std::move(m));
  }
  return matrices;
}

}  // namespace tfm::expand
