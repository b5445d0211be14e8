// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QTableWidget>
#include <vector>

namespace tfm::ui {

class Style;

/// A table of the measurements of a study: texts are left-aligned, numbers right-aligned. It is as
/// high as its rows.
class StudyTable : public QTableWidget {
  Q_OBJECT

 public:
  struct Column {
    QString title;
    bool words = false;
    QString meaning = {};
  };

  StudyTable(const Style& style, const std::vector<Column>& columns, QWidget* parent = nullptr);

  void setRows(const QList<QStringList>& rows);
  QSize sizeHint() const override;

 private:
  const Style& style_;
  const std::vector<Column> columns_;
};

}  // namespace tfm::ui
