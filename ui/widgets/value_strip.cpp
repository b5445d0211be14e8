// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/value_strip.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kHeight = 24;
constexpr double kWidest = 48;  // of a cell when there is room
constexpr double kNumberRoom = 4;
constexpr int kMaxDecimals = 4;
constexpr double kNaturalStrip = 640;  // width of a long vector on paper

}  // namespace

ValueStrip::ValueStrip(const Style& style, QWidget* parent) : FigureWidget(style, parent) {}

void ValueStrip::setValues(std::vector<double> values) {
  values_ = std::move(values);
  contentChanged();
}

void ValueStrip::setLimit(std::optional<double> limit) {
  limit_ = limit;
  contentChanged();
}

double ValueStrip::limit() const {
  if (limit_) return *limit_;
  double largest = 0;
  for (const double value : values_)
    if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  return largest;
}

QSizeF ValueStrip::figureSize() const {
  const double cells = std::min(double(values_.size()) * kWidest, kNaturalStrip);
  return {std::max(cells, kWidest), kHeight};
}

QSize ValueStrip::minimumSizeHint() const { return {style_.px(80), sizeHint().height()}; }

QRectF ValueStrip::itemArea(int item, const QRectF& area) const {
  const double width = std::min(area.width() / double(values_.size()), kWidest);
  return {area.left() + item * width, area.top(), width, kHeight};
}

void ValueStrip::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  if (values_.empty()) return;

  const double limit = this->limit();
  const QFont font = Style::numberFace(11);
  const double width = itemArea(0, area).width();
  const double gap = width >= 6 ? 1 : 0;
  const QFontMetricsF metrics(font);
  const auto fits = [&](int decimals) {
    return std::ranges::all_of(values_, [&](double value) {
      return metrics.horizontalAdvance(fixedNumber(value, decimals)) + kNumberRoom <= width;
    });
  };
  // Fewer decimals rather than no numbers; at least one.
  const int three_digits = decimalsFor(limit);
  const int least = std::max(three_digits - 2, std::min(three_digits, 1));
  int decimals = std::min(three_digits, kMaxDecimals);
  while (decimals > least && !fits(decimals)) --decimals;
  const bool numbers = fits(decimals);

  painter.setFont(font);
  // The background must not show through between touching cells.
  painter.setRenderHint(QPainter::Antialiasing, gap > 0);
  for (int i = 0; i < itemCount(); ++i) {
    const double value = values_[std::size_t(i)];
    const QRectF cell = itemArea(i, area).adjusted(0, 0, -gap, 0);
    const QColor fill = std::isfinite(value) ? signedColor(palette, value, limit) : palette.bad;
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(cell, gap * 2, gap * 2);
    if (!numbers) continue;
    painter.setPen(readableOn(fill));
    painter.drawText(cell, Qt::AlignCenter, fixedNumber(value, decimals));
  }
}

DataTable ValueStrip::figureData() const {
  DataTable table{{tr("index"), tr("value")}, {}};
  for (std::size_t i = 0; i < values_.size(); ++i)
    table.rows.push_back({QString::number(i), fullPrecision(values_[i])});
  return table;
}

QString ValueStrip::itemText(int item) const {
  const QString value = QString::number(values_[std::size_t(item)], 'g', 6);
  return tr("%1: %2").arg(item + 1).arg(value);
}

}  // namespace tfm::ui
