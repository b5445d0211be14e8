// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/bar_list.h"

#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kRow = 20;
constexpr double kBar = 8;
constexpr double kHeading = 24;
constexpr double kGap = 10;
constexpr double kInset = 4;        // between a row's frame and its words
constexpr double kRule = 9;         // the line above the summary with its space
constexpr double kMaxLabel = 0.45;  // of the width

QFont rowFont() { return Style::numberFace(12); }

}  // namespace

/// The horizontal layout and the scale of the bars.
struct BarList::Columns {
  QRectF label;  ///< top and height are those of the whole area
  QRectF bar;
  QRectF number;
  double low;  ///< values at the ends of the bar column; low <= 0 <= high
  double high;

  double x(double value) const {
    const double inside = std::clamp(value, low, high);
    return bar.left() + bar.width() * (inside - low) / (high - low);
  }
};

BarList::BarList(const Style& style, QWidget* parent) : FigureWidget(style, parent) {}

void BarList::setRows(std::vector<BarRow> rows, std::vector<BarRow> summary) {
  rows_ = std::move(rows);
  summary_ = std::move(summary);
  chosen_ = -1;
  contentChanged();
}

void BarList::setDecimals(std::optional<int> decimals) {
  decimals_ = decimals;
  contentChanged();
}

void BarList::setHeading(const QString& heading) {
  heading_ = heading;
  contentChanged();
}

void BarList::setChosen(int row) {
  chosen_ = row;
  contentChanged();
}

void BarList::setLimit(std::optional<double> limit) {
  limit_ = limit;
  contentChanged();
}

QSizeF BarList::figureSize() const {
  const double rule = summary_.empty() ? 0 : kRule;
  const auto count = static_cast<double>(rows_.size() + summary_.size());
  return {320, headingHeight() + std::max(count * kRow + rule, kRow)};
}

double BarList::headingHeight() const { return heading_.isEmpty() ? 0 : kHeading; }

QString BarList::numberText(double value) const {
  return decimals_ ? fixedNumber(value, *decimals_) : shortNumber(value);
}

QSize BarList::minimumSizeHint() const { return {style_.px(160), sizeHint().height()}; }

BarList::Columns BarList::columns(const QRectF& area) const {
  const QFontMetricsF metrics(rowFont());
  double label = 0;
  double number = 0;
  double low = 0;
  double high = 0;
  for (const auto* rows : {&rows_, &summary_}) {
    for (const BarRow& row : *rows) {
      label = std::max(label, metrics.horizontalAdvance(row.label));
      number = std::max(number, metrics.horizontalAdvance(numberText(row.value)));
    }
  }
  for (const BarRow& row : rows_) {
    if (!std::isfinite(row.value)) continue;
    low = std::min(low, row.value);
    high = std::max(high, row.value);
  }
  if (limit_) {
    low = low < 0 ? -*limit_ : 0;
    high = *limit_;
  }
  if (high <= low) high = low + 1;
  label = std::min(label, area.width() * kMaxLabel);

  const QRectF inside = area.adjusted(kInset, 0, -kInset, 0);
  Columns columns{inside, inside, inside, low, high};
  columns.label.setWidth(label);
  columns.number.setLeft(inside.right() - number);
  columns.bar.setLeft(columns.label.right() + kGap);
  columns.bar.setRight(std::max(columns.number.left() - kGap, columns.bar.left()));
  return columns;
}

void BarList::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const Columns columns = this->columns(area);
  const QFont font = rowFont();
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(palette.muted);
  painter.drawText(QRectF(columns.label.left(), area.top(), area.width(), headingHeight()),
                   Qt::AlignVCenter, heading_);
  double y = area.top() + headingHeight();

  const auto drawWords = [&](const BarRow& row, const QColor& label, const QColor& number) {
    const QRectF labelBox(columns.label.left(), y, columns.label.width() + 1, kRow);
    const QRectF numberBox(columns.number.left() - 1, y, columns.number.width() + 1, kRow);
    painter.setPen(label);
    painter.drawText(labelBox, Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(row.label, Qt::ElideRight, labelBox.width()));
    painter.setPen(number);
    painter.drawText(numberBox, Qt::AlignVCenter | Qt::AlignRight, numberText(row.value));
  };

  const double zero = columns.x(0);
  const double top = y;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const BarRow& row = rows_[i];
    const bool chosen = chosen_ == int(i);
    drawWords(row, chosen ? palette.mark : palette.muted, chosen ? palette.mark : palette.text);
    if (std::isfinite(row.value) && row.value != 0) {
      // A bar too short to see would look like zero.
      const double end = columns.x(row.value);
      const double length = std::max(std::abs(end - zero), 1.5);
      const QRectF bar(end < zero ? zero - length : zero, y + (kRow - kBar) / 2, length, kBar);
      painter.setPen(Qt::NoPen);
      painter.setBrush(chosen ? palette.mark : row.value < 0 ? palette.negative : palette.positive);
      painter.drawRoundedRect(bar, std::min(2.5, length / 2), 2.5);
    }
    y += kRow;
  }
  if (columns.low < 0 && !rows_.empty()) {
    painter.setPen(QPen(palette.muted, 1));
    painter.drawLine(QPointF(zero, top + 2), QPointF(zero, y - 2));
  }
  if (summary_.empty()) return;
  painter.setPen(QPen(palette.line, 1));
  painter.drawLine(QPointF(area.left(), y + kRule / 2), QPointF(area.right(), y + kRule / 2));
  y += kRule;
  for (const BarRow& row : summary_) {
    drawWords(row, palette.text, palette.text);
    y += kRow;
  }
}

DataTable BarList::figureData() const {
  DataTable table{{tr("label"), tr("value")}, {}};
  for (const auto* rows : {&rows_, &summary_})
    for (const BarRow& row : *rows) table.rows.push_back({row.label, fullPrecision(row.value)});
  return table;
}

QRectF BarList::itemArea(int item, const QRectF& area) const {
  return {area.left(), area.top() + headingHeight() + item * kRow + 1, area.width(), kRow - 2};
}

QString BarList::itemText(int item) const {
  const BarRow& row = rows_[static_cast<std::size_t>(item)];
  return tr("%1: %2").arg(row.label, QLocale().toString(row.value, 'g', 6));
}

}  // namespace tfm::ui
