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

/// How many examples of one side, such as those to learn from, are in each of some groups.
struct SideCounts {
  QString name;
  std::vector<std::int64_t> counts;  ///< one a group

  std::int64_t total() const;
  /// Of all the side's examples, in [0, 1]; 0 where it has none.
  double share(std::size_t group) const;
};

/// "49.9 %".
QString percentText(double share);
/// "training 2,493 (49.9 %), held-out 1,002 (50.1 %)".
QString countsText(const std::vector<SideCounts>& sides, std::size_t group);

/// The largest share of all sides and groups.
double largestShare(const std::vector<SideCounts>& sides);
/// The colour of a side, the same in every picture.
const QColor& sideColor(const Palette& palette, std::size_t side);

constexpr double kSideLegendHeight = 20;
/// What the colours are and how many examples that is, in the first kSideLegendHeight of `area`.
void paintSideLegend(QPainter& painter, const QRectF& area, const std::vector<SideCounts>& sides,
                     const Palette& palette);

/// One row a group: its name under `heading`, then count and share of each side.
DataTable sideTable(const QString& heading, const QStringList& groups,
                    const std::vector<SideCounts>& sides);

}  // namespace tfm::ui
