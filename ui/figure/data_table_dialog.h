// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/figure/figure.h"
#include "ui/figure/forward.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The data of a figure, or a table of its own, that can be selected, copied and read by a screen
/// reader. It does not change after it was opened.
class DataTableDialog : public QDialog {
  Q_OBJECT

 public:
  DataTableDialog(const Style& style, const Figure& figure, QWidget* parent);
  DataTableDialog(const Style& style, const QString& title, DataTable table, QWidget* parent);

 private:
  void copy() const;

  QTableView* view_;
};

}  // namespace tfm::ui
