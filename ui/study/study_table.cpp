// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_table.h"

#include <QHeaderView>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

void align(QTableWidgetItem& item, const StudyTable::Column& column) {
  item.setTextAlignment((column.words ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

}  // namespace

StudyTable::StudyTable(const Style& style, const std::vector<Column>& columns, QWidget* parent)
    : QTableWidget(parent), style_(style), columns_(columns) {
  setColumnCount(int(columns_.size()));
  for (int i = 0; i < columnCount(); ++i) {
    auto* header = new QTableWidgetItem(columns_[std::size_t(i)].title);
    header->setToolTip(columns_[std::size_t(i)].meaning);
    align(*header, columns_[std::size_t(i)]);
    setHorizontalHeaderItem(i, header);
  }
  setAccessibleName(tr("What was measured"));
  verticalHeader()->hide();
  horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  setShowGrid(false);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setTabKeyNavigation(false);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void StudyTable::setRows(const QList<QStringList>& rows) {
  setRowCount(int(rows.size()));
  for (int row = 0; row < rowCount(); ++row) {
    for (int i = 0; i < columnCount(); ++i) {
      auto* item = new QTableWidgetItem(rows[row].value(i, QStringLiteral("–")));
      align(*item, columns_[std::size_t(i)]);
      setItem(row, i, item);
    }
    setRowHeight(row, style_.px(30));
  }
  updateGeometry();
}

QSize StudyTable::sizeHint() const {
  return {QTableWidget::sizeHint().width(), style_.px(36) + rowCount() * style_.px(30)};
}

}  // namespace tfm::ui
