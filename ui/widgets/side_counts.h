// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <cstdint>
#include <vector>

class QPainter;

namespace tfm::ui {

struct DataTable;
struct Palette;

/// The number of examples of one side, e.g. training, in each group.
struct SideCounts {
  QString name;
  std::vector<std::int64_t> counts;  ///< one per group

  std::int64_t total() const;
  /// The group's share of the side's examples, in [0, 1]; 0 if there are none.
  double share(std::size_t group) const;
};

/// "49.9 %".
QString percentText(double share);
/// "training 2,493 (49.9 %), held-out 1,002 (50.1 %)".
QString countsText(const std::vector<SideCounts>& sides, std::size_t group);

/// The largest share of all sides and groups.
double largestShare(const std::vector<SideCounts>& sides);
/// The colour of a side, the same in all figures.
const QColor& sideColor(const Palette& palette, std::size_t side);

constexpr double kSideLegendHeight = 20;
/// Paints the legend of colours and example counts in the first kSideLegendHeight of `area`.
void paintSideLegend(QPainter& painter, const QRectF& area, const std::vector<SideCounts>& sides,
                     const Palette& palette);

/// One row per group: its name under `heading`, then count and share of each side.
DataTable sideTable(const QString& heading, const QStringList& groups,
                    const std::vector<SideCounts>& sides);

}  // namespace tfm::ui
