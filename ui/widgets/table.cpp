// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/table.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Of the printed table at scale 1.
constexpr double kPrintedRow = 20, kPrintedGap = 18;

Qt::Alignment alignmentOf(const Table::Column& column) {
  return (column.words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter;
}

QFont printedFont(const Table::Column& column, bool title) {
  if (title) return Style::textFace(12, QFont::DemiBold);
  return column.words ? Style::textFace(12) : Style::numberFace(11);
}

}  // namespace

Table::Table(const Style& style, const std::vector<Column>& columns, QWidget* parent)
    : QTableWidget(parent), style_(style), columns_(columns) {
  setColumnCount(int(columns_.size()));
  for (int i = 0; i < columnCount(); ++i) {
    auto* header = new QTableWidgetItem(columns_[std::size_t(i)].title);
    header->setToolTip(columns_[std::size_t(i)].meaning);
    header->setTextAlignment(alignmentOf(columns_[std::size_t(i)]));
    setHorizontalHeaderItem(i, header);
  }
  setAccessibleName(tr("Measurements"));
  verticalHeader()->hide();
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void Table::setTitle(int column, const QString& title) {
  columns_[std::size_t(column)].title = title;
  horizontalHeaderItem(column)->setText(title);
}

void Table::setRows(const QList<QStringList>& rows) {
  setRowCount(int(rows.size()));
  for (int row = 0; row < rowCount(); ++row) {
    for (int i = 0; i < columnCount(); ++i) {
      auto* item = new QTableWidgetItem(rows[row].value(i, QStringLiteral("–")));
      item->setTextAlignment(alignmentOf(columns_[std::size_t(i)]));
      setItem(row, i, item);
    }
    setRowHeight(row, style_.px(30));
  }
  updateGeometry();
}

QSize Table::sizeHint() const {
  return {QTableWidget::sizeHint().width(), style_.px(36) + rowCount() * style_.px(30)};
}

std::vector<QStringList> Table::shownRows() const {
  std::vector<QStringList> rows(1);
  for (const Column& column : columns_) rows[0] << column.title;
  for (int row = 0; row < rowCount(); ++row) {
    QStringList texts;
    for (int column = 0; column < columnCount(); ++column) texts << item(row, column)->text();
    rows.push_back(texts);
  }
  return rows;
}

void Table::copy() const {
  const std::vector<QStringList> rows = shownRows();
  const bool all = !selectionModel()->hasSelection();
  QString text = rows[0].join(QLatin1Char('\t'));
  for (int row = 0; row < rowCount(); ++row)
    if (all || selectionModel()->isRowSelected(row))
      text += QLatin1Char('\n') + rows[std::size_t(row) + 1].join(QLatin1Char('\t'));
  QGuiApplication::clipboard()->setText(text);
}

void Table::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  QTableWidget::keyPressEvent(event);
}

std::vector<double> Table::widthsOf(const std::vector<QStringList>& rows) const {
  std::vector<double> widths(columns_.size(), 0);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const QFontMetricsF metrics(printedFont(columns_[i], row == 0));
      widths[i] = std::max(widths[i], metrics.horizontalAdvance(rows[row][qsizetype(i)]) + 2);
    }
  return widths;
}

QSizeF Table::figureSize() const {
  const std::vector<QStringList> rows = shownRows();
  double width = -kPrintedGap;
  for (const double column : widthsOf(rows)) width += column + kPrintedGap;
  return {width, kPrintedRow * double(rows.size()) + 8};
}

void Table::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const std::vector<QStringList> rows = shownRows();
  const std::vector<double> widths = widthsOf(rows);
  const auto rule = [&](double y, double thick) {
    painter.setPen(QPen(palette.text, thick));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double x = area.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      painter.setFont(printedFont(columns_[i], row == 0));
      painter.setPen(palette.text);
      painter.drawText(
          QRectF(x, area.top() + 2 + kPrintedRow * double(row), widths[i], kPrintedRow),
          alignmentOf(columns_[i]), rows[row][qsizetype(i)]);
      x += widths[i] + kPrintedGap;
    }
  }
  rule(area.top() + 1, 1.4);
  rule(area.top() + kPrintedRow + 2, 0.8);
  rule(area.top() + kPrintedRow * double(rows.size()) + 3, 1.4);
}

DataTable Table::figureData() const {
  std::vector<QStringList> rows = shownRows();
  const QStringList columns = rows.front();
  rows.erase(rows.begin());
  return {columns, std::move(rows)};
}

}  // namespace tfm::ui
