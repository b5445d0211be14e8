// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/side_counts.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <numeric>

#include "ui/figure/figure.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(SideCounts)
};

constexpr double kSquare = 8;

}  // namespace

std::int64_t SideCounts::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

double SideCounts::share(std::size_t group) const {
  const std::int64_t all = total();
  return all == 0 ? 0 : static_cast<double>(counts[group]) / static_cast<double>(all);
}

QString percentText(double share) {
  return Text::tr("%1 %").arg(QLocale().toString(100 * share, 'f', 1));
}

QString countsText(const std::vector<SideCounts>& sides, std::size_t group) {
  QStringList words;
  for (const SideCounts& side : sides)
    words += Text::tr("%1 %2 (%3)")
                 .arg(side.name, QLocale().toString(qlonglong(side.counts[group])),
                      percentText(side.share(group)));
  return words.join(Text::tr(", "));
}

double largestShare(const std::vector<SideCounts>& sides) {
  double largest = 0;
  for (const SideCounts& side : sides)
    for (std::size_t i = 0; i < side.counts.size(); ++i) largest = std::max(largest, side.share(i));
  return largest;
}

const QColor& sideColor(const Palette& palette, std::size_t side) {
  return palette.series[side % palette.series.size()];
}

void paintSideLegend(QPainter& painter, const QRectF& area, const std::vector<SideCounts>& sides,
                     const Palette& palette) {
  const QFont font = Style::textFace(11);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  double x = area.left();
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const QString words =
        Text::tr("%1 %2").arg(sides[i].name, QLocale().toString(qlonglong(sides[i].total())));
    const double middle = area.top() + kSideLegendHeight / 2 - 2;
    painter.fillRect(QRectF(x, middle - kSquare / 2, kSquare, kSquare), sideColor(palette, i));
    x += kSquare + 5;
    painter.setPen(palette.muted);
    painter.drawText(QRectF(x, middle - 8, area.right() - x, 16), Qt::AlignVCenter, words);
    x += metrics.horizontalAdvance(words) + 16;
  }
}

DataTable sideTable(const QString& heading, const QStringList& groups,
                    const std::vector<SideCounts>& sides) {
  DataTable table{{heading}, {}};
  for (const SideCounts& side : sides)
    table.columns << side.name << Text::tr("%1 share").arg(side.name);
  for (std::size_t i = 0; i < static_cast<std::size_t>(groups.size()); ++i) {
    QStringList row{groups[static_cast<qsizetype>(i)]};
    for (const SideCounts& side : sides)
      row << QString::number(side.counts[i]) << fullPrecision(side.share(i));
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace tfm::ui
