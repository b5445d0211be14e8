// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/grow.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>
#include <numeric>
#include <type_traits>

#include "core/base/check.h"
#include "core/program/initial_draw.h"
#include "core/tensor/random.h"

namespace tfm::expand {
namespace {

constexpr std::uint32_t kSeedStream = 0x6077;
constexpr std::uint32_t kBrokenStream = 0xB20C;
constexpr std::int64_t kWorthAThread = 200'000;  // parameters; a larger preview is waited for
constexpr double kBrokenDeviation = 0.3;         // large enough to be seen in any answer

/// One parameter's numbers before, as the growth reads them: centred where it says so.
template <class Real>
class OldMatrix {
 public:
  OldMatrix(const ParameterGrowth& p, std::span<const Real> before) {
    if (!p.before) return;
    rows_ = p.before->rows();
    cols_ = p.before->cols();
    values_ = before.subspan(std::size_t(p.before->offset), std::size_t(rows_ * cols_));
    if (p.given.empty() && !p.centred_rows && !p.centred_cols) return;
    if (p.given.empty())
      own_.assign(values_.begin(), values_.end());
    else
      own_.assign(p.given.begin(), p.given.end());
    values_ = own_;
    if (p.centred_cols)
      for (std::int64_t r = 0; r < rows_; ++r) centre(meanOverCols(r), at(r, 0), 1, cols_);
    if (p.centred_rows)
      for (std::int64_t c = 0; c < cols_; ++c)
        centre(meanOverRows(c), at(0, c), std::size_t(cols_), rows_);
  }
  OldMatrix(const OldMatrix&) = delete;
  OldMatrix& operator=(const OldMatrix&) = delete;

  const Real* row(std::int64_t row) const { return values_.data() + row * cols_; }
  double value(std::int64_t row, std::int64_t col) const {
    if (row == AxisIndex::kMean) return meanOverRows(col);
    if (col == AxisIndex::kMean) return meanOverCols(row);
    return double(values_[at(row, col)]);
  }

 private:
  std::size_t at(std::int64_t r, std::int64_t c) const { return std::size_t(r * cols_ + c); }
  /// Takes the mean away from `count` numbers. One that is no more than what rounding left of an
  /// earlier centring stays: else zeros that were appended then would be zeros no longer.
  void centre(double mean, std::size_t first, std::size_t stride, std::int64_t count) {
    double largest = 0.0;
    for (std::size_t i = 0; i < std::size_t(count); ++i)
      largest = std::max(largest, std::abs(double(own_[first + i * stride])));
    if (std::abs(mean) <= double(std::numeric_limits<Real>::epsilon()) * largest) return;
    for (std::size_t i = 0; i < std::size_t(count); ++i) {
      Real& value = own_[first + i * stride];
      value = Real(double(value) - mean);
    }
  }
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
  std::span<const Real> values_;
  std::vector<Real> own_;  // where they are not those of the parameter
};

/// The entries of a grown parameter where one run of its rows and one of its columns meet.
struct Block {
  IndexRun rows, cols;
  Entry entry;
};

template <class Do>
void forEachBlock(const ParameterGrowth& p, const Do& work) {
  const std::vector<IndexRun> cols = runsOf(p.cols);
  for (const IndexRun& row : runsOf(p.rows))
    for (const IndexRun& col : cols) work(Block{row, col, p.entry(row.first, col.first)});
}

/// Gives the entries of a block in `arena` the values of `cell(row, col)`.
template <class Value, class Cell>
void fill(AlignedVector<Value>& arena, const ParameterGrowth& p, const Block& block,
          const Cell& cell) {
  for (std::int64_t r = block.rows.first; r < block.rows.first + block.rows.count; ++r) {
    Value* row = &arena[std::size_t(p.after.offset + r * p.after.cols())];
    for (std::int64_t c = block.cols.first; c < block.cols.first + block.cols.count; ++c)
      row[c] = cell(r, c);
  }
}

/// Gives all entries of a block in `arena` one value.
template <class Value>
void fillWith(AlignedVector<Value>& arena, const ParameterGrowth& p, const Block& block,
              Value value) {
  fill(arena, p, block, [value](std::int64_t, std::int64_t) { return value; });
}

/// Whether the block's rows come from old rows and its columns from old neighbours, in their order.
bool hasPlainSources(const ParameterGrowth& p, const Block& block) {
  if (p.rows[std::size_t(block.rows.first)].source < 0) return false;
  const auto first = p.cols.begin() + block.cols.first;
  const auto apart = [](const AxisIndex& a, const AxisIndex& b) {
    return b.source != a.source + 1;
  };
  return first->source >= 0 &&
         std::adjacent_find(first, first + block.cols.count, apart) == first + block.cols.count;
}

/// The values of fill() for such a block; most of a growth is this.
template <class Real>
void copyScaled(const OldMatrix<Real>& old, const ParameterGrowth& p, const Block& block,
                double scale, AlignedVector<Real>& arena) {
  const std::int64_t first = p.cols[std::size_t(block.cols.first)].source;
  for (std::int64_t r = block.rows.first; r < block.rows.first + block.rows.count; ++r) {
    const Real* from = old.row(p.rows[std::size_t(r)].source) + first;
    Real* to = &arena[std::size_t(p.after.offset + r * p.after.cols() + block.cols.first)];
    for (std::int64_t c = 0; c < block.cols.count; ++c) to[c] = Real(double(from[c]) * scale);
  }
}

/// Where in an arena the entry was from which an old one of a grown parameter comes.
std::size_t placeBefore(const ParameterGrowth& p, std::int64_t row, std::int64_t col) {
  return std::size_t(p.before->offset + p.rows[std::size_t(row)].source * p.before->cols() +
                     p.cols[std::size_t(col)].source);
}

/// Whether all entries are those of the parameter before, at the same places.
bool isCopy(const ParameterGrowth& p) {
  return p.before && !p.grows() && p.factor == 1.0 && !p.centred_rows && !p.centred_cols &&
         !p.reset && p.given.empty();
}

template <class Value>
void copyPart(const ParameterGrowth& p, std::span<const Value> before,
              AlignedVector<Value>& after) {
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
  const InitialDraw draw(change.layout_after.parameters[place], place, seed);
  const std::int64_t width = p.after.cols();
  const auto first = [&](std::int64_t r, std::int64_t c) { return Real(draw(r * width + c)); };
  const auto random = [&](std::int64_t r, std::int64_t c) {
    return Real(kBrokenDeviation * broken.normal(std::uint64_t(r * width + c)));
  };
  forEachBlock(p, [&](const Block& block) {
    switch (block.entry) {
      case Entry::Padding:
        return fillWith(after, p, block, Real(0));
      case Entry::Zero:
        return drawn ? fill(after, p, block, random) : fillWith(after, p, block, Real(0));
      case Entry::Free:
        return change.growth.constant ? fillWith(after, p, block, Real(*change.growth.constant))
                                      : fill(after, p, block, first);
      default:
        break;
    }
    if (p.reset) return fill(after, p, block, first);
    const double scale = p.scale(block.rows.first, block.cols.first);
    if (hasPlainSources(p, block)) return copyScaled(old, p, block, scale, after);
    fill(after, p, block, [&](std::int64_t r, std::int64_t c) {
      const double value = old.value(p.rows[std::size_t(r)].source, p.cols[std::size_t(c)].source);
      return Real(value * scale);
    });
  });
}

template <class Real>
AlignedVector<Real> growOnce(const Change& change, std::span<const Real> before) {
  check(std::int64_t(before.size()) == change.layout_before.total,
        "a change starts from the parameters it was planned for");
  AlignedVector<Real> values(std::size_t(change.layout_after.total));
  // Parameters do not depend on each other. Each thread takes the next one: weights and biases take
  // turns in a layout, so that every second one would be all the work.
  std::atomic<std::size_t> next = 0;
  const auto grow_some = [&] {
    for (std::size_t i = next++; i < change.parameters.size(); i = next++)
      growParameter(change, i, before, values);
  };
  std::future<void> other;
  if (change.layout_after.total >= kWorthAThread) other = std::async(std::launch::async, grow_some);
  grow_some();
  if (other.valid()) other.get();
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
    forEachBlock(p, [&](const Block& block) {
      if (!keepsMoments(p, block.entry))
        return fillWith(grown, p, block, block.entry == Entry::Padding ? 0.0F : begin);
      fill(grown, p, block, [&](std::int64_t r, std::int64_t c) {
        return float(double(before[placeBefore(p, r, c)]) / divisor);
      });
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
    forEachBlock(p, [&](const Block& block) {
      if (!keepsMoments(p, block.entry)) return fillWith(missed, p, block, before.optimizer_step);
      fill(missed, p, block,
           [&](std::int64_t r, std::int64_t c) { return old[placeBefore(p, r, c)]; });
    });
  }
  return missedRuns(missed);
}

/// Different for every step and size of the model, so that nothing is drawn twice and a plan gives
/// the numbers that its expansions give one by one.
std::uint64_t seedFor(const ModelState& state, std::int64_t parameters) {
  const Random random(state.seed, kSeedStream, std::uint64_t(state.step));
  return std::uint64_t(random.uniform(std::uint64_t(parameters)) * 9007199254740992.0);
}

enum class Memory { Carried, Left };  // what the optimizer remembers

ModelState applyTo(const ModelState& before, const Change& change, Memory memory) {
  ModelState after;
  after.config = change.after;
  after.layout = change.layout_after;
  after.parameters = growOnce<float>(change, before.parameters);
  after.step = before.step;
  after.seed = before.seed;
  if (memory == Memory::Left) return after;
  after.first_moment = growMoments(change, before.first_moment, 1);
  after.second_moment = growMoments(change, before.second_moment, 2);
  after.optimizer_step = before.optimizer_step;
  after.missed_steps = growMissedSteps(change, before);
  return after;
}

Grown applyAll(const ModelState& before, std::vector<Change> changes, Memory memory) {
  Grown grown;
  const ModelState* state = &before;
  for (const Change& change : changes) {
    grown.state = applyTo(*state, change, memory);
    state = &grown.state;
  }
  if (changes.empty()) grown.state = before;
  grown.changes = std::move(changes);
  return grown;
}

/// `owner` keeps the arena.
SharedNumbers numbersOf(const ParameterInfo& p, const std::shared_ptr<const void>& owner,
                        std::span<const float> arena) {
  return {owner, arena.subspan(std::size_t(p.offset), std::size_t(p.size()))};
}

}  // namespace

std::vector<Change> planGrowths(const ModelState& before, const Plan& plan) {
  std::vector<Change> changes;
  for (Growth growth : plan) {
    const bool first = changes.empty();
    if (!growth.seed)
      growth.seed =
          seedFor(before, first ? before.layout.total : changes.back().layout_after.total);
    changes.push_back(
        planGrowth(first ? before.config : changes.back().after, growth, before.step));
  }
  return changes;
}

Grown grow(const ModelState& before, const Plan& plan) {
  return applyAll(before, planGrowths(before, plan), Memory::Carried);
}

Grown growParameters(const ModelState& before, std::vector<Change> changes) {
  return applyAll(before, std::move(changes), Memory::Left);
}

template <class Real>
AlignedVector<Real> grownParameters(std::span<const Change> changes, std::span<const Real> before) {
  AlignedVector<Real> values(before.begin(), before.end());
  for (const Change& change : changes) values = growOnce<Real>(change, values);
  return values;
}

template AlignedVector<float> grownParameters(std::span<const Change>, std::span<const float>);
template AlignedVector<double> grownParameters(std::span<const Change>, std::span<const double>);

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
