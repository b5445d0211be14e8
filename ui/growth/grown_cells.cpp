// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/growth/grown_cells.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/check.h"
#include "ui/growth/growth_marks.h"
#include "ui/heatmap/color_scale.h"

namespace tfm::ui {

using expand::AxisIndex;
using expand::AxisMap;
using expand::Entry;
using expand::IndexRun;

namespace {

/// For each index, the number of its run.
std::vector<int> runOfEach(const std::vector<IndexRun>& runs) {
  std::vector<int> run_of;
  for (std::size_t i = 0; i < runs.size(); ++i)
    run_of.insert(run_of.end(), std::size_t(runs[i].count), int(i));
  return run_of;
}

void setBorders(GrownAxis& axis) {
  using Border = GrownAxis::Border;
  const bool heads = axis.stripe_after > 0, all_new = axis.before == 0;
  axis.borders.assign(std::size_t(axis.after), Border::None);
  for (int i = 1; i < axis.after; ++i) {
    const auto at = std::size_t(i);
    if (heads && i % axis.stripe_after == 0)
      axis.borders[at] = Border::Strong;
    else if (!all_new && axis.is_new[at] != axis.is_new[at - 1])
      axis.borders[at] = heads ? Border::Weak : Border::Strong;
  }
  axis.weak_borders = int(std::ranges::count(axis.borders, Border::Weak));
  axis.strong_borders = int(std::ranges::count(axis.borders, Border::Strong));
}

GrownAxis axisOf(const AxisMap& map, const ParameterInfo& after, const ParameterInfo* before,
                 bool rows) {
  GrownAxis axis;
  axis.after = int(map.size());
  const auto dimension = [rows](const ParameterInfo& info) -> const Dimension* {
    if (rows) return info.shape.size() == 1 ? nullptr : &info.shape.front();
    return &info.shape.back();
  };
  const auto stripe = [](const Dimension* d) {
    return d && d->factors.size() > 1
               ? int(d->size() / std::max<std::int64_t>(1, d->factors.front().size))
               : 0;
  };
  if (const Dimension* d = dimension(after)) {
    axis.name = axisText(*d);
    axis.name.replace(QStringLiteral("head ×"), QStringLiteral("heads ×"));
    axis.stripe_after = stripe(d);
  }
  if (before) {
    axis.before = int(rows ? before->rows() : before->cols());
    axis.stripe_before = stripe(dimension(*before));
  }
  std::vector<bool> seen(std::size_t(axis.before));
  for (const AxisIndex& index : map) {
    const bool old = index.source >= 0 && index.source < axis.before;
    const auto source = std::size_t(old ? index.source : 0);
    axis.source.push_back(old ? int(index.source) : -1);
    axis.is_new.push_back(!old || seen[source]);
    if (old) seen[source] = true;
  }
  setBorders(axis);
  return axis;
}

/// `entries`: one for each run of rows and of columns.
std::vector<CellBlock> blocksOf(const std::vector<IndexRun>& rows,
                                const std::vector<IndexRun>& cols,
                                const std::vector<Entry>& entries) {
  std::vector<CellBlock> blocks;
  std::size_t last_row = 0;  // where the blocks of the previous row run start
  auto entry = entries.begin();
  for (const IndexRun& row : rows) {
    const auto first_row = int(row.first), count = int(row.count);
    std::vector<CellBlock> line;
    for (const IndexRun& col : cols) {
      const auto width = int(col.count);
      if (!line.empty() && line.back().entry == *entry)
        line.back().cols += width;
      else
        line.push_back({first_row, int(col.first), count, width, *entry});
      ++entry;
    }
    const auto same = [](const CellBlock& a, const CellBlock& b) {
      return a.col == b.col && a.cols == b.cols && a.entry == b.entry;
    };
    if (blocks.size() - last_row == line.size() &&
        std::equal(line.begin(), line.end(), blocks.begin() + static_cast<std::ptrdiff_t>(last_row),
                   same)) {
      for (std::size_t i = last_row; i < blocks.size(); ++i) blocks[i].rows += count;
      continue;
    }
    last_row = blocks.size();
    blocks.insert(blocks.end(), line.begin(), line.end());
  }
  return blocks;
}

/// Bitwise, since a NaN that stays a NaN is no change.
bool sameNumbers(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool mustBeZero(Entry entry) { return entry == Entry::Zero || entry == Entry::Padding; }

QString beforeAfter(const QString& before, const QString& after) {
  return before.isEmpty() || before == after ? after : before + QStringLiteral(" → ") + after;
}

}  // namespace

GrownCells::GrownCells() : data_(std::make_shared<Data>()) {}

GrownCells::GrownCells(expand::GrownMatrix matrix)
    : GrownCells(std::make_shared<const expand::GrownMatrix>(std::move(matrix))) {}

GrownCells::GrownCells(std::shared_ptr<const expand::GrownMatrix> shared, bool unpaired) {
  const expand::GrownMatrix& matrix = *shared;
  const expand::ParameterGrowth& growth = matrix.growth;
  const ParameterInfo* before = growth.before ? &*growth.before : nullptr;
  check(std::int64_t(growth.rows.size()) == growth.after.rows() &&
            std::int64_t(growth.cols.size()) == growth.after.cols(),
        "a grown parameter has one source for each row and column");
  check(std::int64_t(matrix.after.size()) == growth.after.size() &&
            std::int64_t(matrix.before.size()) == (before ? before->size() : 0),
        "a grown matrix has one value for each cell");
  auto data = std::make_shared<Data>();
  const bool upright = growth.after.shape.size() == 1;
  data->rows = axisOf(growth.rows, growth.after, before, true);
  data->cols = axisOf(growth.cols, growth.after, before, false);
  std::vector<IndexRun> rows = runsOf(growth.rows), cols = runsOf(growth.cols);
  if (upright) {
    std::swap(data->rows, data->cols);
    std::swap(rows, cols);
  }
  data->row_run = runOfEach(rows);
  data->col_run = runOfEach(cols);
  data->col_runs = cols.size();
  bool any_factor = false;
  for (const IndexRun& row : rows) {
    for (const IndexRun& col : cols) {
      const auto [r, c] =
          upright ? std::pair(col.first, row.first) : std::pair(row.first, col.first);
      data->entries.push_back(growth.entry(r, c));
      if (data->entries.back() != Entry::Scaled) continue;
      const double factor = growth.scale(r, c);
      data->least_factor = any_factor ? std::min(data->least_factor, factor) : factor;
      data->largest_factor = any_factor ? std::max(data->largest_factor, factor) : factor;
      any_factor = true;
    }
  }
  data->blocks = blocksOf(rows, cols, data->entries);
  data->unpaired = unpaired;
  data->changes = growth.grows() || !sameNumbers(matrix.before, matrix.after);
  data->matrix = std::move(shared);
  data_ = std::move(data);
  // If a rule is broken and all zeros hold, it is that of the factor.
  if (matrix.growth.violated && !isBroken()) {
    const auto lacking = std::make_shared<Data>(*data_);
    lacking->lacks_factor = true;
    data_ = lacking;
  }
}

double GrownCells::commonLimit(const std::vector<const GrownCells*>& cells) {
  MagnitudeHistogram magnitudes;
  for (const GrownCells* one : cells) {
    magnitudes.add(one->data_->matrix->before);
    magnitudes.add(one->data_->matrix->after);
  }
  const double limit = magnitudes.quantile(0.99);
  return limit > 0.0 ? limit : 1.0;
}

QString GrownCells::name() const {
  return QString::fromStdString(data_->matrix->growth.after.name);
}

Entry GrownCells::entry(int row, int col) const {
  const auto row_run = std::size_t(data_->row_run[std::size_t(row)]);
  const auto col_run = std::size_t(data_->col_run[std::size_t(col)]);
  return data_->entries[row_run * data_->col_runs + col_run];
}

std::span<const float> GrownCells::afterRow(int row) const {
  const auto width = std::size_t(cols());
  return std::span<const float>(data_->matrix->after).subspan(std::size_t(row) * width, width);
}

std::span<const float> GrownCells::beforeRow(int row) const {
  const int from = data_->rows.source[std::size_t(row)];
  if (from < 0) return {};
  const auto width = std::size_t(data_->cols.before);
  return std::span<const float>(data_->matrix->before).subspan(std::size_t(from) * width, width);
}

std::optional<float> GrownCells::before(int row, int col) const {
  const std::span<const float> values = beforeRow(row);
  const int from = data_->cols.source[std::size_t(col)];
  if (values.empty() || from < 0) return std::nullopt;
  return values[std::size_t(from)];
}

bool GrownCells::violates(int row, int col) const {
  return mustBeZero(entry(row, col)) && after(row, col) != 0.0F;
}

bool GrownCells::violates(const CellBlock& block) const {
  if (!mustBeZero(block.entry)) return false;
  for (int row = block.row; row < block.row + block.rows; ++row) {
    const auto values = afterRow(row).subspan(std::size_t(block.col), std::size_t(block.cols));
    if (std::ranges::any_of(values, [](float value) { return value != 0.0F; })) return true;
  }
  return false;
}

bool GrownCells::isBroken() const {
  return std::ranges::any_of(data_->blocks, [this](const auto& block) { return violates(block); });
}

bool GrownCells::isUnpaired(int row, int col) const {
  return data_->unpaired && std::isnan(after(row, col));
}

QString GrownCells::shapeText() const {
  const auto text = [this](int rows, int cols) {
    return isVector() ? QString::number(rows) : QStringLiteral("%1 × %2").arg(rows).arg(cols);
  };
  const GrownAxis &row = data_->rows, &col = data_->cols;
  return beforeAfter(data_->matrix->growth.before ? text(row.before, col.before) : QString(),
                     text(row.after, col.after));
}

QString GrownCells::countText() const {
  return beforeAfter(QString::number(data_->matrix->before.size()),
                     QString::number(data_->matrix->after.size()));
}

QString GrownCells::factorText() const {
  const auto [least, largest] = factors();
  return least == 1.0 && largest == 1.0 ? QString() : ui::factorText(least, largest);
}

double GrownCells::factor(int row, int col) const {
  const expand::ParameterGrowth& growth = data_->matrix->growth;
  return isVector() ? growth.scale(col, row) : growth.scale(row, col);
}

QString GrownCells::describe(int row, int col) const {
  const auto number = [](float value) { return QString::number(value, 'g', 6); };
  const QString place = isVector() ? QStringLiteral("%1[%2]").arg(name()).arg(row)
                                   : QStringLiteral("%1[%2, %3]").arg(name()).arg(row).arg(col);
  if (isUnpaired(row, col)) return QStringLiteral("%1: %2").arg(place, unpairedReason());
  const std::optional<float> old = before(row, col);
  const QString value = beforeAfter(old ? number(*old) : QString(), number(after(row, col)));
  const Entry kind = entry(row, col);
  const bool unscaled = lacksFactor() && kind == Entry::Copied;
  QString reason = violates(row, col) ? violationReason()
                   : unscaled         ? unscaledReason()
                                      : markReason(kind);
  if (kind == Entry::Scaled) {
    const double scaled = factor(row, col);
    reason.prepend(ui::factorText(scaled, scaled) + QStringLiteral(", "));
  }
  return tr("%1: %2. %3").arg(place, old ? value : tr("new, %1").arg(value), reason);
}

DataTable GrownCells::table() const {
  DataTable table{{"row", "column", "kind", "factor", "before", "after"}, {}};
  table.rows.reserve(data_->matrix->after.size());
  for (int row = 0; row < rows(); ++row) {
    for (int col = 0; col < cols(); ++col) {
      const Entry kind = entry(row, col);
      const std::optional<float> old = before(row, col);
      const bool has_factor = kind == Entry::Scaled || kind == Entry::Copied;
      const std::string_view word = expand::entryName(kind);
      table.rows.push_back({QString::number(isVector() ? 0 : row),
                            QString::number(isVector() ? row : col),
                            QString::fromUtf8(word.data(), qsizetype(word.size())),
                            has_factor ? fullPrecision(factor(row, col)) : QString(),
                            old ? fullPrecision(*old) : QString(), fullPrecision(after(row, col))});
    }
  }
  return table;
}

}  // namespace tfm::ui
