// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_table.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>

#include "ui/elastic/score_columns.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kAir = 4;      // between columns on screen
constexpr int kParameters = 2;  // the column

enum Role { kOrder = Qt::UserRole, kMarkRole };  // what to sort by, the place of the row's mark

std::vector<Table::Column> tableColumns() {
  std::vector<Table::Column> columns;
  for (const ScoreColumn& column : scoreColumns(false))
    columns.push_back({column.title, !column.number, column.hint});
  return columns;
}

/// Sorted by what its column says, not by its text.
class ScoreCell : public QTableWidgetItem {
 public:
  bool operator<(const QTableWidgetItem& other) const override {
    return QVariant::compare(data(kOrder), other.data(kOrder)) == QPartialOrdering::Less;
  }
};

}  // namespace

ScoreTable::ScoreTable(const Style& style, QWidget* parent) : Table(style, tableColumns(), parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setSortIndicator(kParameters, Qt::AscendingOrder);
  setSortingEnabled(true);
  setSelectionBehavior(SelectRows);
  setAccessibleName(tr("Measured submodels"));
  connect(&style_, &Style::changed, this, &ScoreTable::updateSizes);
  connect(this, &QTableWidget::clicked, this, &ScoreTable::choose);
  updateSizes();
}

void ScoreTable::setPoints(std::vector<ElasticPoint> points) {
  points_ = std::move(points);
  std::vector<ElasticMark> marks = marksOf(points_);
  // When only numbers change during training, selection and scroll position stay.
  const bool others = marks.size() != marks_.size();
  marks_ = std::move(marks);
  if (!marks_.empty()) showTitles(marks_.front().by_position);
  if (!others) return fill();
  setSortingEnabled(false);  // it would move rows that are not complete
  setRowCount(0);
  setRowCount(int(marks_.size()));
  for (int row = 0; row < rowCount(); ++row) {
    for (int column = 0; column < columnCount(); ++column) setItem(row, column, new ScoreCell);
    item(row, 0)->setData(kMarkRole, row);
  }
  setSortingEnabled(true);
  updateSizes();
}

void ScoreTable::showTitles(bool by_position) {
  for (int i = 0; i < columnCount(); ++i) {
    const ScoreColumn& column = scoreColumns(by_position)[std::size_t(i)];
    horizontalHeaderItem(i)->setText(column.title);
    horizontalHeaderItem(i)->setToolTip(column.hint);
  }
}

void ScoreTable::setChosen(const std::optional<Submodel>& submodel) {
  chosen_ = submodel;
  fill();
}

void ScoreTable::fill() {
  {
    const QSignalBlocker quiet(model());  // sorting tells the view
    for (int row = 0; row < rowCount(); ++row) {
      const ElasticMark& mark = marks_[std::size_t(item(row, 0)->data(kMarkRole).toInt())];
      for (int i = 0; i < columnCount(); ++i) {
        const ScoreColumn& column = scoreColumns(mark.by_position)[std::size_t(i)];
        QTableWidgetItem& cell = *item(row, i);
        const bool chosen =
            i == 0 && mark.kind != ElasticKind::Separate && mark.submodel == chosen_;
        cell.setText(column.text(mark));
        cell.setData(kOrder, column.order(mark));
        cell.setTextAlignment((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        cell.setFont(column.number ? style_.numberFont(12)
                                   : style_.textFont(12, chosen ? QFont::DemiBold : QFont::Normal));
        cell.setData(Qt::ForegroundRole, chosen ? QVariant(style_.palette().mark) : QVariant());
        cell.setData(Qt::AccessibleTextRole,
                     chosen ? tr("%1, chosen").arg(mark.name) : cell.text());
      }
    }
  }
  const QHeaderView& head = *horizontalHeader();
  sortItems(head.sortIndicatorSection(), head.sortIndicatorOrder());
}

void ScoreTable::updateSizes() {
  fill();
  verticalHeader()->setDefaultSectionSize(style_.px(28));
  resizeColumnsToContents();
  for (int column = 0; column < columnCount(); ++column)
    setColumnWidth(column, columnWidth(column) + style_.px(kAir));
}

void ScoreTable::choose(const QModelIndex& index) {
  emit chosen(marks_[std::size_t(item(index.row(), 0)->data(kMarkRole).toInt())].submodel);
}

void ScoreTable::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && currentIndex().isValid()) return choose(currentIndex());
  Table::keyPressEvent(event);
}

void ScoreTable::paintEvent(QPaintEvent* event) {
  Table::paintEvent(event);
  if (rowCount() > 0) return;
  QPainter painter(viewport());
  painter.setFont(style_.textFont(12));
  painter.setPen(style_.palette().muted);
  painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, nothingMeasuredText());
}

DataTable ScoreTable::figureData() const { return pointTable(points_); }

}  // namespace tfm::ui
