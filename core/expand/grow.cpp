// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/grow.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "core/base/check.h"
#include "core/tensor/random.h"

namespace tfm::expand {
namespace {

constexpr std::uint32_t kSeedStream = 0x6077;
constexpr std::uint32_t kBrokenStream = 0xB20C;
constexpr double kBrokenDeviation = 0.3;  // large enough to be seen in any answer

/// One parameter's numbers before, as the growth reads them: centred where it says so.
template <class Real>
class OldMatrix {
 public:
  OldMatrix(const ParameterGrowth& p, std::span<const Real> before) {
    if (!p.before) return;
    rows_ = p.before->rows();
    cols_ = p.before->cols();
    if (p.given.empty()) {
      const auto part = before.subspan(std::size_t(p.before->offset), std::size_t(rows_ * cols_));
      values_.assign(part.begin(), part.end());
    } else {
      values_.assign(p.given.begin(), p.given.end());
    }
    if (p.centred_cols)
      for (std::int64_t r = 0; r < rows_; ++r) {
        const double mean = meanOverCols(r);
        for (std::int64_t c = 0; c < cols_; ++c)
          values_[at(r, c)] = Real(double(values_[at(r, c)]) - mean);
      }
    if (p.centred_rows)
      for (std::int64_t c = 0; c < cols_; ++c) {
        const double mean = meanOverRows(c);
        for (std::int64_t r = 0; r < rows_; ++r)
          values_[at(r, c)] = Real(double(values_[at(r, c)]) - mean);
      }
  }

  double value(std::int64_t row, std::int64_t col) const {
    if (row == AxisIndex::kMean) return meanOverRows(col);
    if (col == AxisIndex::kMean) return meanOverCols(row);
    return double(values_[at(row, col)]);
  }

 private:
  std::size_t at(std::int64_t r, std::int64_t c) const { return std::size_t(r * cols_ + c); }
  double meanOverCols(std::int64_t row) const {
    double sum = 0.0;
    for (std::int64_t c = 0; c < cols_; ++c) sum += double(values_[at(row, c)]);
    return sum / double(cols_);
  }
  double meanOverRows(std::int64_t col) const {
    double sum = 0.0;
    for (std::int64_t r = 0; r < rows_; ++r) sum += double(values_[at(r, col)]);
    return sum / double(rows_);
  }

  std::int64_t rows_ = 0, cols_ = 0;
  std::vector<Real> values_;
};

template <class Real, class Cell>
void forEachCell(const ParameterGrowth& p, AlignedVector<Real>& arena, const Cell& cell) {
  const std::int64_t rows = p.after.rows(), cols = p.after.cols();
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < cols; ++c) {
      Real& value = arena[std::size_t(p.after.offset + r * cols + c)];
      value = cell(r, c, value);
    }
}

/// Whether all entries are those of the parameter before, at the same places.
bool isCopy(const ParameterGrowth& p) {
  return p.before && !p.grows() && p.factor == 1.0 && !p.centred_rows && !p.centred_cols &&
         !p.reset && p.given.empty();
}

template <class Real>
void copyPart(const ParameterGrowth& p, std::span<const Real> before, AlignedVector<Real>& after) {
  const auto part = before.subspan(std::size_t(p.before->offset), std::size_t(p.after.size()));
  std::copy(part.begin(), part.end(), after.begin() + p.after.offset);
}

/// Parameter `place` after a change.
template <class Real>
void growParameter(const Change& change, std::size_t place, std::span<const Real> before,
                   AlignedVector<Real>& after) {
  const ParameterGrowth& p = change.parameters[place];
  if (isCopy(p)) return copyPart(p, before, after);
  const OldMatrix<Real> old(p, before);
  const std::uint64_t seed = change.growth.seed.value_or(0);
  const Random broken(seed, kBrokenStream, std::uint64_t(p.after.offset));
  const bool drawn = p.violated && change.growth.broken == Break::RandomInsteadOfZero;
  forEachCell(p, after, [&](std::int64_t r, std::int64_t c, Real) -> Real {
    const std::int64_t index = r * p.after.cols() + c;
    const auto first = [&] { return Real(initialValue(change.layout_after, place, seed, index)); };
    switch (p.entry(r, c)) {
      case Entry::Padding:
        return Real(0);
      case Entry::Zero:
        return drawn ? Real(kBrokenDeviation * broken.normal(std::uint64_t(index))) : Real(0);
      case Entry::Free:
        return change.growth.constant ? Real(*change.growth.constant) : first();
      default:
        break;
    }
    if (p.reset) return first();
    const double value = old.value(p.rows[std::size_t(r)].source, p.cols[std::size_t(c)].source);
    return Real(value * p.scale(r, c));
  });
}

template <class Real>
AlignedVector<Real> growOnce(const Change& change, std::span<const Real> before) {
  check(std::int64_t(before.size()) == change.layout_before.total,
        "a change starts from the parameters it was planned for");
  AlignedVector<Real> values(std::size_t(change.layout_after.total));
  for (std::size_t i = 0; i < change.parameters.size(); ++i)
    growParameter(change, i, before, values);
  return values;
}

bool keepsMoments(const ParameterGrowth& p, Entry entry) {
  return p.before && !p.fresh_moments &&
         (entry == Entry::Copied || entry == Entry::Scaled || entry == Entry::Adjusted);
}

/// The mean over what a parameter had before; 0 for one that had nothing.
double meanBefore(const ParameterGrowth& p, std::span<const float> before) {
  if (!p.before || !p.given.empty()) return 0.0;
  const auto part = before.subspan(std::size_t(p.before->offset), std::size_t(p.before->size()));
  return std::accumulate(part.begin(), part.end(), 0.0) / double(part.size());
}

/// A parameter times s has its gradient divided by s: first moments are divided by s, second ones
/// by its square. Weights that copies share keep theirs, as each copy receives the whole gradient.
///
/// An entry without a past has the first moment 0 and, where its parameter had any, the mean second
/// moment of its neighbours. Adam divides by the root of the second one: from 0, each new entry
/// would move by the whole learning rate at its first step, however small its gradient, and the
/// loss of a trained model would jump. With its own step count, its steps begin
/// sqrt(1 - beta2) times as long as those of its neighbours and grow to the same length.
AlignedVector<float> growMoments(const Change& change, std::span<const float> before, int power) {
  AlignedVector<float> grown(std::size_t(change.layout_after.total), 0.0F);
  for (const ParameterGrowth& p : change.parameters) {
    if (isCopy(p) && !p.fresh_moments) {
      copyPart(p, before, grown);
      continue;
    }
    const double divisor = power == 1 ? p.factor : p.factor * p.factor;
    const float begin = power == 1 ? 0.0F : float(meanBefore(p, before) / divisor);
    forEachCell(p, grown, [&](std::int64_t r, std::int64_t c, float) {
      const Entry entry = p.entry(r, c);
      if (!keepsMoments(p, entry)) return entry == Entry::Padding ? 0.0F : begin;
      const std::int64_t from =
          p.rows[std::size_t(r)].source * p.before->cols() + p.cols[std::size_t(c)].source;
      return float(double(before[std::size_t(p.before->offset + from)]) / divisor);
    });
  }
  return grown;
}

std::vector<MissedSteps> growMissedSteps(const Change& change, const ModelState& before) {
  if (before.optimizer_step == 0) return {};
  const std::vector<std::int64_t> old = missedByEntry(before);
  AlignedVector<std::int64_t> missed(std::size_t(change.layout_after.total), 0);
  for (const ParameterGrowth& p : change.parameters) {
    if (isCopy(p) && !p.fresh_moments) {
      copyPart<std::int64_t>(p, old, missed);
      continue;
    }
    forEachCell(p, missed, [&](std::int64_t r, std::int64_t c, std::int64_t) {
      if (!keepsMoments(p, p.entry(r, c))) return before.optimizer_step;
      const std::int64_t from =
          p.rows[std::size_t(r)].source * p.before->cols() + p.cols[std::size_t(c)].source;
      return old[std::size_t(p.before->offset + from)];
    });
  }
  return missedRuns(missed);
}

/// Different for every step and size of the model, so that nothing is drawn twice and a plan gives
/// the numbers that its expansions give one by one.
std::uint64_t seedFor(const ModelState& state) {
  const Random random(state.seed, kSeedStream, std::uint64_t(state.step));
  return std::uint64_t(random.uniform(std::uint64_t(state.layout.total)) * 9007199254740992.0);
}

ModelState applyTo(const ModelState& before, const Change& change) {
  ModelState after;
  after.config = change.after;
  after.layout = change.layout_after;
  after.parameters = growOnce<float>(change, before.parameters);
  after.first_moment = growMoments(change, before.first_moment, 1);
  after.second_moment = growMoments(change, before.second_moment, 2);
  after.optimizer_step = before.optimizer_step;
  after.missed_steps = growMissedSteps(change, before);
  after.step = before.step;
  after.seed = before.seed;
  return after;
}

std::vector<float> numbersOf(const ParameterInfo& p, std::span<const float> arena) {
  const auto part = arena.subspan(std::size_t(p.offset), std::size_t(p.size()));
  return {part.begin(), part.end()};
}

}  // namespace

Grown grow(const ModelState& before, const Plan& plan) {
  Grown grown;
  grown.state = before;
  for (Growth growth : plan) {
    if (!growth.seed) growth.seed = seedFor(grown.state);
    Change change = planGrowth(grown.state.config, growth, before.step);
    grown.state = applyTo(grown.state, change);
    grown.changes.push_back(std::move(change));
  }
  return grown;
}

template <class Real>
AlignedVector<Real> grownParameters(std::span<const Change> changes, std::span<const Real> before) {
  AlignedVector<Real> values(before.begin(), before.end());
  for (const Change& change : changes) values = growOnce<Real>(change, values);
  return values;
}

template AlignedVector<float> grownParameters(std::span<const Change>, std::span<const float>);
template AlignedVector<double> grownParameters(std::span<const Change>, std::span<const double>);

std::vector<GrownMatrix> grownMatrices(const ModelState& before, const Grown& grown) {
  std::vector<GrownMatrix> matrices;
  if (grown.changes.empty()) return matrices;
  for (ParameterGrowth& p : compose(grown.changes)) {
    GrownMatrix m;
    if (p.before)
      m.before = p.given.empty() ? numbersOf(*p.before, before.parameters)
                                 : std::vector<float>(p.given.begin(), p.given.end());
    m.after = numbersOf(p.after, grown.state.parameters);
    m.growth = std::move(p);
    matrices.push_back(std::move(m));
  }
  return matrices;
}

std::vector<GrownMatrix> unchangedMatrices(const ModelState& state) {
  std::vector<GrownMatrix> matrices;
  const auto unchanged = [](std::int64_t size) {
    AxisMap map(std::size_t(size), AxisIndex{});
    for (std::int64_t i = 0; i < size; ++i) map[std::size_t(i)].source = i;
    return map;
  };
  for (const ParameterInfo& p : state.layout.parameters) {
    GrownMatrix m;
    m.growth.after = p;
    m.growth.before = p;
    m.growth.rows = unchanged(p.rows());
    m.growth.cols = unchanged(p.cols());
    m.before = m.after = numbersOf(p, state.parameters);
    matrices.push_back(std::move(m));
  }
  return matrices;
}

}  // namespace tfm::expand
