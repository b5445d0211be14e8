// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/score_table_model.h"

#include "ui/elastic/score_columns.h"
#include "ui/style/style.h"

namespace tfm::ui {

ScoreTableModel::ScoreTableModel(const Style& style, QObject* parent)
    : QAbstractTableModel(parent), style_(style) {}

void ScoreTableModel::setMarks(std::vector<ElasticMark> marks) {
  // When only numbers change during training, selection and scroll position stay.
  if (marks.size() == marks_.size() && !marks.empty()) {
    marks_ = std::move(marks);
    emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    return;
  }
  beginResetModel();
  marks_ = std::move(marks);
  endResetModel();
}

void ScoreTableModel::setChosen(const std::optional<Submodel>& submodel) {
  chosen_ = submodel;
  if (!marks_.empty())
    emit dataChanged(index(0, 0), index(rowCount() - 1, 0), {Qt::FontRole, Qt::ForegroundRole});
}

bool ScoreTableModel::isChosen(const ElasticMark& mark) const {
  return mark.kind != ElasticKind::Separate && mark.submodel == chosen_;
}

int ScoreTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(marks_.size());
}

int ScoreTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : int(scoreColumns().size());
}

QVariant ScoreTableModel::data(const QModelIndex& index, int role) const {
  const ElasticMark& mark = marks_[std::size_t(index.row())];
  const ScoreColumn& column = scoreColumns()[std::size_t(index.column())];
  const bool chosen = index.column() == 0 && isChosen(mark);
  switch (role) {
    case Qt::DisplayRole:
      return column.text(mark);
    case kOrder:
      return column.order(mark);
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft));
    case Qt::FontRole:
      if (column.number) return style_.numberFont(12);
      return style_.textFont(12, chosen ? QFont::DemiBold : QFont::Normal);
    case Qt::ForegroundRole:
      return chosen ? QVariant(style_.palette().mark) : QVariant();
    case Qt::AccessibleTextRole:
      return chosen ? tr("%1, chosen").arg(mark.name) : column.text(mark);
    default:
      return {};
  }
}

QVariant ScoreTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical) return {};
  const ScoreColumn& column = scoreColumns()[std::size_t(section)];
  switch (role) {
    case Qt::DisplayRole:
      return column.title;
    case Qt::ToolTipRole:
      return column.hint;
    case Qt::TextAlignmentRole:
      return QVariant(Qt::AlignVCenter | (column.number ? Qt::AlignRight : Qt::AlignLeft));
    default:
      return {};
  }
}

}  // namespace tfm::ui
