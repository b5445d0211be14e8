// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/growing_slab.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace tfm::ui {
namespace {

using expand::AxisIndex;
using expand::AxisMap;
using expand::Entry;

/// Whether two adjacent indices always get the same mark.
bool sameKind(const AxisIndex& a, const AxisIndex& b) {
  return a.padding == b.padding && a.added == b.added && a.born == b.born &&
         (a.share == 1.0) == (b.share == 1.0);
}

std::vector<GrowthSpan> spansOf(const AxisMap& map) {
  std::vector<GrowthSpan> spans;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const AxisIndex& index = map[i];
    const int source = index.source < 0 ? -1 : int(index.source);
    if (i > 0 && sameKind(map[i - 1], index)) {
      GrowthSpan& last = spans.back();
      const bool follows =
          last.isNew() ? index.source == map[i - 1].source : source == last.source + last.count;
      if (follows) {
        ++last.count;
        continue;
      }
    }
    spans.push_back({int(i), 1, source});
  }
  return spans;
}

}  // namespace

GrowingSlab::GrowingSlab(expand::ParameterGrowth growth, const MatrixSlab& after, int before)
    : growth_(std::move(growth)),
      turned_(after.cols == 1 && growth_.after.rows() == 1),
      before_(before),
      rows_(spansOf(turned_ ? growth_.cols : growth_.rows)),
      cols_(spansOf(turned_ ? growth_.rows : growth_.cols)) {
  const auto rows = turned_ ? growth_.after.cols() : growth_.after.rows();
  const auto cols = turned_ ? growth_.after.rows() : growth_.after.cols();
  check(rows == after.rows && cols == after.cols, "a growth has the shape of its slab");
}

Entry GrowingSlab::entry(int row, int col) const {
  return turned_ ? growth_.entry(col, row) : growth_.entry(row, col);
}

double GrowingSlab::scale(int row, int col) const {
  return turned_ ? growth_.scale(col, row) : growth_.scale(row, col);
}

bool GrowingSlab::changesOldValues() const {
  for (const GrowthSpan& row : rows_)
    for (const GrowthSpan& col : cols_)
      if (!row.isNew() && !col.isNew() && entry(row, col) != Entry::Copied) return true;
  return false;
}

std::vector<float> GrowingSlab::valuesBefore(const MatrixSlab& before,
                                             const MatrixSlab& after) const {
  std::vector<float> values(after.values.begin(), after.values.end());
  for (const GrowthSpan& row : rows_) {
    for (const GrowthSpan& col : cols_) {
      if (row.isNew() || col.isNew()) continue;
      for (int i = 0; i < row.count; ++i) {
        const auto from = (std::ptrdiff_t{row.source} + i) * before.cols + col.source;
        const auto to = (std::ptrdiff_t{row.at} + i) * after.cols + col.at;
        std::copy_n(before.values.begin() + from, col.count, values.begin() + to);
      }
    }
  }
  return values;
}

std::vector<GrowingSlab> matchGrowth(std::span<const MatrixSlab> before,
                                     std::span<MatrixSlab> after,
                                     std::span<const expand::GrownMatrix> growth) {
  const auto named = [](const QString& name) {
    return [&name](const MatrixSlab& slab) { return slab.name == name; };
  };
  std::vector<GrowingSlab> slabs;
  slabs.reserve(after.size());
  for (MatrixSlab& slab : after) {
    const auto own = std::ranges::find_if(growth, [&](const expand::GrownMatrix& matrix) {
      return QString::fromStdString(matrix.growth.after.name) == slab.name;
    });
    check(own != growth.end(), "every grown slab has its growth");
    int source = -1;
    if (own->growth.before) {
      const QString name = QString::fromStdString(own->growth.before->name);
      const auto found = std::ranges::find_if(before, named(name));
      // A sinusoid becomes a parameter that was not on the wall.
      check(found != before.end() || !own->growth.given.empty(), "what grows is on the wall");
      if (found != before.end()) source = int(found - before.begin());
    }
    slabs.emplace_back(own->growth, slab, source);
    check(own->after.size() == slab.values.size(), "a growth has as many values as its slab");
    slab.values = own->after;
  }
  return slabs;
}

}  // namespace tfm::ui
