// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/share_histogram.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLabel = 16;      // height of a line of axis labels
constexpr double kShareRoom = 44;  // left of the plot, for "100 %"
constexpr double kInset = 4;
constexpr double kMaxTicks = 3;

QFont axisFont() { return Style::numberFace(10.5); }

/// The distance of the ticks, so that at most kMaxTicks reach `largest`.
double tickStep(double largest) {
  constexpr std::array kSteps{0.01, 0.02, 0.05, 0.1, 0.2};
  for (const double step : kSteps)
    if (largest <= step * kMaxTicks) return step;
  return 0.5;
}

}  // namespace

ShareHistogram::ShareHistogram(const Style& style, QWidget* parent) : FigureWidget(style, parent) {}

void ShareHistogram::setBins(std::vector<WholeBin> bins, std::vector<SideCounts> sides,
                             const QString& unit) {
  for (const SideCounts& side : sides) check(side.counts.size() == bins.size(), "one count a bin");
  bins_ = std::move(bins);
  sides_ = std::move(sides);
  unit_ = unit;
  contentChanged();
}

QSize ShareHistogram::minimumSizeHint() const { return {style_.px(200), sizeHint().height()}; }

QRectF ShareHistogram::plotArea(const QRectF& area) const {
  return area.adjusted(kShareRoom, kSideLegendHeight + kLabel / 2, -kLabel / 2, -2 * kLabel);
}

void ShareHistogram::paintFigure(QPainter& painter, const QRectF& area,
                                 const Palette& palette) const {
  if (bins_.empty()) return;
  paintSideLegend(painter, area.adjusted(kInset, 0, -kInset, 0), sides_, palette);
  const QRectF plot = plotArea(area);
  const double step = tickStep(largestShare(sides_));
  const double limit = std::max(largestShare(sides_), step);
  paintShareAxis(painter, plot, limit, palette);
  paintBinAxis(painter, plot, palette);
  const double gap = std::min(2.0, 0.1 * plot.width() / itemCount());
  for (int item = 0; item < itemCount(); ++item) {
    const QRectF column = itemArea(item, area).adjusted(gap, 0, -gap, 0);
    const double width = column.width() / static_cast<double>(sides_.size());
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      const double height = plot.height() * sides_[i].share(std::size_t(item)) / limit;
      if (height <= 0) continue;
      const double shown = std::max(height, 1.0);  // a little is not none
      painter.fillRect(QRectF(column.left() + static_cast<double>(i) * width, plot.bottom() - shown,
                              width, shown),
                       sideColor(palette, i));
    }
  }
}

void ShareHistogram::paintShareAxis(QPainter& painter, const QRectF& plot, double limit,
                                    const Palette& palette) const {
  const double step = tickStep(limit);
  painter.setFont(axisFont());
  for (int i = 0; i * step <= limit * (1 + 1e-9); ++i) {
    const double y = plot.bottom() - plot.height() * i * step / limit;
    painter.setPen(QPen(palette.line, 1));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(palette.muted);
    painter.drawText(QRectF(plot.left() - kShareRoom, y - kLabel / 2, kShareRoom - 6, kLabel),
                     Qt::AlignVCenter | Qt::AlignRight,
                     tr("%1 %").arg(QLocale().toString(100 * i * step, 'f', 0)));
  }
}

void ShareHistogram::paintBinAxis(QPainter& painter, const QRectF& plot,
                                  const Palette& palette) const {
  const QFontMetricsF metrics(axisFont());
  const double bin = plot.width() / itemCount();
  const QString widest = QLocale().toString(qlonglong(bins_.back().last));
  const int every = 1 + static_cast<int>((metrics.horizontalAdvance(widest) + 8) / bin);
  // A bin of one number is labelled below its middle, a wider one at its end.
  const bool single = bins_.front().first == bins_.front().last;
  painter.setPen(palette.muted);
  for (int i = itemCount() - 1; i >= 0; i -= every) {
    const double x = plot.left() + bin * (single ? i + 0.5 : i + 1);
    painter.drawText(QRectF(x - 40, plot.bottom() + 1, 80, kLabel), Qt::AlignCenter,
                     QLocale().toString(qlonglong(bins_[std::size_t(i)].last)));
  }
  painter.setFont(Style::textFace(11));
  painter.drawText(QRectF(plot.left(), plot.bottom() + kLabel, plot.width(), kLabel),
                   Qt::AlignCenter, unit_);
}

QString ShareHistogram::binText(std::size_t bin) const {
  const QLocale locale;
  const auto& [first, last] = bins_[bin];
  if (first == last) return locale.toString(qlonglong(first));
  return tr("%1 to %2").arg(locale.toString(qlonglong(first)), locale.toString(qlonglong(last)));
}

DataTable ShareHistogram::figureData() const {
  QStringList groups;
  for (const WholeBin& bin : bins_)
    groups << (bin.first == bin.last ? QString::number(bin.first)
                                     : QStringLiteral("%1-%2").arg(bin.first).arg(bin.last));
  return sideTable(unit_, groups, sides_);
}

QRectF ShareHistogram::itemArea(int item, const QRectF& area) const {
  const QRectF plot = plotArea(area);
  const double width = plot.width() / itemCount();
  return {plot.left() + item * width, plot.top(), width, plot.height()};
}

QString ShareHistogram::itemText(int item) const {
  const auto bin = static_cast<std::size_t>(item);
  return tr("%1 %2: %3").arg(binText(bin), unit_, countsText(sides_, bin));
}

}  // namespace tfm::ui
