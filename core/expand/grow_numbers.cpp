// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/grow_numbers.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <future>
#include <limits>

#include "core/base/check.h"
#include "core/expand/blocks.h"
#include "core/program/initial_draw.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::expand {
namespace {

constexpr std::int64_t kWorthAThread = 200'000;  // parameters; fewer take no noticeable time
constexpr double kBrokenDeviation = 0.3;         // large enough to change any answer

/// A parameter's values before, centred if the growth says so.
template <class Real>
class OldMatrix {
 public:
  OldMatrix(const ParameterGrowth& p, std::span<const Real> before) {
    if (!p.before) return;
    rows_ = p.before->rows();
    cols_ = p.before->cols();
    values_ = before.subspan(std::size_t(p.before->offset), std::size_t(rows_ * cols_));
    if (!p.given.empty() || p.centred_rows || p.centred_cols) copy(p);
    if (hasMean(p.rows)) means_over_rows_ = meansOverRows();
    if (hasMean(p.cols))
      for (std::int64_t r = 0; r < rows_; ++r) means_over_cols_.push_back(meanOverCols(r));
  }
  OldMatrix(const OldMatrix&) = delete;
  OldMatrix& operator=(const OldMatrix&) = delete;

  const Real* row(std::int64_t row) const { return values_.data() + row * cols_; }
  double value(std::int64_t row, std::int64_t col) const {
    if (row == AxisIndex::kMean) return means_over_rows_[std::size_t(col)];
    if (col == AxisIndex::kMean) return means_over_cols_[std::size_t(row)];
    return double(values_[at(row, col)]);
  }

 private:
  static bool hasMean(const AxisMap& map) {
    return std::ranges::find(map, AxisIndex::kMean, &AxisIndex::source) != map.end();
  }
  /// Copies and centres the values.
  void copy(const ParameterGrowth& p) {
    if (p.given.empty())
      own_.assign(values_.begin(), values_.end());
    else
      own_.assign(p.given.begin(), p.given.end());
    values_ = own_;
    if (p.centred_cols)
      for (std::int64_t r = 0; r < rows_; ++r) centre(meanOverCols(r), at(r, 0), 1, cols_);
    if (!p.centred_rows) return;
    const std::vector<double> means = meansOverRows();
    for (std::int64_t c = 0; c < cols_; ++c)
      centre(means[std::size_t(c)], at(0, c), std::size_t(cols_), rows_);
  }
  std::size_t at(std::int64_t r, std::int64_t c) const { return std::size_t(r * cols_ + c); }
  /// Subtracts the mean from `count` numbers, unless it is only the rounding error of an earlier
  /// centring: zeros appended then must remain zero.
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
  std::vector<double> meansOverRows() const {
    std::vector<double> means(std::size_t(cols_), 0.0);
    for (std::int64_t r = 0; r < rows_; ++r)
      for (std::int64_t c = 0; c < cols_; ++c) means[std::size_t(c)] += double(values_[at(r, c)]);
    for (double& mean : means) mean /= double(rows_);
    return means;
  }

  std::int64_t rows_ = 0, cols_ = 0;
  std::span<const Real> values_;
  std::vector<Real> own_;  // the values if they differ from the parameter's
  // Of each column and row, for new entries that are means.
  std::vector<double> means_over_rows_, means_over_cols_;
};

/// Whether the block's rows are old rows and its columns adjacent old columns in their order.
bool hasPlainSources(const ParameterGrowth& p, const Block& block) {
  if (p.rows[std::size_t(block.rows.first)].source < 0) return false;
  const auto first = p.cols.begin() + block.cols.first;
  const auto apart = [](const AxisIndex& a, const AxisIndex& b) {
    return b.source != a.source + 1;
  };
  return first->source >= 0 &&
         std::adjacent_find(first, first + block.cols.count, apart) == first + block.cols.count;
}

/// fill() for such a block: most of the work of a growth.
template <class Real>
void copyScaled(const OldMatrix<Real>& old, const ParameterGrowth& p, const Block& block,
                double scale, AlignedVector<Real>& arena, Work& work) {
  const std::int64_t first = p.cols[std::size_t(block.cols.first)].source;
  forEachRow(p, block, work, [&](std::int64_t r, std::size_t place) {
    const Real* from = old.row(p.rows[std::size_t(r)].source) + first;
    Real* to = &arena[place];
    for (std::int64_t c = 0; c < block.cols.count; ++c) to[c] = Real(double(from[c]) * scale);
  });
}

/// Computes parameter `place` after a change.
template <class Real>
void growParameter(const Change& change, std::size_t place, std::span<const Real> before,
                   AlignedVector<Real>& after, Work& work) {
  const ParameterGrowth& p = change.parameters[place];
  if (isCopy(p)) return copyPart(p, before, after, work);
  const OldMatrix<Real> old(p, before);
  const std::uint64_t seed = change.growth.seed.value_or(0);
  const Random broken(seed, streams::kBroken.first, std::uint64_t(p.after.offset));
  const bool drawn = p.violated && change.growth.broken == Break::RandomInsteadOfZero;
  const InitialDraw draw(change.layout_after.parameters[place], place, seed);
  const std::int64_t width = p.after.cols();
  const auto first = [&](std::int64_t r, std::int64_t c) { return Real(draw(r * width + c)); };
  const auto random = [&](std::int64_t r, std::int64_t c) {
    return Real(kBrokenDeviation * broken.normal(std::uint64_t(r * width + c)));
  };
  const auto give = [&](const Block& block, const auto& value) {
    fill(after, p, block, work, value);
  };
  forEachBlock(p, [&](const Block& block) {
    switch (block.entry) {
      case Entry::Padding:
        return fillWith(after, p, block, work, Real(0));
      case Entry::Zero:
        return drawn ? give(block, random) : fillWith(after, p, block, work, Real(0));
      case Entry::Free:
        return change.growth.constant
                   ? fillWith(after, p, block, work, Real(*change.growth.constant))
                   : give(block, first);
      default:
        break;
    }
    if (p.reset) return give(block, first);
    const double scale = p.scale(block.rows.first, block.cols.first);
    if (hasPlainSources(p, block)) return copyScaled(old, p, block, scale, after, work);
    give(block, [&](std::int64_t r, std::int64_t c) {
      const double value = old.value(p.rows[std::size_t(r)].source, p.cols[std::size_t(c)].source);
      return Real(value * scale);
    });
  });
}

}  // namespace

template <class Real>
AlignedVector<Real> grownNumbers(const Change& change, std::span<const Real> before, Work& work) {
  check(std::int64_t(before.size()) == change.layout_before.total,
        "a change is applied to the parameters it was planned for");
  AlignedVector<Real> values(std::size_t(change.layout_after.total));
  // Parameters are independent. Each thread takes the next one: weights and biases alternate in a
  // layout, so a fixed split would give one thread all weights.
  std::atomic<std::size_t> next = 0;
  const auto grow_some = [&] {
    for (std::size_t i = next++; i < change.parameters.size(); i = next++)
      growParameter(change, i, before, values, work);
  };
  std::future<void> other;
  if (change.layout_after.total >= kWorthAThread) other = std::async(std::launch::async, grow_some);
  grow_some();
  if (other.valid()) other.get();
  work.advance(0);  // reports what the other thread did last
  return values;
}

template AlignedVector<float> grownNumbers(const Change&, std::span<const float>, Work&);
template AlignedVector<double> grownNumbers(const Change&, std::span<const double>, Work&);

}  // namespace tfm::expand
