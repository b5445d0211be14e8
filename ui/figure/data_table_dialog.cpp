// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/data_table_dialog.h"

#include <QAbstractTableModel>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

class DataTableModel : public QAbstractTableModel {
 public:
  DataTableModel(DataTable table, QObject* parent)
      : QAbstractTableModel(parent), table_(std::move(table)) {}

  int rowCount(const QModelIndex& parent) const override {
    return parent.isValid() ? 0 : int(table_.rows.size());
  }
  int columnCount(const QModelIndex& parent) const override {
    return parent.isValid() ? 0 : int(table_.columns.size());
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (role != Qt::DisplayRole) return {};
    return table_.rows[std::size_t(index.row())].value(index.column());
  }
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override {
    if (role != Qt::DisplayRole) return {};
    if (orientation == Qt::Vertical) return section + 1;
    return table_.columns.value(section);
  }

 private:
  DataTable table_;
};

}  // namespace

DataTableDialog::DataTableDialog(const Style& style, const Figure& figure, QWidget* parent)
    : DataTableDialog(style, figure.figureTitle(), figure.figureData(), parent) {}

DataTableDialog::DataTableDialog(const Style& style, const QString& title, DataTable table,
                                 QWidget* parent)
    : QDialog(parent), view_(new QTableView) {
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(title);
  view_->setModel(new DataTableModel(std::move(table), view_));
  view_->setFont(style.numberFont(12));
  view_->setAlternatingRowColors(true);
  view_->setAccessibleName(title);
  view_->verticalHeader()->setDefaultSectionSize(style.px(24));
  view_->resizeColumnsToContents();

  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* copyButton = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  copyButton->setToolTip(tr("Copies the selected cells, or all (Ctrl+C)"));
  connect(copyButton, &QPushButton::clicked, this, &DataTableDialog::copy);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* shortcut = new QShortcut(QKeySequence::Copy, view_);
  shortcut->setContext(Qt::WidgetShortcut);
  connect(shortcut, &QShortcut::activated, this, &DataTableDialog::copy);

  auto* layout = new QVBoxLayout(this);
  layout->addWidget(view_);
  layout->addWidget(buttons);
  resize(style.px(560), style.px(420));
}

void DataTableDialog::copy() const {
  // A single cell is rarely selected on purpose, so an empty or one-cell selection means all.
  if (view_->selectionModel()->selectedIndexes().size() < 2) view_->selectAll();
  QModelIndexList cells = view_->selectionModel()->selectedIndexes();
  std::sort(cells.begin(), cells.end());
  QString text;
  for (qsizetype i = 0; i < cells.size(); ++i) {
    if (i > 0) text += cells[i].row() == cells[i - 1].row() ? '\t' : '\n';
    text += cells[i].data().toString();
  }
  QGuiApplication::clipboard()->setText(text);
}

}  // namespace tfm::ui
