// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_table.h"

#include <QClipboard>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStandardItemModel>
#include <algorithm>

#include "ui/elastic/score_columns.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Sizes of the printed table at scale 1.
constexpr double kRow = 20, kTableGap = 18;

constexpr double kAir = 4;      // between columns on screen
constexpr int kParameters = 2;  // the column

enum Role { kOrder = Qt::UserRole, kMarkRole };  // what to sort by, the place of the row's mark

QFont faceOf(const ScoreColumn& column, bool title) {
  if (title) return Style::textFace(12, QFont::DemiBold);
  return column.number ? Style::numberFace(11) : Style::textFace(12);
}

Qt::Alignment alignmentOf(const ScoreColumn& column) {
  return Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft);
}

/// The width of each column of the printed table.
std::vector<double> widthsOf(const std::vector<QStringList>& rows) {
  std::vector<double> widths(scoreColumns().size(), 0);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const QFontMetricsF metrics(faceOf(scoreColumns()[i], row == 0));
      widths[i] = std::max(widths[i], metrics.horizontalAdvance(rows[row][qsizetype(i)]) + 2);
    }
  return widths;
}

}  // namespace

ScoreTable::ScoreTable(const Style& style, QWidget* parent)
    : QTableView(parent), style_(style), cells_(new QStandardItemModel(this)) {
  const auto& columns = scoreColumns();
  cells_->setSortRole(kOrder);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto* title = new QStandardItem(columns[i].title);
    title->setToolTip(columns[i].hint);
    title->setTextAlignment(alignmentOf(columns[i]));
    cells_->setHorizontalHeaderItem(int(i), title);
  }
  setModel(cells_);
  setSortingEnabled(true);
  sortByColumn(kParameters, Qt::AscendingOrder);
  setSelectionBehavior(SelectRows);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setTabKeyNavigation(false);
  setAccessibleName(figureTitle());
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  connect(&style_, &Style::changed, this, &ScoreTable::updateSizes);
  connect(this, &QTableView::clicked, this, &ScoreTable::choose);
  updateSizes();
}

void ScoreTable::setPoints(std::vector<ElasticPoint> points) {
  points_ = std::move(points);
  std::vector<ElasticMark> marks = marksOf(points_);
  // When only numbers change during training, selection and scroll position stay.
  const bool others = marks.size() != marks_.size();
  marks_ = std::move(marks);
  if (!others) return fill();
  cells_->setRowCount(0);
  for (int row = 0; row < int(marks_.size()); ++row) {
    QList<QStandardItem*> cells;
    for (int column = 0; column < cells_->columnCount(); ++column) cells << new QStandardItem;
    cells.front()->setData(row, kMarkRole);
    cells_->appendRow(cells);
  }
  updateSizes();
}

void ScoreTable::setChosen(const std::optional<Submodel>& submodel) {
  chosen_ = submodel;
  fill();
}

void ScoreTable::fill() {
  {
    const QSignalBlocker quiet(cells_);  // sorting tells the view
    for (int row = 0; row < cells_->rowCount(); ++row) {
      const ElasticMark& mark = marks_[std::size_t(cells_->item(row)->data(kMarkRole).toInt())];
      for (std::size_t i = 0; i < scoreColumns().size(); ++i) {
        const ScoreColumn& column = scoreColumns()[i];
        QStandardItem& cell = *cells_->item(row, int(i));
        const bool chosen =
            i == 0 && mark.kind != ElasticKind::Separate && mark.submodel == chosen_;
        cell.setText(column.text(mark));
        cell.setData(column.order(mark), kOrder);
        cell.setTextAlignment(alignmentOf(column));
        cell.setFont(column.number ? style_.numberFont(12)
                                   : style_.textFont(12, chosen ? QFont::DemiBold : QFont::Normal));
        cell.setData(chosen ? QVariant(style_.palette().mark) : QVariant(), Qt::ForegroundRole);
        cell.setAccessibleText(chosen ? tr("%1, chosen").arg(mark.name) : cell.text());
      }
    }
  }
  const QHeaderView& head = *horizontalHeader();
  cells_->sort(head.sortIndicatorSection(), head.sortIndicatorOrder());
}

void ScoreTable::updateSizes() {
  fill();
  verticalHeader()->setDefaultSectionSize(style_.px(28));
  resizeColumnsToContents();
  for (int column = 0; column < cells_->columnCount(); ++column)
    setColumnWidth(column, columnWidth(column) + style_.px(kAir));
}

void ScoreTable::choose(const QModelIndex& index) {
  emit chosen(marks_[std::size_t(cells_->item(index.row())->data(kMarkRole).toInt())].submodel);
}

std::vector<QStringList> ScoreTable::shownRows() const {
  std::vector<QStringList> rows(1);
  for (const ScoreColumn& column : scoreColumns()) rows[0] << column.title;
  for (int row = 0; row < cells_->rowCount(); ++row) {
    QStringList texts;
    for (int column = 0; column < cells_->columnCount(); ++column)
      texts << cells_->index(row, column).data().toString();
    rows.push_back(texts);
  }
  return rows;
}

void ScoreTable::copy() const {
  const std::vector<QStringList> rows = shownRows();
  const bool all = !selectionModel()->hasSelection();
  QString text = rows[0].join(QLatin1Char('\t'));
  for (int row = 0; row < cells_->rowCount(); ++row)
    if (all || selectionModel()->isRowSelected(row))
      text += QLatin1Char('\n') + rows[std::size_t(row) + 1].join(QLatin1Char('\t'));
  QGuiApplication::clipboard()->setText(text);
}

void ScoreTable::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && currentIndex().isValid()) return choose(currentIndex());
  QTableView::keyPressEvent(event);
}

void ScoreTable::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (cells_->rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(style_.textFont(12));
  painter.setPen(style_.palette().muted);
  painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, nothingMeasuredText());
}

QString ScoreTable::figureTitle() const { return tr("Measured submodels"); }

QSizeF ScoreTable::figureSize() const {
  const std::vector<QStringList> rows = shownRows();
  double width = -kTableGap;
  for (const double column : widthsOf(rows)) width += column + kTableGap;
  return {width, kRow * double(rows.size()) + 8};
}

void ScoreTable::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  const std::vector<QStringList> rows = shownRows();
  const std::vector<double> widths = widthsOf(rows);
  const auto rule = [&](double y, double thick) {
    painter.setPen(QPen(palette.text, thick));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
  };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double x = area.left();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const ScoreColumn& column = scoreColumns()[i];
      painter.setFont(faceOf(column, row == 0));
      painter.setPen(palette.text);
      painter.drawText(QRectF(x, area.top() + 2 + kRow * double(row), widths[i], kRow),
                       alignmentOf(column), rows[row][qsizetype(i)]);
      x += widths[i] + kTableGap;
    }
  }
  rule(area.top() + 1, 1.4);
  rule(area.top() + kRow + 2, 0.8);
  rule(area.top() + kRow * double(rows.size()) + 3, 1.4);
}

DataTable ScoreTable::figureData() const { return pointTable(points_); }

}  // namespace tfm::ui
