// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QStringList>
#include <QTableWidget>
#include <vector>

#include "ui/figure/figure.h"

namespace tfm::ui {

/// A table of texts, left-aligned, and numbers, right-aligned. It is as high as its rows. Ctrl+C
/// copies the selected rows with the headers, or all rows.
class Table : public QTableWidget, public Figure {
  Q_OBJECT

 public:
  struct Column {
    QString title;
    bool words = false;
    QString meaning = {};
  };

  Table(const Style& style, const std::vector<Column>& columns, QWidget* parent = nullptr);

  void setRows(const QList<QStringList>& rows);
  void setTitle(int column, const QString& title);
  QSize sizeHint() const override;

  QString figureTitle() const override { return accessibleName(); }
  QSizeF figureSize() const override;
  /// The rows in the order shown.
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// The texts shown.
  DataTable figureData() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;

  const Style& style_;

 private:
  void copy() const;
  /// The shown texts, headers first.
  std::vector<QStringList> shownRows() const;
  /// Of the printed columns.
  std::vector<double> widthsOf(const std::vector<QStringList>& rows) const;

  std::vector<Column> columns_;
};

}  // namespace tfm::ui
