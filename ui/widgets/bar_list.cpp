// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/bar_list.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kRow = 20, kLine = 16;  // a row of one line; a line of several
constexpr double kWidth = 320, kMinBar = 100, kLeastBar = 56;
constexpr double kBar = 8, kThinBar = 6;  // one bar in a row, several
constexpr double kHeading = 24, kNextHeading = 16, kTitles = 20;
constexpr double kSquare = 8;  // of the legend
constexpr double kGap = 10;
constexpr double kInset = 4;        // between a row's frame and its text
constexpr double kRule = 9;         // the line above the summary with its space
constexpr double kMaxLabel = 0.45;  // of the width

QFont rowFont() { return Style::numberFace(12); }
QFont labelFont() { return Style::textFace(12); }
QFont titleFont() { return Style::textFace(11); }

}  // namespace

/// The horizontal layout and the scale of the bars.
struct BarList::Columns {
  QRectF label;  ///< with top and height of the whole area
  QRectF bar;
  std::vector<QRectF> numbers;
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

void BarList::setSeries(QStringList series) {
  series_ = std::move(series);
  contentChanged();
}

void BarList::setColumns(QStringList titles) {
  titles_ = std::move(titles);
  contentChanged();
}

void BarList::setData(DataTable data) {
  data_ = [data = std::move(data)] { return data; };
}

void BarList::setDataMaker(std::function<DataTable()> make) { data_ = std::move(make); }

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
  const double rows = double(rows_.size()) * rowHeight() + double(summary_.size()) * kRow;
  double width = kWidth;
  if (!titles_.isEmpty())  // columns leave bars enough
    width = std::max(width, width - columns({0, 0, width, 1}).bar.width() + kMinBar);
  return {width, headHeight() + std::max(rows + rule, kRow)};
}

double BarList::headHeight() const {
  const double heading =
      heading_.isEmpty() ? 0 : kHeading + kNextHeading * double(heading_.count('\n'));
  return heading + (series_.isEmpty() ? 0 : kTitles) +
         (titles_.join(QString()).isEmpty() ? 0 : kTitles);
}

int BarList::lines() const {
  if (rows_.empty() || titles_.isEmpty()) return 1;
  return std::max(1, int(rows_.front().numbers.size() / titles_.size()));
}

double BarList::rowHeight() const { return lines() == 1 ? kRow : lines() * kLine + 6; }

QStringList BarList::numbersOf(const BarRow& row) const {
  if (!row.numbers.isEmpty()) return row.numbers;
  return {decimals_ ? fixedNumber(row.value, *decimals_) : shortNumber(row.value)};
}

QSize BarList::minimumSizeHint() const { return {style_.px(160), sizeHint().height()}; }

BarList::Columns BarList::columns(const QRectF& area) const {
  const QFontMetricsF metrics(rowFont()), labels(labelFont()), titles(titleFont());
  std::vector<double> widths;
  for (const QString& title : titles_) widths.push_back(titles.horizontalAdvance(title));
  double label = 0, low = 0, high = 0;
  for (const auto* rows : {&rows_, &summary_}) {
    for (const BarRow& row : *rows) {
      label = std::max(label, labels.horizontalAdvance(row.label));
      const QStringList numbers = numbersOf(row);
      if (titles_.isEmpty()) widths.resize(std::max(widths.size(), std::size_t(numbers.size())));
      for (std::size_t i = 0; i < std::size_t(numbers.size()); ++i) {
        double& width = widths[i % widths.size()];
        width = std::max(width, metrics.horizontalAdvance(numbers[qsizetype(i)]));
      }
    }
  }
  const auto reach = [&](double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  };
  for (const BarRow& row : rows_) {
    reach(row.value);
    for (const double value : row.more) reach(value);
  }
  if (limit_) {
    low = low < 0 ? -*limit_ : 0;
    high = *limit_;
  }
  if (high <= low) high = low + 1;
  double numbers = 0;
  for (const double width : widths) numbers += width + kGap;
  // Labels before bars, as long as those can be told apart.
  label = std::min(label, std::max(area.width() * kMaxLabel,
                                   area.width() - 2 * kInset - numbers - kGap - kLeastBar));

  const QRectF inside = area.adjusted(kInset, 0, -kInset, 0);
  Columns columns{inside, inside, std::vector<QRectF>(widths.size(), inside), low, high};
  columns.label.setWidth(label);
  double right = inside.right();
  for (std::size_t i = widths.size(); i-- > 0; right -= widths[i] + kGap) {
    columns.numbers[i].setRight(right);
    columns.numbers[i].setLeft(right - widths[i]);
  }
  columns.bar.setLeft(columns.label.right() + kGap);
  columns.bar.setRight(std::max(right, columns.bar.left()));
  return columns;
}

void BarList::paintHead(QPainter& painter, const QRectF& area, const Columns& columns,
                        const Palette& palette) const {
  double y = area.top();
  painter.setFont(rowFont());
  painter.setPen(palette.muted);
  double high = kHeading;
  for (const QString& text : heading_.split('\n', Qt::SkipEmptyParts)) {
    const QRectF line(columns.label.left(), y, area.right() - columns.label.left(), high);
    painter.drawText(line, Qt::AlignVCenter,
                     QFontMetricsF(rowFont()).elidedText(text, Qt::ElideRight, line.width()));
    y += high;
    high = kNextHeading;
  }
  const QFontMetricsF metrics(titleFont());
  painter.setFont(titleFont());
  double x = columns.label.left();
  for (qsizetype i = 0; i < series_.size(); ++i) {
    painter.fillRect(QRectF(x, y + (kTitles - kSquare) / 2, kSquare, kSquare),
                     palette.series[std::size_t(i) % palette.series.size()]);
    x += kSquare + 5;
    painter.drawText(QRectF(x, y, area.right() - x, kTitles), Qt::AlignVCenter, series_[i]);
    x += metrics.horizontalAdvance(series_[i]) + 16;
  }
  if (!series_.isEmpty()) y += kTitles;
  for (qsizetype i = 0; i < titles_.size(); ++i) {
    const QRectF& column = columns.numbers[std::size_t(i)];
    painter.drawText(QRectF(column.left() - 1, y, column.width() + 1, kTitles),
                     Qt::AlignVCenter | Qt::AlignRight, titles_[i]);
  }
}

void BarList::paintWords(QPainter& painter, const BarRow& row, double y, double height,
                         const Columns& columns, const QColor& label, const QColor& number) const {
  const QRectF box(columns.label.left(), y, columns.label.width() + 1, height);
  painter.setPen(label);
  painter.setFont(labelFont());
  painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(labelFont()).elidedText(row.label, Qt::ElideRight, box.width()));
  painter.setPen(number);
  painter.setFont(rowFont());
  const QStringList numbers = numbersOf(row);
  const std::size_t in_a_line = columns.numbers.size();
  const double line = lines() == 1 ? height : kLine;
  y += (height - line * lines()) / 2;
  for (std::size_t i = 0; i < std::size_t(numbers.size()); ++i) {
    const QRectF& column = columns.numbers[i % in_a_line];
    painter.drawText(
        QRectF(column.left() - 1, y + line * double(i / in_a_line), column.width() + 1, line),
        Qt::AlignVCenter | Qt::AlignRight, numbers[qsizetype(i)]);
  }
}

void BarList::paintBars(QPainter& painter, const BarRow& row, double y, const Columns& columns,
                        bool chosen, const Palette& palette) const {
  const double count = 1 + double(row.more.size()), zero = columns.x(0);
  const double thick = lines() == 1 && count > 1 ? kThinBar : kBar;
  const double pitch = lines() == 1 ? thick : kLine;
  y += (rowHeight() - pitch * count + pitch - thick) / 2;
  painter.setPen(Qt::NoPen);
  for (std::size_t i = 0; i <= row.more.size(); ++i, y += pitch) {
    const double value = i == 0 ? row.value : row.more[i - 1];
    if (!std::isfinite(value) || value == 0) continue;
    // A minimum length, so that it does not look like zero.
    const double end = columns.x(value), length = std::max(std::abs(end - zero), 1.5);
    const QRectF bar(end < zero ? zero - length : zero, y, length, thick);
    painter.setBrush(chosen              ? palette.mark
                     : !row.more.empty() ? palette.series[i % palette.series.size()]
                     : value < 0         ? palette.negative
                                         : palette.positive);
    const double corner = row.more.empty() ? std::min(2.5, length / 2) : 0;
    painter.drawRoundedRect(bar, corner, corner);
  }
}

void BarList::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const Columns columns = this->columns(area);
  paintHead(painter, area, columns, palette);
  const double top = area.top() + headHeight();
  double y = top;
  for (std::size_t i = 0; i < rows_.size(); ++i, y += rowHeight()) {
    const bool chosen = chosen_ == int(i);
    paintWords(painter, rows_[i], y, rowHeight(), columns, chosen ? palette.mark : palette.muted,
               chosen ? palette.mark : palette.text);
    paintBars(painter, rows_[i], y, columns, chosen, palette);
  }
  if (columns.low < 0 && !rows_.empty()) {
    painter.setPen(QPen(palette.muted, 1));
    painter.drawLine(QPointF(columns.x(0), top + 2), QPointF(columns.x(0), y - 2));
  }
  if (summary_.empty()) return;
  painter.setPen(QPen(palette.line, 1));
  painter.drawLine(QPointF(area.left(), y + kRule / 2), QPointF(area.right(), y + kRule / 2));
  y += kRule;
  for (const BarRow& row : summary_) {
    paintWords(painter, row, y, kRow, columns, palette.text, palette.text);
    y += kRow;
  }
}

DataTable BarList::figureData() const {
  if (data_) return data_();
  DataTable table{{tr("label"), tr("value")}, {}};
  for (const auto* rows : {&rows_, &summary_})
    for (const BarRow& row : *rows) table.rows.push_back({row.label, fullPrecision(row.value)});
  return table;
}

QRectF BarList::itemArea(int item, const QRectF& area) const {
  return {area.left(), area.top() + headHeight() + item * rowHeight() + 1, area.width(),
          rowHeight() - 2};
}

QString BarList::itemText(int item) const {
  const BarRow& row = rows_[std::size_t(item)];
  const qsizetype in_a_line = titles_.isEmpty() ? row.numbers.size() : titles_.size();
  QStringList words;
  for (qsizetype i = 0; i < row.numbers.size(); ++i) {
    const bool begins = lines() > 1 && i % in_a_line == 0;
    const QString name = begins ? series_.value(i / in_a_line) : titles_.value(i % in_a_line);
    words << (name + QLatin1Char(' ') + row.numbers[i]).trimmed();
  }
  if (words.isEmpty()) words << QString::number(row.value, 'g', 6);
  return tr("%1: %2").arg(row.label, words.join(QStringLiteral(", ")));
}

}  // namespace tfm::ui
